import type { FlowRun, Obstacle } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { timeLabel } from "../../lib/time.ts";
import { PageLink } from "../../navigation/link.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Card } from "../../ui/surface.tsx";
import { Ago } from "../../ui/time.tsx";
import { explanationOf } from "./run-page-queries.ts";

const WAITING = new Set(["SCHEDULED", "PENDING", "PAUSED", "CANCELLING"]);
const PLACES: Readonly<Record<string, string>> = {
  "flow-run": "/runs",
  deployment: "/deployments",
  flow: "/flows",
};

/**
 * Why a run does not run, in the order in which it matters, or what its flow waits for while it
 * runs.
 */
export function RunBlockers({ run }: { readonly run: FlowRun }): JSX.Element | null {
  const isRunning = run.state_type === "RUNNING";
  const enabled = isRunning || WAITING.has(run.state_type ?? "");
  const { data } = useQuery({ ...explanationOf(run.id, run.state_id), enabled });
  const obstacles = (data?.obstacles ?? []).filter(({ code }) => code !== "running");
  if (!enabled || obstacles.length === 0) return null;
  return (
    <Card title={isRunning ? "What is it waiting for?" : "Why is it not running?"}>
      <ol className="stack" style={{ listStyle: "none", padding: 0 }}>
        {obstacles.map((obstacle) => (
          <li key={`${obstacle.code} ${obstacle.message}`}>
            <One obstacle={obstacle} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** The server names moments by its own clock; people read them by theirs. */
const inOwnTime = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => timeLabel(time));

function One({ obstacle }: { readonly obstacle: Obstacle }): JSX.Element {
  const { code, message, action, resource, until, is_blocking, flow_run_ids } = obstacle;
  const isThere = code !== "deployment-gone";
  const place = resource && isThere && PLACES[resource.kind];
  return (
    <div className="row" style={{ alignItems: "flex-start", flexWrap: "nowrap" }}>
      <span style={{ color: is_blocking ? "var(--warn)" : "var(--good)", paddingTop: 3 }}>
        <Icon
          name={is_blocking ? "incident" : "check"}
          label={is_blocking ? "Blocking" : "Not blocking"}
        />
      </span>
      <div className="stack-tight" style={{ gap: 2 }}>
        <div>{inOwnTime(message)}</div>
        {action && <div className="soft">{action}</div>}
        <div className="row soft">
          {resource && place && (
            <PageLink to={`${place}/${resource.id}`}>{resource.name ?? resource.id}</PageLink>
          )}
          {until && (
            <span>
              Until <Ago time={until} />
            </span>
          )}
          {flow_run_ids.slice(0, 5).map((id) => (
            <PageLink key={id} to={`/runs/${id}`}>
              Held by {id.slice(0, 8)}
            </PageLink>
          ))}
        </div>
      </div>
    </div>
  );
}
