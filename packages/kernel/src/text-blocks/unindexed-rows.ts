// Blocks are made of what is older than `BLOCK_AGE_MICROS`. Whoever writes a row with a time more
// than `LATE_MICROS` ago notes that, in the same transaction: its time may be in a block already,
// or in one that is being made. The marks of what a note touches say nothing until the block is
// made anew. In between lie five minutes for what nobody can see: clocks of servers that differ,
// and the time from when a writer looked at its clock until its rows can be seen. (A write waits
// for seconds at most. A clock that was set back is seen by the loop.)

import { formatMicros, parseMicros } from "../clock/timestamp.ts";
import type { Transaction } from "../storage/database.ts";
import { rowInsert } from "../storage/insert-rows.ts";

const MINUTE_MICROS = 60_000_000;
const LATE_MICROS = 10 * MINUTE_MICROS;
export const BLOCK_AGE_MICROS = 15 * MINUTE_MICROS;

/** Late times that are no further apart are noted together. */
const APART_MICROS = MINUTE_MICROS;
/**
 * Where they would be more, times further apart are noted together, too: rows from all over a time
 * touch all of its blocks anyway.
 */
const MOST_NOTES = 16;

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
export function recordUnindexedRows(
  tx: Transaction,
  source: string,
  { now, times }: Written,
): void {
  const before = formatMicros(parseMicros(now) - LATE_MICROS);
  if (times.every((time) => time >= before)) return;
  const late = times.filter((time) => time < before).toSorted();
  let apart = APART_MICROS;
  let notes = notesOf(late, apart);
  while (notes.length > MOST_NOTES) notes = notesOf(late, (apart *= 4));
  insertNotes(
    tx,
    {},
    notes.map((note) => ({ source, ...note })),
  );
}

/** Times in their order, those together that are no further apart. */
function notesOf(times: readonly string[], apart: number): { since: string; until: string }[] {
  const notes: { since: string; until: string }[] = [];
  for (const time of times) {
    const last = notes.at(-1);
    if (last !== undefined && parseMicros(time) - parseMicros(last.until) <= apart)
      last.until = time;
    else notes.push({ since: time, until: time });
  }
  return notes;
}

/** So much of a time names the ten minutes that it is in. */
const TEN_MINUTES = "2026-11-14T09:0".length;

/** Tells of nearly every row that is not late, without any calculating; of some it does not. */
export const isRecent = (time: string, now: string): boolean =>
  time >= now || time.startsWith(now.slice(0, TEN_MINUTES));
