import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { Card, Empty, NoticeBox } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { type ReceivedLogEvent, resourceId, roleOf } from "../events/event-labels.ts";
import { ResourceLink } from "../events/resource-link.tsx";
import { ACTION_WORDS } from "./action-kinds.ts";
import { doingsOf } from "./automations-queries.ts";
import type { ActionType } from "./draft.ts";

const ENDINGS: Readonly<Record<string, readonly [state: string, word: string]>> = {
  "automation.triggered": ["RUNNING", "Fired"],
  "automation.throttled": ["PAUSED", "Throttled"],
  "action.triggered": ["PENDING", "Started"],
  "action.executed": ["COMPLETED", "Succeeded"],
  "action.failed": ["FAILED", "Failed"],
};

const endingOf = (name: string) => ENDINGS[name.split(".").slice(-2).join(".")];

/** Firings and actions, as the events tell of them. */
export function Doings({ id }: { readonly id: string }): JSX.Element {
  const { data, error } = useQuery(doingsOf(id));
  return (
    <Card flush>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      <Table
        label="Activity"
        rows={data}
        keyOf={(event) => event.id}
        empty={
          <Empty icon="automation" title="No activity yet">
            <p>
              When it fires, each action appears here with its result. To test it against past
              events, <PageLink to={`/automations/${id}/edit`}>edit it</PageLink>.
            </p>
          </Empty>
        }
        columns={[
          {
            title: "What",
            cell: ({ event }) => {
              const [state, word] = endingOf(event) ?? ["none", event];
              return <StateBadge type={state} name={word} />;
            },
          },
          { title: "Action", look: "fill", cell: (event) => <What event={event} /> },
          { title: "Time", cell: ({ occurred }) => <Ago time={occurred} /> },
          {
            title: <span className="visually-hidden">Event</span>,
            look: "wide",
            cell: (event) => <PageLink to={`/events/${event.id}`}>Event</PageLink>,
          },
        ]}
      />
    </Card>
  );
}

const TOLD = new Set(["target", "flow-run"]);

function What({ event: { payload, related } }: { readonly event: ReceivedLogEvent }): JSX.Element {
  const type = payload["action_type"];
  const reason = payload["message"] ?? payload["reason"];
  const about = related.filter(
    (labels) => TOLD.has(roleOf(labels)) && !resourceId(labels).includes(".event."),
  );
  return (
    <>
      <div className="told">
        {typeof type === "string" ? (ACTION_WORDS[type as ActionType] ?? type) : "The trigger"}
        {about.map((labels) => (
          <span key={resourceId(labels)}>
            {" "}
            <ResourceLink labels={labels} />
          </span>
        ))}
      </div>
      {typeof reason === "string" && (
        <div className="cut soft" title={reason}>
          {reason}
        </div>
      )}
    </>
  );
}
