// A history from what was tallied: runs are looked at only where an interval begins or ends within a minute, and where what they
// come to changes with the time: those that run.

import {
  arraySql,
  type Dialect,
  type Filterable,
  formatMicros,
  parseMicros,
  type Queries,
  type SelectedRows,
  selectFrom,
  sleep,
  type Tally,
} from "@orchestrator/kernel";
import type { StateFigures } from "./history.rules.ts";
import { FIGURES, figuresOf, parsed, type Summed } from "./history.store.ts";
import { batchesOf, type IntervalPiece } from "./pieces.rules.ts";

const SECOND = 1_000_000;

interface Tables {
  readonly list: Filterable;
  readonly tally: Tally;
}

/** Which runs are summed up, and for which pieces. */
interface Batch extends Omit<Summed, "intervals"> {
  readonly pieces: readonly IntervalPiece[];
}

export async function sumTallied(
  queries: Queries,
  tables: Tables,
  { intervals, ...summed }: Summed,
): Promise<StateFigures[]> {
  const figures: StateFigures[] = [];
  for (const pieces of batchesOf(intervals, parseMicros(summed.now))) {
    figures.push(...(await sumBatch(queries, tables, { ...summed, pieces })));
    // Others have their turn in between.
    await sleep(0);
  }
  return added(figures);
}

async function sumBatch(
  queries: Queries,
  { list, tally }: Tables,
  { pieces, ...summed }: Batch,
): Promise<StateFigures[]> {
  const mixed = pieces.filter(({ kind }) => kind === "mixed");
  const whole = pieces.filter(({ kind }) => kind !== "mixed");
  const sums = await Promise.all([
    sumRuns(queries, list, { ...summed, pieces: mixed, isAsked: "is not null" }),
    sumRuns(queries, list, { ...summed, pieces: whole, isAsked: "= 'RUNNING'" }),
    readTally(queries, tally, { ...summed, pieces: whole }),
  ]);
  return sums.flat();
}

async function sumRuns(
  queries: Queries,
  list: Filterable,
  { selection, pieces, now, isAsked }: Batch & { readonly isAsked: string },
): Promise<StateFigures[]> {
  if (pieces.length === 0) return [];
  const query = (rows: SelectedRows): string => {
    const valueOf = pieceValue(rows.dialect);
    const time = `"${list.table}".expected_start_time`;
    const isWithin = `${time} >= ${valueOf("from")} and ${time} < ${valueOf("until")}`;
    const given = pieces.map(({ interval, from, until }) => ({
      interval,
      from: formatMicros(from),
      until: formatMicros(until),
    }));
    return summedByPiece(
      rows,
      given,
      `${figuresOf(list, rows, now)} from "${list.table}" where ${rows.where} and ${isWithin} and state_type ${isAsked}`,
    );
  };
  return parsed(await selectFrom(queries, list, { selection, query }));
}

async function readTally(
  queries: Queries,
  tally: Tally,
  { selection, pieces, now }: Batch,
): Promise<StateFigures[]> {
  if (pieces.length === 0) return [];
  const query = (rows: SelectedRows): string => {
    const { where, bind, dialect } = rows;
    const valueOf = pieceValue(dialect);
    const isWithin = `minute >= ${valueOf("from")} and minute < ${valueOf("until")}`;
    const moment = `cast(${bind(parseMicros(now))} as bigint)`;
    const given = pieces.map(({ interval, from, until, kind }) => ({
      interval,
      from: minuteAt(from),
      until: minuteAt(until),
      kind,
    }));
    // Whoever waits is late since the time it was expected to start at, which is so far into its minute.
    const waited =
      `case when waiting <> 0 and ${valueOf("kind")} = 'past' ` +
      `then waiting * (${moment} - ${dialect.micros("(minute || ':00.000000Z')")}) - waiting_offset else 0 end`;
    return summedByPiece(
      rows,
      given,
      `state_type, state_name, sum(runs) as count_runs, ${seconds("run_time")} as sum_estimated_run_time, ` +
        `${seconds(`lateness + ${waited}`)} as sum_estimated_lateness ` +
        `from "${tally.table}" where ${where} and ${isWithin} and state_type not in ('', 'RUNNING')`,
      // What was noted since may have taken the last away.
      "having sum(runs) <> 0",
    );
  };
  const { filter } = selection;
  return parsed(await selectFrom(queries, tally, { selection: { filter }, query }));
}

/** Whole microseconds of very many runs are more than an integer holds. */
const seconds = (micros: string): string =>
  `sum(cast(${micros} as double precision)) / ${SECOND}.0`;

const pieceValue =
  (dialect: Dialect) =>
  (name: string): string =>
    dialect.textAt("piece.value", name);

const minuteAt = (micros: number): string => formatMicros(micros).slice(0, 16);

/** Each piece is grouped by itself: all at once would be sorted by piece and state first, which costs several times as much. */
function summedByPiece(
  { dialect, bind }: SelectedRows,
  pieces: readonly object[],
  figures: string,
  having = "",
): string {
  const interval = `cast(${pieceValue(dialect)("interval")} as integer)`;
  const grouped = `select ${interval} as "interval", sums.* from (select ${figures} group by state_type, state_name ${having}) sums`;
  const records = `select ${dialect.joined("figure")} from (select ${dialect.recordJson(FIGURES, "figures")} as figure from (${grouped}) figures) records`;
  const given = bind(dialect.list(pieces.map((piece) => JSON.stringify(piece))));
  return arraySql(
    dialect,
    `select (${records}) as record from ${dialect.valuesOf(given, "piece")}`,
  );
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
