// A history on an engine in another process, in one statement that writes the answer: whoever
// begins or ends to run meanwhile is not missed, nor there twice. Of the tallies it takes the
// longest stretches that lie in an interval as a whole. Runs are looked at only in the minutes in
// which an interval begins or which is now, and where what they come to changes with the time:
// those that run.

import type { HistoryInterval } from "@orchestrator/contract";
import { type Filterable, type SelectedRows, selectFrom } from "@orchestrator/kernel/lists";
import { parseMicros } from "@orchestrator/kernel/pure";
import type { Dialect, JsonText, Queries } from "@orchestrator/kernel/storage";
import { LAST_MICROS } from "./history.rules.ts";
import { type HistorySelection, historyFiguresOf } from "./history.store.ts";

const SECOND = 1_000_000;
const STATE = "part, state_type, state_name";
const SUMS = ["count_runs", "sum_estimated_run_time", "sum_estimated_lateness"] as const;
const IS_TALLIED = "state_type not in ('', 'RUNNING')";

// What is asked stands in a row of its own: of values that it sees, the database thinks with every
// call which plan is best for them, for half as long as the history takes.
const BOUNDS = "(select bounds from given)";
const FIRST = "(select first from given)";
const LAST = "(select last from given)";
const NOW = "(select now from given)";
const NOW_MICROS = "(select now_micros from given)";
/** The stretches that belong to no interval as a whole. */
const SPLIT = {
  minutes: "(select minutes from given)::text[]",
  tenMinutes: "(select ten_minutes from given)::text[]",
  hours: "(select hours from given)::text[]",
};

type HistoryIntervals = Pick<HistorySelection, "intervals" | "now">;

export async function readRemoteHistory(
  queries: Queries,
  list: Filterable,
  { selection, ...asked }: HistorySelection,
): Promise<JsonText<HistoryInterval[]>> {
  const query = (rows: SelectedRows): string => {
    const values = valuesOf(asked).map((value) => rows.bind(value));
    return remembered(rows.where, () => historySql(rows, list, values));
  };
  return (await selectFrom<{ json: string }>(queries, list, { selection, query }))?.json ?? "[]";
}

/**
 * What is asked of runs decides how the statement is written, which is long; few different things
 * are.
 */
const MOST_REMEMBERED = 100;
const statements = new Map<string, string>();

function remembered(where: string, write: () => string): string {
  const known = statements.get(where);
  if (known !== undefined) return known;
  if (statements.size >= MOST_REMEMBERED) statements.clear();
  const statement = write();
  statements.set(where, statement);
  return statement;
}

/** What is asked, in the order of the values. */
const ASKED = [
  ["start", "bigint"],
  ["length", "bigint"],
  ["count", "integer"],
  ["now", "text"],
  ["now_micros", "bigint"],
] as const;

const valuesOf = ({ intervals: { start, length, count }, now }: HistoryIntervals): unknown[] => [
  start,
  length,
  count,
  now,
  parseMicros(now),
];

function historySql(rows: SelectedRows, list: Filterable, values: readonly string[]): string {
  const asked = ASKED.map(([name, type], n) => `${values[n]}::${type} as ${name}`).join(", ");
  const figures = `${lookedUp(rows, list)} union all ${tallied(rows, list)}`;
  return `with asked as (select ${asked}), bounded as materialized (${BOUNDED}), given as materialized (${GIVEN}) ${answer(figures)}`;
}

/**
 * Where intervals begin and end: one more than there are of them. Seconds by themselves, as all
 * microseconds of far years are more than can be multiplied exactly.
 */
const BOUNDED =
  `select *, array(select to_char(timestamp 'epoch' + micros / ${SECOND} * interval '1 second' + micros % ${SECOND} * interval '1 microsecond', ` +
  `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') from generate_series(0, count) n, least(start + n * length, ${LAST_MICROS}) micros order by n) as bounds from asked`;

/** By how much of a time a stretch is named, and what stands behind that where it begins. */
const STRETCHES = {
  minutes: [16, ":00.000000Z"],
  ten_minutes: [15, "0:00.000000Z"],
  hours: [13, ":00:00.000000Z"],
} as const;

/** With the stretches that belong to no interval as a whole, or are neither over nor to come. */
const GIVEN = `select *, bounds[1] as first, bounds[count + 1] as last, ${Object.entries(STRETCHES)
  .map(
    ([name, [length, rest]]) =>
      `array(select substr(bound, 1, ${length}) from unnest(bounds) bound where substr(bound, ${length + 1}) <> '${rest}' ` +
      `union select substr(now, 1, ${length}) where now >= bounds[1] and now < bounds[count + 1]) as ${name}`,
  )
  .join(", ")} from bounded`;

/** Every interval in its order, with what figures of runs come to in it. */
function answer(figures: string): string {
  const states = `select ${STATE}, ${SUMS.map((sum) => `sum(${sum}) as ${sum}`).join(", ")} from (${figures}) figures group by ${STATE} having sum(count_runs) <> 0`;
  const sums = SUMS.map((sum) => `',"${sum}":', ${sum}`).join(", ");
  const state = `concat('{"state_type":', to_json(state_type), ',"state_name":', coalesce(to_json(state_name)::text, 'null'), ${sums}, '}')`;
  const parts = `select part, string_agg(${state}, ',' order by state_type, state_name) as states from (${states}) states group by part`;
  const interval = `concat('{"interval_start":"', ${BOUNDS}[n], '","interval_end":"', ${BOUNDS}[n + 1], '","states":[', states, ']}')`;
  return `select concat('[', string_agg(${interval}, ',' order by n), ']') as json from generate_series(1, cardinality(${BOUNDS}) - 1) n left join (${parts}) parts on part = n`;
}

/** Which interval a time is in, counted from 1. */
const partOf = (time: string): string => `width_bucket(${time}, ${BOUNDS})`;

/** A time, or a shorter stretch, begins with the name of a stretch. */
const isIn = (name: string, stretch: string): string =>
  `${name} >= ${stretch} and ${name} < ${stretch} || '~'`;

/** What the runs themselves come to. */
function lookedUp({ where, dialect }: SelectedRows, list: Filterable): string {
  const time = `"${list.table}".expected_start_time`;
  const runs = `select ${partOf(time)} as part, ${historyFiguresOf(list, dialect, NOW)} from "${list.table}" where ${where}`;
  const ofMinute = `${runs} and ${isIn(time, "asked.minute")} and state_type <> 'RUNNING' group by ${STATE}`;
  return (
    `select runs.* from unnest(${SPLIT.minutes}) asked (minute) cross join lateral (${ofMinute}) runs union all ` +
    `${runs} and ${time} >= ${FIRST} and ${time} < ${LAST} and state_type = 'RUNNING' group by ${STATE}`
  );
}

/**
 * Minutes of the ten that are split, ten minutes of the hours that are, and whole hours; and what
 * is not added up yet.
 */
function tallied({ where, dialect }: SelectedRows, { table }: Filterable): string {
  const of = (tallies: string): string =>
    `select * from ${tallies} "${table}" where ${where} and ${IS_TALLIED}`;
  // `offset 0` has each stretch looked up by itself, however many there seem to be.
  const ofEach = (longer: string, stretch: string, tallies: string): string =>
    `unnest(${longer}) asked (longer) cross join lateral (${of(tallies)} and ${isIn(`"${table}".${stretch}`, "asked.longer")} offset 0) sums`;
  const whole = (stretch: string, rest: string, { from, split }: { from: string; split: string }) =>
    `select ${tallyFigures(dialect, stretch, rest)} from ${from} where ${stretch} <> all (${split})`;
  const tens = "(select * from flow_run_coarse_sums where length = 15)";
  const hours = "(select * from flow_run_coarse_sums where length = 13)";
  const all = [
    whole("minute", ":00Z", {
      from: ofEach(SPLIT.tenMinutes, "minute", "flow_run_sums"),
      split: SPLIT.minutes,
    }),
    whole("stretch", "0:00Z", {
      from: ofEach(SPLIT.hours, "stretch", tens),
      split: SPLIT.tenMinutes,
    }),
    whole("stretch", ":00:00Z", {
      from: `(${of(hours)} and stretch >= substr(${FIRST}, 1, 13) and stretch < ${LAST}) sums`,
      split: SPLIT.hours,
    }),
    whole("minute", ":00Z", {
      from: `(${of("flow_run_noted")} and minute >= substr(${FIRST}, 1, 16) and minute < ${LAST}) sums`,
      split: SPLIT.minutes,
    }),
  ];
  return (
    `select ${STATE}, sum(runs), cast(sum(run_time) as double precision) / ${SECOND}.0, ` +
    `(cast(sum(lateness) as double precision) + sum(waited)) / ${SECOND}.0 from (${all.join(" union all ")}) tallied group by ${STATE}`
  );
}

/**
 * A stretch that is not split is in the interval in which it ends. Whoever waits is late since the
 * time it was expected to start at, which is so far into it.
 */
function tallyFigures(dialect: Dialect, stretch: string, rest: string): string {
  const begin = dialect.micros(`${stretch} || '${rest}'`);
  const waited = `case when waiting <> 0 and ${stretch} < ${NOW} then cast(waiting as double precision) * (${NOW_MICROS} - ${begin}) - waiting_offset else 0 end`;
  return `${partOf(`${stretch} || '~'`)} as part, state_type, state_name, runs, run_time, lateness, ${waited} as waited`;
}
