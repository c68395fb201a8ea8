import type { MonitorOverview, MonitorsOverview } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { SERVICES } from "../../api/services.ts";
import { useHasSession } from "../../api/uptime-session.ts";
import { PageLink } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { Icon } from "../../ui/icons.tsx";
import { iconShapeOf } from "../../ui/state.tsx";
import { Card, Empty, Skeleton } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { HeartbeatBars } from "../monitors/heartbeat-bars.tsx";
import { MonitorBadge } from "../monitors/monitor-badge.tsx";
import { monitorsPage } from "../monitors/monitor-queries.ts";
import { MONITOR_STATE_WORDS, roundedPercentText, STATES } from "../monitors/monitor-words.ts";

const SHOWN = 6;

/** The monitors at a glance, for who may see them. */
export function MonitorsCard(): JSX.Element | null {
  const services = SERVICES;
  const hasSession = useHasSession();
  if (!services.uptime) return null;
  if (!hasSession)
    return (
      <Card title="Monitors" actions={<PageLink to="/monitors">Log in</PageLink>}>
        <p className="soft">Log in to see which monitors are down.</p>
      </Card>
    );
  return <Monitors />;
}

function Monitors(): JSX.Element {
  const { data } = useQuery(monitorsPage({}));
  const wrong = data?.monitors.filter(isWrong).slice(0, SHOWN);
  return (
    <Card
      flush
      title={data && data.count > 0 ? <Counts counts={data.counts} /> : "Monitors"}
      actions={<PageLink to="/monitors">View all</PageLink>}
    >
      {data === undefined && (
        <div style={{ padding: 16 }}>
          <Skeleton />
        </div>
      )}
      {data?.count === 0 && (
        <Empty icon="monitor" title="No monitors yet">
          <p>
            <PageLink to="/monitors/new">Create a monitor</PageLink>
          </p>
        </Empty>
      )}
      {data && data.count > 0 && (
        <Table
          label="Monitors that are not up"
          rows={wrong}
          keyOf={({ id }) => id}
          empty={
            <Empty icon="check" title="All monitors are up">
              <p>Every active monitor is up.</p>
            </Empty>
          }
          columns={[
            { title: "State", cell: (monitor) => <MonitorBadge monitor={monitor} /> },
            {
              title: "Monitor",
              look: "fill",
              cell: ({ id, name, results }) => (
                <div className="stack-tight" style={{ gap: 2 }}>
                  <div className="cut">
                    <PageLink to={`/monitors/${id}`}>{name}</PageLink>
                  </div>
                  <div className="cut faint" title={results[0]?.message ?? undefined}>
                    {results[0]?.message}
                  </div>
                </div>
              ),
            },
            {
              title: "Recent results",
              look: "wide",
              cell: ({ results }) => <HeartbeatBars results={results} count={24} />,
            },
            {
              title: "Since",
              look: "wide",
              cell: ({ status_since }) => <Ago time={status_since} />,
            },
            {
              title: "Uptime 24 h",
              look: "end",
              cell: ({ uptime }) => (
                <span className="num">{roundedPercentText(uptime["24h"])}</span>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}

const isWrong = ({ enabled, in_maintenance, last_status }: MonitorOverview): boolean =>
  enabled && !in_maintenance && (last_status === "down" || last_status === "degraded");

function Counts({ counts }: Pick<MonitorsOverview, "counts">): JSX.Element {
  return (
    <span className="row" style={{ columnGap: 14 }}>
      Monitors
      {STATES.filter((state) => counts[state] > 0).map((state) => (
        <PageLink
          key={state}
          to={pathWith("/monitors", { states: [state] })}
          className="row num"
          style={{ gap: 5, fontWeight: 500 }}
          data-state={state === "unknown" ? "none" : state}
        >
          <Icon name={iconShapeOf(state)} size={13} />
          {counts[state]} {MONITOR_STATE_WORDS[state].toLowerCase()}
        </PageLink>
      ))}
    </span>
  );
}
