// A history from what was tallied: runs are looked at only where an interval begins or ends within a minute, and where what they
// come to changes with the time: those that run.

import {
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
import { FIGURES, parsed, recordsOf, type Summed, sumByInterval } from "./history.store.ts";
import { type Piece, piecesOf } from "./pieces.rules.ts";

const SECOND = 1_000_000;

export async function sumTallied(
  queries: Queries,
  tables: { readonly list: Filterable; readonly tally: Tally },
  { intervals, ...summed }: Summed,
): Promise<StateFigures[]> {
  const { start, length, count } = intervals;
  const sums: StateFigures[] = [];
  for (let interval = 0; interval < count; interval += 1) {
    const from = start + interval * length;
    const figures: StateFigures[] = [];
    for (const piece of piecesOf(from, from + length, parseMicros(summed.now)))
      figures.push(...(await sumPiece(queries, tables, { ...summed, piece })));
    for (const sum of added(figures)) sums.push({ ...sum, interval });
    // Others have their turn in between.
    await sleep(0);
  }
  return sums;
}

async function sumPiece(
  queries: Queries,
  { list, tally }: { readonly list: Filterable; readonly tally: Tally },
  { piece, ...summed }: Omit<Summed, "intervals"> & { readonly piece: Piece },
): Promise<StateFigures[]> {
  const intervals = { start: piece.from, length: piece.until - piece.from, count: 1 };
  if (piece.kind === "mixed") return sumByInterval(queries, list, { ...summed, intervals });
  const [tallied, running] = await Promise.all([
    readTally(queries, tally, { ...summed, piece }),
    sumByInterval(queries, list, { ...summed, intervals, stateType: "RUNNING" }),
  ]);
  return [...tallied, ...running];
}

async function readTally(
  queries: Queries,
  tally: Tally,
  { selection, piece, now }: Omit<Summed, "intervals"> & { readonly piece: Piece },
): Promise<StateFigures[]> {
  const query = ({ where, bind, dialect }: SelectedRows): string => {
    const isWithin = `minute >= ${bind(minuteAt(piece.from))} and minute < ${bind(minuteAt(piece.until))}`;
    // Whoever waits is late since the time it was expected to start at, which is so far into its minute.
    const waited =
      piece.kind === "past"
        ? ` + waiting * (${bind(parseMicros(now))} - unixepoch(minute || ':00') * ${SECOND}) / ${SECOND}.0 - waiting_offset / ${SECOND}.0`
        : "";
    return recordsOf(
      { fields: FIGURES, dialect },
      `select 0 as "interval", state_type, state_name, sum(runs) as count_runs, ` +
        `sum(run_time / ${SECOND}.0) as sum_estimated_run_time, ` +
        `sum(lateness / ${SECOND}.0${waited}) as sum_estimated_lateness ` +
        `from "${tally.table}" where ${where} and ${isWithin} and state_type not in ('', 'RUNNING') group by state_type, state_name`,
    );
  };
  const { filter } = selection;
  return parsed(await selectFrom(queries, tally, { selection: { filter }, query }));
}

const minuteAt = (micros: number): string => formatMicros(micros).slice(0, 16);

/** One for each state, in their order. */
function added(figures: readonly StateFigures[]): StateFigures[] {
  const sums = new Map<string, StateFigures>();
  for (const figure of figures) {
    const key = `${figure.state_type} ${figure.state_name}`;
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
