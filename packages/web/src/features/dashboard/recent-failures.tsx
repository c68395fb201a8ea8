import type { TroubledRun } from "@orchestrator/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { api } from "../../api/client.ts";
import { PageLink } from "../../navigation/link.tsx";
import { pathWith } from "../../navigation/location.ts";
import { Card, Empty } from "../../ui/surface.tsx";
import { Table } from "../../ui/table.tsx";
import { nameColumn, START_COLUMN, STATE } from "../runs/run-columns.tsx";
import { type RunsWindow, sinceOf } from "../runs/runs-search.ts";

const SHOWN = 6;
const FAILED = ["FAILED", "CRASHED"];

/** What failed lately beside what nobody has fetched in time. */
export function RecentFailures({ window }: { readonly window: RunsWindow }): JSX.Element {
  const { data } = useQuery({
    queryKey: ["flow-runs", "troubles", window],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.dashboard.readTroubles({ ...sinceOf(window, Date.now()), limit: SHOWN }, { signal }),
  });
  return (
    <div className="grid">
      <RunsCard
        title="Recent failures"
        runs={data?.failed}
        all={pathWith("/runs", { states: FAILED, window })}
        empty={
          <Empty icon="check" title="No failures">
            <p>No run failed or crashed in this time range.</p>
          </Empty>
        }
      />
      <RunsCard
        title="Late runs"
        runs={data?.late}
        all={pathWith("/runs", { states: ["LATE"], window: "all" })}
        empty={
          <Empty icon="clock" title="No late runs">
            <p>Workers have picked up every run that was due.</p>
          </Empty>
        }
      />
    </div>
  );
}

function RunsCard({
  title,
  runs,
  all,
  empty,
}: {
  readonly title: string;
  readonly runs: readonly TroubledRun[] | undefined;
  readonly all: string;
  readonly empty: JSX.Element;
}): JSX.Element {
  return (
    <Card
      flush
      title={title}
      actions={runs && runs.length > 0 && <PageLink to={all}>View all</PageLink>}
    >
      <Table
        label="Runs"
        rows={runs}
        keyOf={({ id }) => id}
        empty={empty}
        columns={[STATE, nameColumn(({ flow_name }: TroubledRun) => flow_name), START_COLUMN]}
      />
    </Card>
  );
}
