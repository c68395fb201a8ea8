import type { MonitorOverview } from "@orchestrator/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { uptime } from "../../api/uptime.ts";
import { errorText } from "../../lib/error-text.ts";
import { PageLink } from "../../navigation/link.tsx";
import { navigate, useSearch } from "../../navigation/location.ts";
import type { PageProps } from "../../navigation/page-props.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Tabs } from "../../ui/form.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Card, Empty, NoticeBox, PageFrame, Skeleton, TagChips } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { IncidentsTable } from "../incidents/incidents-table.tsx";
import { UptimeGate } from "../login/uptime-gate.tsx";
import { AlertDialog } from "./alert-dialog.tsx";
import { HeartbeatBars } from "./heartbeat-bars.tsx";
import { MonitorBadge } from "./monitor-badge.tsx";
import { MonitorFacts } from "./monitor-facts.tsx";
import { MonitorHistory } from "./monitor-history.tsx";
import { monitorById } from "./monitor-queries.ts";
import { MonitorResults } from "./monitor-results.tsx";
import { incidentsOfMonitor } from "./result-queries.ts";
import { useMonitorVerbs } from "./use-monitor-verbs.ts";

type Tab = "results" | "incidents" | "settings";
const TABS = [
  ["results", "Results"],
  ["incidents", "Incidents"],
  ["settings", "Settings"],
] as const;
const CRUMBS = [{ label: "Monitors", to: "/monitors" }];

export function MonitorPage({ params }: PageProps): JSX.Element {
  return (
    <UptimeGate>
      <Found id={params["id"] ?? ""} />
    </UptimeGate>
  );
}

function Found({ id }: { readonly id: string }): JSX.Element {
  const { data, error } = useQuery(monitorById(id));
  if (data) return <Monitor monitor={data} />;
  return (
    <PageFrame title="Monitor" crumbs={CRUMBS}>
      {error && <NoticeBox kind="error">{errorText(error)}</NoticeBox>}
      {data === null && (
        <Empty icon="question" title="Monitor not found">
          <p>
            It may have been deleted. <PageLink to="/monitors">All monitors</PageLink>
          </p>
        </Empty>
      )}
      {data === undefined && !error && <Skeleton lines={6} />}
    </PageFrame>
  );
}

function Monitor({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element {
  const [{ tab = "results", range }, setSearch] = useSearch(readSearch);
  const { data: incidents } = useQuery(incidentsOfMonitor(monitor.id));
  return (
    <PageFrame
      title={monitor.name}
      crumbs={CRUMBS}
      about={<About monitor={monitor} />}
      actions={<Actions monitor={monitor} />}
    >
      <HeartbeatCard monitor={monitor} />
      <MonitorHistory
        monitor={monitor}
        incidents={incidents ?? []}
        range={range}
        onRange={(next) => setSearch({ range: next })}
      />
      <Tabs<Tab>
        label="About this monitor"
        tabs={TABS}
        value={tab}
        onValue={(next) => setSearch({ tab: next })}
      />
      {tab === "results" && <MonitorResults monitor={monitor} />}
      {tab === "incidents" && (
        <Card flush title="Incidents">
          <IncidentsTable
            incidents={incidents}
            empty={<Empty icon="check" title="No incidents" />}
          />
        </Card>
      )}
      {tab === "settings" && <MonitorFacts monitor={monitor} />}
    </PageFrame>
  );
}

interface Search extends Record<string, string | undefined> {
  readonly tab?: Tab;
  readonly range?: string;
}

function readSearch(search: URLSearchParams): Search {
  const tab = TABS.find(([key]) => key === search.get("tab"))?.[0];
  const range = search.get("range");
  return { ...(tab && { tab }), ...(range !== null && { range }) };
}

function About({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element {
  const { url, tags, enabled, status_since, last_check, next_check } = monitor;
  return (
    <span className="stack-tight">
      <span className="row">
        <MonitorBadge monitor={monitor} />
        {enabled && status_since && (
          <span>
            since <Ago time={status_since} />
          </span>
        )}
        <TagChips tags={tags} />
      </span>
      <span className="row" style={{ columnGap: 16 }}>
        <a href={url} rel="noreferrer" target="_blank" style={{ overflowWrap: "anywhere" }}>
          {url}
        </a>
        <span>
          checked <Ago time={last_check} />
          {next_check && (
            <>
              , next <Ago time={next_check} />
            </>
          )}
        </span>
      </span>
    </span>
  );
}

function HeartbeatCard({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element | null {
  const [last] = monitor.results;
  if (last === undefined)
    return (
      <NoticeBox>
        No results yet.{" "}
        {monitor.enabled ? "The first check runs on schedule." : "The monitor is paused."} "Check
        now" runs it immediately.
      </NoticeBox>
    );
  if (last.status === "up")
    return (
      <div style={{ overflow: "hidden" }}>
        <HeartbeatBars results={monitor.results} />
      </div>
    );
  return (
    <>
      <NoticeBox kind={last.status === "down" ? "error" : "warn"}>{last.message}</NoticeBox>
      <div style={{ overflow: "hidden" }}>
        <HeartbeatBars results={monitor.results} />
      </div>
    </>
  );
}

function Actions({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element {
  const { id, name, enabled } = monitor;
  const queries = useQueryClient();
  const { check, toggle, isChecking } = useMonitorVerbs(monitor);
  const [open, setOpen] = useState<"delete" | "alert">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button
        needs="run"
        kind="primary"
        icon="retry"
        busy={isChecking}
        onClick={() => void check()}
      >
        Check now
      </Button>
      <Button needs="write" icon={enabled ? "pause" : "play"} onClick={() => void toggle()}>
        {enabled ? "Pause" : "Resume"}
      </Button>
      <Button needs="write" icon="automation" onClick={() => setOpen("alert")}>
        Create alert
      </Button>
      <LinkButton to={`/monitors/${id}/edit`} needs="write" icon="edit">
        Edit
      </LinkButton>
      <Button needs="write" kind="danger" icon="trash" onClick={() => setOpen("delete")}>
        Delete
      </Button>
      {open === "alert" && <AlertDialog monitor={monitor} onClose={close} />}
      {open === "delete" && (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete monitor"
          onClose={close}
          onConfirm={async () => {
            await uptime.monitors.delete(id);
            navigate("/monitors");
            await queries.invalidateQueries({ queryKey: ["monitors"] });
          }}
        >
          Its results, uptime and incidents are deleted with it.
        </Confirm>
      )}
    </>
  );
}
