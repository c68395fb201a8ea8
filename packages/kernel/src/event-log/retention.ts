import { sql } from "kysely";
import type { Clock } from "../clock/clock.ts";
import { formatMicros } from "../clock/timestamp.ts";
import type { Logger } from "../log/logger.ts";
import type { Database } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";
import { readCursors } from "./cursor.ts";
import { findPosition } from "./find-position.ts";
import { createSetRetention } from "./related-retention.ts";
import { type EventRetention, readRetention } from "./retention-by-name.ts";

/**
 * How much of the log goes at once. On SQLite other writers wait for it: some ten milliseconds,
 * more where the disk is slow.
 */
const PIECE = { here: 250, remote: 1000 };
const DAY_MICROS = 86_400_000_000;
/** A pass ends after this, however much is left; the next one goes on. */
const PASS_MICROS = 60_000_000;

interface Range {
  readonly after: number;
  readonly upTo: number;
}

const selectRange = systemStatement<Range & { limit: number }>()((db, p) =>
  db
    .selectFrom("events")
    .select(["position", "received", "event"])
    .where("position", ">", p.after)
    .where("position", "<=", p.upTo)
    .orderBy("position")
    .limit(p.limit),
);

/** `kept` is a JSON array of what stays of the range. */
const deleteRange = systemStatement<Range & { kept: string }>()((db, p, dialect) =>
  db
    .deleteFrom("events")
    .where("position", ">", p.after)
    .where("position", "<=", p.upTo)
    .where(
      sql<boolean>`position not in (select kept.position from ${dialect.rowsFrom({ position: "integer" }, p.kept)} kept)`,
    ),
);

export interface RetentionOptions extends EventRetention {
  /** Expired events wait so long for a reader of the log that does not move. */
  readonly unreadMs: number;
}

interface Host {
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Deletes expired events in small transactions, never one that a reader has still to see. Each span
 * of keeping goes through the log once, behind the others, and remembers how far it has come; a
 * restart begins at the start. A piece of the log goes as a whole, but for what is kept longer.
 */
export function createEventRetention(
  db: Database,
  { clock, log }: Host,
  options: RetentionOptions,
): (signal: AbortSignal) => Promise<number> {
  const { keepMsOf, spans } = readRetention(options);
  const sweptUpTo = new Map<number, number>();
  const readSeenByAll = createCursorWatch(db, log, options);
  const deleteSets = createSetRetention(db);
  const piece = db.dialect.isRemote ? PIECE.remote : PIECE.here;

  /** The next piece of one span's way; tells whether it has come to the end of what has expired. */
  const sweep = async (span: number, end: number, cutoffs: ReadonlyMap<number, string>) => {
    const after = sweptUpTo.get(span) ?? 0;
    const rows = await db.system.all(selectRange, { after, upTo: end, limit: piece });
    const isExpired = (row: (typeof rows)[number]): boolean =>
      row.received < (cutoffs.get(keepMsOf(row.event)) ?? "");
    // Times and positions differ a little in their order; what is passed over is not looked at
    // again.
    const waits = rows.findIndex((row) => keepMsOf(row.event) === span && !isExpired(row));
    const passed = waits === -1 ? rows : rows.slice(0, waits);
    const upTo = passed.at(-1)?.position ?? after;
    const kept = passed.filter((row) => !isExpired(row)).map(({ position }) => ({ position }));
    const range = { after, upTo, kept: JSON.stringify(kept) };
    const deleted =
      kept.length === passed.length ? 0 : await db.writeSystem((tx) => tx.run(deleteRange, range));
    sweptUpTo.set(span, upTo);
    return { deleted, isDone: passed.length < piece };
  };

  return async (signal) => {
    const now = clock.nowMicros();
    const seenByAll = await readSeenByAll(now);
    const cutoffs = new Map(spans.map((span) => [span, formatMicros(now - span * 1000)]));
    const ends = new Map<number, number>();
    for (const [span, cutoff] of cutoffs)
      ends.set(span, Math.min(seenByAll, await findPosition(db, cutoff)));
    let deleted = 0;
    let left = spans;
    const isOver = (): boolean => signal.aborted || clock.nowMicros() > now + PASS_MICROS;
    while (left.length > 0 && !isOver()) {
      const unfinished: number[] = [];
      for (const span of left) {
        if (isOver()) break;
        const swept = await sweep(span, ends.get(span) ?? 0, cutoffs);
        deleted += swept.deleted;
        if (!swept.isDone) unfinished.push(span);
      }
      left = unfinished;
    }
    // A day more: by then hardly an event of their day can be on its way.
    if (!isOver()) await deleteSets(formatMicros(now - options.keepMs * 1000 - DAY_MICROS), signal);
    return deleted;
  };
}

/**
 * Tells up to where every reader has seen the log, without those that have not moved for too long.
 */
function createCursorWatch(
  db: Database,
  log: Logger,
  { keepMs, unreadMs }: RetentionOptions,
): (now: number) => Promise<number> {
  /** Said once a day. */
  const warned = new Map<string, number>();
  const warn = (now: number, reader: { name: string; since: string }, text: string): void => {
    const about = `${reader.name}: ${text}`;
    const before = warned.get(about);
    if (before !== undefined && now - before < DAY_MICROS) return;
    warned.set(about, now);
    log.warn(reader, text);
  };
  return async (now) => {
    let seenByAll = Number.MAX_SAFE_INTEGER;
    for (const { name, position, updated, unread_since } of await readCursors(db)) {
      // One that moves is alive, however far behind it is; one that has seen everything need not
      // move.
      const since = unread_since !== null && unread_since > updated ? unread_since : updated;
      const stands = (ms: number): boolean =>
        unread_since !== null && since < formatMicros(now - ms * 1000);
      if (stands(Math.max(unreadMs, keepMs))) {
        warn(now, { name, since }, "Events are deleted that a reader of the log has not seen");
        continue;
      }
      if (stands(keepMs))
        warn(now, { name, since }, "Expired events are kept for a reader that does not move");
      seenByAll = Math.min(seenByAll, position);
    }
    return seenByAll;
  };
}
