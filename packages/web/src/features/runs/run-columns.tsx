// What every table of runs shows of one.
import type { FlowRun } from "@orchestrator/contract";
import type { JSX, ReactNode } from "react";
import { PageLink } from "../../navigation/link.tsx";
import { StateBadge } from "../../ui/state.tsx";
import type { Column } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";

type ShownRun = Pick<
  FlowRun,
  "id" | "name" | "state_type" | "state_name" | "start_time" | "expected_start_time"
>;

export const STATE: Column<ShownRun> = {
  title: "State",
  cell: ({ state_type, state_name }) => <StateBadge type={state_type} name={state_name} />,
};

export const START_COLUMN: Column<ShownRun> = {
  title: "Start",
  look: "wide",
  cell: (run) => <StartOf run={run} />,
};

/**
 * `flowOf` says what stands below the name: null while it is not known, undefined where nobody need
 * be told.
 */
export const nameColumn = <Run extends ShownRun>(flowOf: (run: Run) => ReactNode): Column<Run> => ({
  title: "Run",
  look: "fill",
  cell: (run) => {
    const flow = flowOf(run);
    return (
      <div className="stack-tight" style={{ gap: 2 }}>
        <div className="cut">
          <PageLink to={`/runs/${run.id}`} title={run.name}>
            {run.name}
          </PageLink>
        </div>
        {flow !== undefined && <div className="cut faint">{flow ?? "\u00a0"}</div>}
        <span className="narrow-only faint">
          <StartOf run={run} />
        </span>
      </div>
    );
  },
});

function StartOf({ run }: { readonly run: ShownRun }): JSX.Element {
  return <Ago time={run.start_time ?? run.expected_start_time} />;
}
