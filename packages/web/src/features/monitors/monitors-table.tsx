import "./monitors.css";
import type { MonitorOverview } from "@orchestrator/contract";
import type { JSX, ReactNode } from "react";
import { PageLink } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { IconButton } from "../../ui/button.tsx";
import { Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { HeartbeatBars } from "./heartbeat-bars.tsx";
import { MonitorBadge } from "./monitor-badge.tsx";
import { msText, roundedPercentText, UPTIME_HINT } from "./monitor-words.ts";
import { Sparkline } from "./sparkline.tsx";
import { useMonitorVerbs } from "./use-monitor-verbs.ts";

const TAGS_SHOWN = 3;

export function MonitorsTable({
  monitors,
  empty,
}: {
  readonly monitors: readonly MonitorOverview[] | undefined;
  readonly empty: ReactNode;
}): JSX.Element {
  return (
    <Table
      label="Monitors"
      rows={monitors}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        { title: "State", look: "wide", cell: (monitor) => <MonitorBadge monitor={monitor} /> },
        { title: "Monitor", look: "fill", cell: (monitor) => <Name monitor={monitor} /> },
        {
          title: "Recent results",
          look: "wide",
          cell: ({ results }) => (
            <span className="monitors__bars">
              <HeartbeatBars results={results} />
            </span>
          ),
        },
        {
          title: <span title={UPTIME_HINT}>Uptime</span>,
          look: "wide end",
          cell: ({ uptime }) => (
            <span className="monitors__uptime num">
              <span title="Over the last 24 hours">{roundedPercentText(uptime["24h"])}</span>
              <span className="faint" title="Over the last 30 days">
                30 d {roundedPercentText(uptime["30d"])}
              </span>
            </span>
          ),
        },
        {
          title: "Latency",
          look: "wide end",
          cell: ({ results }) => <Latency results={results} />,
        },
        {
          title: "Last check",
          look: "wide",
          cell: ({ last_check, next_check }) => (
            <span className="monitors__times">
              <Ago time={last_check} />
              {next_check && (
                <span>
                  next <Ago time={next_check} />
                </span>
              )}
            </span>
          ),
        },
        {
          title: <span className="visually-hidden">Actions</span>,
          cell: (monitor) => <Verbs monitor={monitor} />,
        },
      ]}
    />
  );
}

function Name({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element {
  const { id, name, url, tags, last_status, enabled, results } = monitor;
  const trouble = enabled && last_status !== "up" ? results[0]?.message : null;
  return (
    <div className="monitors__name">
      <span className="narrow-only">
        <span className="row num">
          <MonitorBadge monitor={monitor} />
          <span className="soft">{roundedPercentText(monitor.uptime["24h"])}</span>
        </span>
      </span>
      <PageLink to={`/monitors/${id}`} className="cut" title={name}>
        {name}
      </PageLink>
      <span className={trouble ? "cut" : "cut faint"} title={trouble ?? url}>
        {trouble ?? url}
      </span>
      <span className="narrow-only">
        <HeartbeatBars results={results} count={34} />
      </span>
      {tags.length > 0 && (
        <span className="monitors__tags">
          {tags.slice(0, TAGS_SHOWN).map((tag) => (
            <PageLink key={tag} to={pathWith("/monitors", { tags: [tag] })} className="tag">
              {tag}
            </PageLink>
          ))}
          {tags.length > TAGS_SHOWN && (
            <span className="tag" title={tags.slice(TAGS_SHOWN).join(", ")}>
              +{tags.length - TAGS_SHOWN}
            </span>
          )}
        </span>
      )}
    </div>
  );
}

function Latency({ results }: Pick<MonitorOverview, "results">): JSX.Element {
  const last = results.find(({ status }) => status !== "down");
  return (
    <span className="monitors__latency">
      <Sparkline results={results} />
      <span className="num">{msText(last?.elapsed_ms)}</span>
    </span>
  );
}

function Verbs({ monitor }: { readonly monitor: MonitorOverview }): JSX.Element {
  const { check, toggle, isChecking } = useMonitorVerbs(monitor);
  const { name, enabled } = monitor;
  return (
    <span className="row" style={{ flexWrap: "nowrap", gap: 2 }}>
      <IconButton
        needs="run"
        small
        icon="retry"
        label={`Check ${name} now`}
        disabled={isChecking}
        onClick={() => void check()}
      />
      <IconButton
        needs="write"
        small
        icon={enabled ? "pause" : "play"}
        label={`${enabled ? "Pause" : "Resume"} ${name}`}
        onClick={() => void toggle()}
      />
    </span>
  );
}
