import type { EndedTaskRuns, StateType } from "@orchestrator/contract";
import {
  type Filterable,
  type SelectedRows,
  type Selection,
  selectFrom,
} from "@orchestrator/kernel/lists";
import { formatMicros, sleep } from "@orchestrator/kernel/pure";
import {
  arraySql,
  type ComputedField,
  type Dialect,
  type Fields,
  type Queries,
  recordText,
  rowSql,
  textOf,
} from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import { ESTIMATED_RUN_TIME, ESTIMATED_START_TIME_DELTA } from "../db/tables/flow-runs.table.ts";
import { TASK_RUN_LIST } from "../lists/task-runs.filter.ts";
import { type Intervals, LAST_MICROS, type StateFigures } from "./history.rules.ts";

export const HISTORY_FIGURES: Fields = {
  interval: "integer",
  state_type: "text",
  state_name: "text",
  count_runs: "integer",
  sum_estimated_run_time: "real",
  sum_estimated_lateness: "real",
};

/** Which runs are summed up, and for which intervals. */
export interface HistorySelection {
  readonly selection: Selection;
  readonly intervals: Intervals;
  readonly now: string;
}

/** What the runs of each interval and state come to, by when they were expected to start. */
export async function sumByInterval(
  queries: Queries,
  list: Filterable,
  { intervals, ...summed }: HistorySelection,
): Promise<StateFigures[]> {
  const figures: StateFigures[] = [];
  for (const { first, ...slice } of slicesOf(intervals, queries.dialect)) {
    if (first > 0) await sleep(0);
    const found = await sumOfSlice(queries, list, { ...summed, intervals: slice });
    for (const figure of found) figures.push({ ...figure, interval: first + figure.interval });
  }
  return figures;
}

/**
 * An engine inside this process gets a few intervals at a time, so that others have their turn in
 * between.
 */
const MAX_SLICES = 50;

function* slicesOf({ start, length, count }: Intervals, { isRemote }: Dialect) {
  const size = isRemote ? count : Math.ceil(count / MAX_SLICES);
  for (let first = 0; first < count; first += size) {
    yield { first, start: start + first * length, length, count: Math.min(size, count - first) };
  }
}

async function sumOfSlice(
  queries: Queries,
  list: Filterable,
  { selection, intervals, now }: HistorySelection,
): Promise<StateFigures[]> {
  const query = (rows: SelectedRows): string => {
    const { where, dialect } = rows;
    const { bucket, isWithin } = bucketsOf(`"${list.table}".expected_start_time`, rows, intervals);
    return recordsOf(
      { fields: HISTORY_FIGURES, dialect },
      `select ${bucket} as "interval", ${historyFiguresOf(list, dialect, rows.bind(now))} ` +
        `from "${list.table}" where ${where} and ${isWithin} and state_type is not null ` +
        `group by "interval", state_type, state_name order by "interval", state_type, state_name`,
    );
  };
  return parseJsonRows(await selectFrom<{ json: string }>(queries, list, { selection, query }));
}

/** What runs come to, as columns of a query that groups them by their states. */
export function historyFiguresOf(list: Filterable, dialect: Dialect, moment: string): string {
  const positive = (field: ComputedField) =>
    textOf(
      dialect,
      dialect.greatest(sql`0`, computed(field, { dialect, table: list.table, moment })),
    );
  return (
    "state_type, state_name, count(*) as count_runs, " +
    `sum(${positive(ESTIMATED_RUN_TIME)}) as sum_estimated_run_time, ` +
    `sum(${positive(ESTIMATED_START_TIME_DELTA)}) as sum_estimated_lateness`
  );
}

/** The mean of how late the runs started, in seconds. */
export async function averageLateness(
  queries: Queries,
  list: Filterable,
  { selection, now }: { selection: Selection; now: string },
): Promise<number | null> {
  const query = ({ where, bind, dialect }: SelectedRows): string => {
    const context = { dialect, table: list.table, moment: bind(now) };
    const lateness = textOf(dialect, computed(ESTIMATED_START_TIME_DELTA, context));
    return `select avg(${lateness}) as lateness from "${list.table}" where ${where}`;
  };
  const row = await selectFrom<{ lateness: number | null }>(queries, list, { selection, query });
  return row?.lateness ?? null;
}

const ENDED: Fields = { interval: "integer", completed: "integer", failed: "integer" };

/** How many task runs that started in each interval have ended, and how. */
export async function countEndedTaskRuns(
  queries: Queries,
  { selection, intervals }: { selection: Selection; intervals: Intervals },
): Promise<(EndedTaskRuns & { readonly interval: number })[]> {
  const query = (rows: SelectedRows): string => {
    const { bucket, isWithin } = bucketsOf("task_runs.start_time", rows, intervals);
    const counted = (types: string) => `sum(case when state_type in (${types}) then 1 else 0 end)`;
    return recordsOf(
      { fields: ENDED, dialect: rows.dialect },
      `select ${bucket} as "interval", ${counted("'COMPLETED'")} as completed, ` +
        `${counted("'FAILED', 'CRASHED'")} as failed from task_runs where ${rows.where} and ${isWithin} ` +
        `and state_type in ('COMPLETED', 'FAILED', 'CRASHED') group by "interval"`,
    );
  };
  return parseJsonRows(
    await selectFrom<{ json: string }>(queries, TASK_RUN_LIST, { selection, query }),
  );
}

const COUNTED: Fields = { state_type: "text", runs: "integer" };

export async function countTaskRunsByState(
  queries: Queries,
  selection: Selection,
): Promise<{ readonly state_type: StateType; readonly runs: number }[]> {
  const query = ({ where, dialect }: SelectedRows): string =>
    recordsOf(
      { fields: COUNTED, dialect },
      `select state_type, count(*) as runs from task_runs where ${where} and state_type is not null group by state_type`,
    );
  return parseJsonRows(
    await selectFrom<{ json: string }>(queries, TASK_RUN_LIST, { selection, query }),
  );
}

/** In which interval a time lies, counted from 0, and the condition that it lies in one. */
function bucketsOf(
  time: string,
  { bind, dialect }: SelectedRows,
  { start, length, count }: Intervals,
) {
  const whole = (value: number) => `cast(${bind(value)} as bigint)`;
  const from = bind(formatMicros(start));
  const until = bind(formatMicros(Math.min(start + count * length, LAST_MICROS)));
  return {
    bucket: count === 1 ? "0" : `(${dialect.micros(time)} - ${whole(start)}) / ${whole(length)}`,
    isWithin: `${time} >= ${from} and ${time} < ${until}`,
  };
}

function computed(
  { expression }: ComputedField,
  { dialect, table, moment }: { dialect: Dialect; table: string; moment: string },
): RawBuilder<unknown> {
  return sql`(${expression(rowSql(dialect, table, sql.raw(moment)))})`;
}

/** A JSON array of the rows of a query that groups. */
function recordsOf(
  { fields, dialect }: { readonly fields: Fields; readonly dialect: Dialect },
  rows: string,
): string {
  const record = recordText(dialect, { fields, table: "figures" });
  return arraySql(dialect, `select ${record} as record from (${rows}) figures`);
}

export function parseJsonRows<T>(row: { readonly json: string } | undefined): T[] {
  return JSON.parse(row?.json ?? "[]") as T[];
}
