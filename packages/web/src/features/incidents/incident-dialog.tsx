import "./incident-dialog.css";
import type { Incident } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { api } from "../../api/client.ts";
import { SERVICES } from "../../api/services.ts";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { durationLabel, exactly, shortly } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Facts, NoticeBox, Skeleton } from "../../ui/surface.tsx";
import { pageOfResource, type ReceivedLogEvent, resourceName } from "../events/event-labels.ts";
import { MonitorName } from "./monitor-name.tsx";

const MOST = 100;
/** What an incident sets going comes after it: automations, and what they do. */
const AFTER_MS = 10 * 60_000;
const BEFORE_MS = 60_000;
/** What a server calls its own things depends on the dialect it speaks. */
const DIALECTS = ["orchestrator", "prefect"] as const;

/** The timeline of an incident: its states, its acknowledgment and its automations. */
export function IncidentDialog({
  incident,
  onClose,
}: {
  readonly incident: Incident;
  readonly onClose: () => void;
}): JSX.Element {
  const { started_at, ended_at, acknowledged_at, duration_seconds } = incident;
  const { data, error, isLoading } = useQuery(eventsOf(incident));
  const moments: Moment[] = [
    { at: started_at, state: incident.status, words: incident.cause },
    ...(acknowledged_at
      ? [
          {
            at: acknowledged_at,
            words: `Acknowledged by ${incident.acknowledged_by ?? "an unknown user"}`,
          },
        ]
      : []),
    ...(ended_at
      ? [
          {
            at: ended_at,
            state: "up",
            words: `Resolved after ${durationLabel(duration_seconds ?? 0)}`,
          },
        ]
      : []),
    ...(data ?? []).map(momentOf),
  ];
  return (
    <Dialog wide title="Timeline" onClose={onClose}>
      <Affected incident={incident} />
      {incident.note && <p>{incident.note}</p>}
      <ol className="moments">
        {moments
          .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
          .map(({ at, state, words }, i) => (
            <li key={i} data-state={state}>
              <time className="num soft nowrap" dateTime={at} title={exactly(at)}>
                {shortly(at)}
              </time>
              <div style={{ overflowWrap: "anywhere" }}>{words}</div>
            </li>
          ))}
      </ol>
      {isLoading && <Skeleton />}
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <div className="dialog__foot">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

/** The monitor it is about, what else has its tags, and the parent that took it along. */
function Affected({ incident }: { readonly incident: Incident }): JSX.Element {
  const { monitor_id, caused_by, status } = incident;
  const ids = caused_by === null ? [monitor_id] : [monitor_id, caused_by];
  const { data } = useQuery({
    queryKey: ["monitors", "of-incident", ids],
    queryFn: ({ signal }) => uptime.monitors.overview({ id: ids, limit: ids.length }, { signal }),
  });
  const find = (id: string) => data?.monitors.find((one) => one.id === id);
  const tags = find(monitor_id)?.tags ?? [];
  const linkTo = (id: string) => (
    <MonitorName
      id={id}
      name={find(id)?.name}
      isGone={data !== undefined && find(id) === undefined}
    />
  );
  return (
    <Facts
      items={[
        ["Monitor", linkTo(monitor_id)],
        ["Worst status", <StateBadge type={status} />],
        ...(tags.length > 0 ? [["Affected tags", <TagLinks tags={tags} />] as const] : []),
        ...(caused_by === null ? [] : [["Cause", linkTo(caused_by)] as const]),
      ]}
    />
  );
}

const TagLinks = ({ tags }: { readonly tags: readonly string[] }): JSX.Element => (
  <span className="row tags">
    {tags.map((tag) => (
      <PageLink key={tag} to={pathWith("/monitors", { tags: [tag] })} className="tag">
        {tag}
      </PageLink>
    ))}
  </span>
);

interface Moment {
  readonly at: string;
  readonly state?: string;
  readonly words: ReactNode;
}

const eventsOf = ({ id, monitor_id, started_at, ended_at }: Incident) => ({
  queryKey: ["events", "of-incident", id],
  enabled: SERVICES.orchestrator,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const { events } = await api.events.list(
      {
        filter: {
          occurred: {
            since: new Date(Date.parse(started_at) - BEFORE_MS).toISOString(),
            until: new Date(
              (ended_at ? Date.parse(ended_at) : Date.now()) + AFTER_MS,
            ).toISOString(),
          },
          any_resource: { id: DIALECTS.map((own) => `${own}.monitor.${monitor_id}`) },
          order: "ASC",
        },
        limit: MOST,
      },
      { signal },
    );
    return events;
  },
});

/** `orchestrator.monitor.Down` → `monitor Down`. */
const nameOf = (event: string): string =>
  event.replace(/^(?:orchestrator|prefect)\./, "").replaceAll(".", " ");

function momentOf(event: ReceivedLogEvent): Moment {
  const page = pageOfResource(event.resource);
  const isOfMonitor = page?.startsWith("/monitors/") === true;
  return {
    at: event.occurred,
    words: (
      <>
        <PageLink to={`/events?event=${event.id}`} className="mono">
          {nameOf(event.event)}
        </PageLink>{" "}
        {page && !isOfMonitor && <PageLink to={page}>{resourceName(event.resource)}</PageLink>}
      </>
    ),
  };
}
