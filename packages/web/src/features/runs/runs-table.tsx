import type { FlowRun } from "@orchestrator/contract";
import { useQuery } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { flowNamesQuery } from "../../api/names.ts";
import { durationLabel } from "../../lib/time.ts";
import { TagChips } from "../../ui/surface.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { nameColumn, START_COLUMN, STATE } from "./run-columns.tsx";

export interface Picking {
  readonly picked: ReadonlySet<string>;
  readonly onPick: (ids: ReadonlySet<string>) => void;
}

export function RunsTable({
  runs,
  empty,
  picking,
  isOfOneFlow = false,
}: {
  readonly runs: readonly FlowRun[] | undefined;
  readonly empty: ReactNode;
  readonly picking?: Picking;
  /** Where all are of a flow that is named beside them, nobody need be told its name. */
  readonly isOfOneFlow?: boolean;
}): JSX.Element {
  const names = useQuery(flowNamesQuery(isOfOneFlow ? [] : flowIdsOf(runs ?? []))).data;
  const flowOf = ({ flow_id }: FlowRun) =>
    isOfOneFlow ? undefined : (names?.get(flow_id) ?? null);
  const columns: Column<FlowRun>[] = [STATE, nameColumn(flowOf), TAGS, START_COLUMN, TOOK];
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

const flowIdsOf = (runs: readonly FlowRun[]): string[] =>
  [...new Set(runs.map(({ flow_id }) => flow_id))].sort();

const TAGS: Column<FlowRun> = {
  title: "Tags",
  look: "wide",
  cell: ({ tags }) => <TagChips tags={tags} most={2} />,
};

const TOOK: Column<FlowRun> = {
  title: "Duration",
  look: "wide end",
  cell: ({ estimated_run_time, start_time }) => (
    <span className="num nowrap">{start_time ? durationLabel(estimated_run_time) : "–"}</span>
  ),
};

function pickColumn(runs: readonly FlowRun[], { picked, onPick }: Picking): Column<FlowRun> {
  const all = runs.length > 0 && runs.every(({ id }) => picked.has(id));
  return {
    title: (
      <input
        type="checkbox"
        aria-label="Select all runs on this page"
        checked={all}
        onChange={() => onPick(new Set(all ? [] : runs.map(({ id }) => id)))}
      />
    ),
    cell: ({ id, name }) => (
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
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
