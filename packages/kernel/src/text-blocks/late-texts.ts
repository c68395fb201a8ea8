// Blocks are made of what is older than `BLOCK_AGE_MICROS`. Whoever writes a row with a time more than `LATE_MICROS` ago notes that, in
// the same transaction: its time may be in a block already, or in one that is being made. The marks of what a note touches say nothing until the
// block is made anew. In between lie five minutes for what nobody can see: clocks of servers that differ, and the time from when a writer
// looked at its clock until its rows can be seen. (A write waits for seconds at most. A clock that was set back is seen by the loop.)

import { formatMicros, parseMicros } from "../clock/timestamp.ts";
import type { Transaction } from "../storage/database.ts";
import { rowInsert } from "../storage/insert-rows.ts";

const MINUTE_MICROS = 60_000_000;
const LATE_MICROS = 10 * MINUTE_MICROS;
export const BLOCK_AGE_MICROS = 15 * MINUTE_MICROS;

/** Late times that are no further apart are noted together. */
const APART_MICROS = MINUTE_MICROS;

interface LateTexts {
  readonly source: string;
  readonly since: string;
  readonly until: string;
}

const insertNotes = rowInsert<LateTexts, object>({
  table: "late_texts",
  shared: {},
  columns: { source: "text", since: "time", until: "time" },
  skipsKnown: false,
});

interface Written {
  /** When, by the clock of the writer. */
  readonly now: string;
  readonly times: readonly string[];
}

/** Notes which times of rows that this transaction adds are late. */
export function noteLateTexts(tx: Transaction, source: string, { now, times }: Written): void {
  const before = formatMicros(parseMicros(now) - LATE_MICROS);
  if (times.every((time) => time >= before)) return;
  const late = times.filter((time) => time < before).toSorted();
  const notes: { source: string; since: string; until: string }[] = [];
  for (const time of late) {
    const last = notes.at(-1);
    if (last !== undefined && parseMicros(time) - parseMicros(last.until) <= APART_MICROS)
      last.until = time;
    else notes.push({ source, since: time, until: time });
  }
  if (notes.length > 0) insertNotes(tx, {}, notes);
}

/** So much of a time names the ten minutes that it is in. */
const TEN_MINUTES = "2026-11-14T09:0".length;

/** Tells of nearly every row that is not late, without any calculating; of some it does not. */
export const isRecent = (time: string, now: string): boolean =>
  time >= now || time.startsWith(now.slice(0, TEN_MINUTES));
