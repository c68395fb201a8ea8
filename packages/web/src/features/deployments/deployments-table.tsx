import type { Deployment } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { flowNamesQuery } from "../../api/names.ts";
import { LastRuns } from "../../charts/last-runs.tsx";
import { PageLink } from "../../navigation/link.tsx";
import { StateBadge } from "../../ui/state.tsx";
import { TagChips } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { lastRunsOf } from "../runs/last-runs-query.ts";
import { whyNotReady } from "./readiness-words.ts";
import { scheduleWords } from "./schedule-words.ts";

export function DeploymentsTable({
  deployments,
  empty,
  isOfOneFlow = false,
}: {
  readonly deployments: readonly Deployment[] | undefined;
  readonly empty: ReactNode;
  /** On the page of a flow nobody need be told its name. */
  readonly isOfOneFlow?: boolean;
}): JSX.Element {
  const ids = deployments?.map(({ id }) => id) ?? [];
  const lastRuns = useQuery(lastRunsOf("deployment", ids)).data;
  const flowIds = isOfOneFlow ? [] : (deployments?.map(({ flow_id }) => flow_id) ?? []);
  const flows = useQuery(flowNamesQuery([...new Set(flowIds)].sort())).data;
  return (
    <Table
      label="Deployments"
      rows={deployments}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          title: "Deployment",
          look: "fill",
          cell: ({ id, name, flow_id, ...deployment }) => (
            <div className="stack-tight" style={{ gap: 2 }}>
              <div className="cut">
                <PageLink to={`/deployments/${id}`}>{name}</PageLink>
              </div>
              {!isOfOneFlow && <div className="cut faint">{flows?.get(flow_id) ?? "\u00a0"}</div>}
              <span className="narrow-only">
                <StatusOf deployment={deployment} />
              </span>
            </div>
          ),
        },
        { title: "Recent runs", cell: ({ id }) => <LastRuns runs={lastRuns?.[id] ?? []} /> },
        {
          title: "Schedule",
          look: "wide",
          cell: ({ schedules, paused }) => {
            const active = schedules.filter((schedule) => schedule.active);
            const [first] = active;
            if (paused) return <span className="faint">Paused</span>;
            if (first === undefined) return <span className="faint">None</span>;
            return (
              <span className="schedule-words">
                {scheduleWords(first.schedule)}
                {active.length > 1 && <span className="faint"> and {active.length - 1} more</span>}
              </span>
            );
          },
        },
        { title: "Tags", look: "wide", cell: ({ tags }) => <TagChips tags={tags} most={2} /> },
        {
          title: "Status",
          look: "wide",
          cell: (deployment) => <StatusOf deployment={deployment} />,
        },
      ]}
    />
  );
}

function StatusOf({
  deployment,
}: {
  readonly deployment: Parameters<typeof whyNotReady>[0];
}): JSX.Element {
  const { paused, status } = deployment;
  return <StateBadge type={paused ? "PAUSED" : status} title={whyNotReady(deployment)} />;
}
