import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { Link } from "../../app/link.tsx";
import { lasting } from "../../lib/time.ts";
import { StateBadge } from "../../ui/state.tsx";
import { Tags } from "../../ui/surface.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Ago } from "../../ui/time.tsx";
import { flowNames } from "./run-queries.ts";

export interface Picking {
  readonly picked: ReadonlySet<string>;
  readonly onPick: (ids: ReadonlySet<string>) => void;
}

export function RunsTable({
  runs,
  empty,
  picking,
  isNarrow = false,
  isOfOneFlow = false,
  flowIds = isOfOneFlow ? [] : flowIdsOf(runs ?? []),
}: {
  readonly runs: readonly FlowRun[] | undefined;
  readonly empty: ReactNode;
  readonly picking?: Picking;
  /** Beside another table: only what matters most. */
  readonly isNarrow?: boolean;
  /** On the page of a flow nobody need be told its name. */
  readonly isOfOneFlow?: boolean;
  /** Those of several tables, when their names are asked for at once. */
  readonly flowIds?: readonly string[];
}): JSX.Element {
  const names = useQuery(flowNames(flowIds)).data;
  const columns: Column<FlowRun>[] = [
    {
      title: "State",
      cell: ({ state_type, state_name }) => <StateBadge type={state_type} name={state_name} />,
    },
    {
      title: "Run",
      look: "fill",
      cell: (run) => (
        <div className="stack-tight" style={{ gap: 2 }}>
          <div className="cut">
            <Link to={`/runs/${run.id}`} title={run.name}>
              {run.name}
            </Link>
          </div>
          {!isOfOneFlow && <div className="cut faint">{names?.get(run.flow_id) ?? "\u00a0"}</div>}
          <span className="narrow-only faint">
            <StartOf run={run} />
          </span>
        </div>
      ),
    },
    ...(isNarrow ? [] : [TAGS]),
    { title: "Start", look: "wide", cell: (run) => <StartOf run={run} /> },
    ...(isNarrow ? [] : [TOOK]),
  ];
  return (
    <Table
      label="Runs"
      columns={picking ? [pickColumn(runs ?? [], picking), ...columns] : columns}
      rows={runs}
      keyOf={({ id }) => id}
      empty={empty}
    />
  );
}

export const flowIdsOf = (runs: readonly FlowRun[]): string[] =>
  [...new Set(runs.map(({ flow_id }) => flow_id))].sort();

function StartOf({ run }: { readonly run: FlowRun }): JSX.Element {
  return <Ago time={run.start_time ?? run.expected_start_time} />;
}

const TAGS: Column<FlowRun> = {
  title: "Tags",
  look: "wide",
  cell: ({ tags }) => <Tags tags={tags.slice(0, 3)} />,
};

const TOOK: Column<FlowRun> = {
  title: "Took",
  look: "wide end",
  cell: ({ estimated_run_time, start_time }) => (
    <span className="num nowrap">{start_time ? lasting(estimated_run_time) : "–"}</span>
  ),
};

function pickColumn(runs: readonly FlowRun[], { picked, onPick }: Picking): Column<FlowRun> {
  const all = runs.length > 0 && runs.every(({ id }) => picked.has(id));
  return {
    title: (
      <input
        type="checkbox"
        aria-label="Pick every run on this page"
        checked={all}
        onChange={() => onPick(new Set(all ? [] : runs.map(({ id }) => id)))}
      />
    ),
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={`Pick ${name}`}
        checked={picked.has(id)}
        onChange={({ target }) => {
          const next = new Set(picked);
          if (target.checked) next.add(id);
          else next.delete(id);
          onPick(next);
        }}
      />
    ),
  };
}
