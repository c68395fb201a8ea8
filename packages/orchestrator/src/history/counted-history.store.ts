// A history from what was tallied on the engine inside this process: runs are looked at only where
// an interval begins or ends within a minute, and where what they come to changes with the time:
// those that run.

import {
  type Filterable,
  type RowCounter,
  type SelectedRows,
  selectFrom,
} from "@orchestrator/kernel/lists";
import { formatMicros, parseMicros, sleep } from "@orchestrator/kernel/pure";
import { arraySql, type Dialect, type Queries, recordText } from "@orchestrator/kernel/storage";
import type { StateFigures } from "./history.rules.ts";
import {
  HISTORY_FIGURES,
  type HistorySelection,
  historyFiguresOf,
  parseJsonRows,
} from "./history.store.ts";
import { batchesOf, type IntervalPart } from "./interval-parts.rules.ts";

const SECOND = 1_000_000;

interface Tables {
  readonly list: Filterable;
  readonly tally: RowCounter;
}

/** Which runs are summed up, and for which pieces. */
interface Batch extends Omit<HistorySelection, "intervals"> {
  readonly pieces: readonly IntervalPart[];
}

export async function sumCounters(
  queries: Queries,
  tables: Tables,
  { intervals, ...summed }: HistorySelection,
): Promise<StateFigures[]> {
  const figures: StateFigures[] = [];
  for (const pieces of batchesOf(intervals, parseMicros(summed.now))) {
    figures.push(...(await sumBatch(queries, tables, { ...summed, pieces })));
    // Others have their turn in between.
    await sleep(0);
  }
  return added(figures);
}

/** In one statement: whoever begins or ends to run meanwhile is not missed, nor there twice. */
async function sumBatch(
  queries: Queries,
  { list, tally }: Tables,
  { selection, pieces, now }: Batch,
): Promise<StateFigures[]> {
  const mixed = pieces.filter(({ kind }) => kind === "mixed");
  const whole = pieces.filter(({ kind }) => kind !== "mixed");
  const query = (rows: SelectedRows): string => {
    const figures = historyFiguresOf(list, rows.dialect, rows.bind(now));
    const runs = (given: readonly IntervalPart[], isAsked: string): string =>
      given.length === 0 ? "" : lookedUp(rows, list, { figures, pieces: given, isAsked });
    const parts = [
      runs(mixed, "is not null"),
      runs(whole, "= 'RUNNING'"),
      whole.length === 0 ? "" : talliedByPiece(rows, { list, tally }, { pieces: whole, now }),
    ];
    return arraySql(rows.dialect, parts.filter((part) => part !== "").join(" union all "));
  };
  return parseJsonRows(await selectFrom(queries, list, { selection, query }));
}

interface LookedUp {
  readonly figures: string;
  readonly pieces: readonly IntervalPart[];
  /** Which states they may be in. */
  readonly isAsked: string;
}

/** What the runs themselves come to. */
function lookedUp(
  rows: SelectedRows,
  list: Filterable,
  { figures, pieces, isAsked }: LookedUp,
): string {
  const valueOf = pieceValue(rows.dialect);
  const time = `"${list.table}".expected_start_time`;
  const isWithin = `${time} >= ${valueOf("from")} and ${time} < ${valueOf("until")}`;
  const given = pieces.map(({ interval, from, until }) => ({
    interval,
    from: formatMicros(from),
    until: formatMicros(until),
  }));
  return byPiece(
    rows,
    given,
    `${figures} from "${list.table}" where ${rows.where} and ${isWithin} and state_type ${isAsked} group by state_type, state_name`,
  );
}

interface Tallied {
  readonly pieces: readonly IntervalPart[];
  readonly now: string;
}

/**
 * The tallies go by the name of the runs: what is asked of the runs is asked of columns that both
 * have.
 */
const talliesAsRuns = ({ list, tally }: Tables): string => `"${tally.table}" "${list.table}"`;

const IS_TALLIED = "state_type not in ('', 'RUNNING')";

/**
 * Each piece is grouped by itself: all at once would be sorted by piece and state first, which
 * costs several times as much.
 */
function talliedByPiece(rows: SelectedRows, tables: Tables, { pieces, now }: Tallied): string {
  const valueOf = pieceValue(rows.dialect);
  const isWithin = `minute >= ${valueOf("from")} and minute < ${valueOf("until")}`;
  const isPast = `${valueOf("kind")} = 'past'`;
  const given = pieces.map(({ interval, kind, ...piece }) => ({
    interval,
    kind,
    ...minutesOf(piece),
  }));
  return byPiece(
    rows,
    given,
    `${talliedFigures(rows, now, isPast)} from ${talliesAsRuns(tables)} where ${rows.where} and ${isWithin} and ${IS_TALLIED} group by state_type, state_name`,
  );
}

function talliedFigures({ dialect, bind }: SelectedRows, now: string, isPast: string): string {
  const moment = `cast(${bind(parseMicros(now))} as bigint)`;
  // Whoever waits is late since the time it was expected to start at, which is so far into its
  // minute.
  const waited =
    `case when waiting <> 0 and ${isPast} ` +
    `then cast(waiting as double precision) * (${moment} - ${dialect.micros("(minute || ':00.000000Z')")}) - waiting_offset else 0 end`;
  return (
    `state_type, state_name, sum(runs) as count_runs, ${total("run_time")} / ${SECOND}.0 as sum_estimated_run_time, ` +
    `(${total("lateness")} + sum(${waited})) / ${SECOND}.0 as sum_estimated_lateness`
  );
}

/** Whole microseconds of very many runs are more than an integer holds. */
const total = (micros: string): string => `sum(cast(${micros} as double precision))`;

const pieceValue =
  (dialect: Dialect) =>
  (name: string): string =>
    dialect.textAt("piece.value", name);

type GivenPiece = Readonly<Record<string, string | number>>;

const givenPieces = ({ dialect, bind }: SelectedRows, pieces: readonly GivenPiece[]): string =>
  dialect.valuesOf(bind(dialect.list(pieces.map((piece) => JSON.stringify(piece)))), "piece");

const minutesOf = ({ from, until }: Pick<IntervalPart, "from" | "until">) => ({
  from: formatMicros(from).slice(0, 16),
  until: formatMicros(until).slice(0, 16),
});

function byPiece(rows: SelectedRows, pieces: readonly GivenPiece[], figures: string): string {
  const { dialect } = rows;
  const interval = `cast(${pieceValue(dialect)("interval")} as integer)`;
  const grouped = `select ${interval} as "interval", sums.* from (select ${figures}) sums`;
  const records = `select ${dialect.joined("figure")} from (select ${recordText(dialect, { fields: HISTORY_FIGURES, table: "figures" })} as figure from (${grouped}) figures) records`;
  return `select (${records}) as record from ${givenPieces(rows, pieces)}`;
}

/** One for each interval and state, in their order. */
function added(figures: readonly StateFigures[]): StateFigures[] {
  const sums = new Map<string, StateFigures>();
  for (const figure of figures) {
    const key = `${String(figure.interval).padStart(3, "0")} ${figure.state_type} ${figure.state_name}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? figure : plus(sum, figure));
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

function plus(one: StateFigures, other: StateFigures): StateFigures {
  return {
    ...one,
    count_runs: one.count_runs + other.count_runs,
    sum_estimated_run_time: one.sum_estimated_run_time + other.sum_estimated_run_time,
    sum_estimated_lateness: one.sum_estimated_lateness + other.sum_estimated_lateness,
  };
}
