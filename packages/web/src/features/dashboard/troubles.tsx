import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { Link } from "../../app/link.tsx";
import { pathWith } from "../../app/location.ts";
import { Card, Empty } from "../../ui/surface.tsx";
import { conditionsOf, LATE } from "../runs/run-queries.ts";
import type { RunsWindow } from "../runs/runs-search.ts";
import { flowIdsOf, RunsTable } from "../runs/runs-table.tsx";

const SHOWN = 6;
const FAILED = ["FAILED", "CRASHED"];

/** What failed lately beside what nobody has fetched in time. Both are in the order of an index, so few of many are found at once. */
export function Troubles({ window }: { readonly window: RunsWindow }): JSX.Element {
  const failed = useQuery({
    queryKey: ["flow-runs", "failures", window],
    queryFn: ({ signal }) =>
      api.flowRuns.list(
        {
          ...conditionsOf({ states: FAILED, window }, Date.now()),
          sort: "EXPECTED_START_TIME_DESC",
          limit: SHOWN,
        },
        { signal },
      ),
  }).data;
  const late = useQuery({
    queryKey: ["flow-runs", "late"],
    queryFn: ({ signal }) =>
      api.flowRuns.list(
        { flow_runs: { state: LATE }, sort: "EXPECTED_START_TIME_ASC", limit: SHOWN },
        { signal },
      ),
  }).data;
  // The names of all flows are asked for at once.
  const flowIds = failed && late ? flowIdsOf([...failed, ...late]) : [];
  return (
    <div className="grid">
      <RunsCard
        title="Failed lately"
        runs={failed}
        flowIds={flowIds}
        all={pathWith("/runs", { states: FAILED, window })}
        empty={
          <Empty icon="check" title="Nothing failed">
            <p>No run failed or crashed in this time.</p>
          </Empty>
        }
      />
      <RunsCard
        title="Late"
        runs={late}
        flowIds={flowIds}
        all={pathWith("/runs", { states: ["LATE"], window: "all" })}
        empty={
          <Empty icon="clock" title="Nothing is late">
            <p>Every run that was due has been picked up.</p>
          </Empty>
        }
      />
    </div>
  );
}

function RunsCard({
  title,
  runs,
  flowIds,
  all,
  empty,
}: {
  readonly title: string;
  readonly runs: readonly FlowRun[] | undefined;
  readonly flowIds: readonly string[];
  readonly all: string;
  readonly empty: JSX.Element;
}): JSX.Element {
  return (
    <Card
      flush
      title={title}
      actions={runs && runs.length > 0 && <Link to={all}>All of them</Link>}
    >
      <RunsTable isNarrow runs={runs} flowIds={flowIds} empty={empty} />
    </Card>
  );
}
