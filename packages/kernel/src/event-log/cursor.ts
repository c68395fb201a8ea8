import { sql } from "kysely";
import type { Clock } from "../clock/clock.ts";
import type { Database, SystemTransaction } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";
import { followLog, type LoggedEvent, readHead } from "./read.ts";

/** Something that must see every event exactly once, across restarts and replicas. */
export interface LogConsumer {
  /** Names the durable cursor; changing it starts over. */
  readonly name: string;
  readonly batchSize: number;
  /**
   * How many of the events, from the first on, one transaction is to handle; all of them where it
   * is not said.
   */
  readonly takes?: (events: readonly LoggedEvent[]) => number;
  /**
   * What it writes commits together with the cursor, so a crash repeats the batch or none of it.
   */
  readonly handle: (tx: SystemTransaction, events: readonly LoggedEvent[]) => Promise<void>;
}

const selectCursor = systemStatement<{ name: string }>()((db, p) =>
  db.selectFrom("log_cursors").select("position").where("name", "=", p.name),
);

const insertCursor = systemStatement<{ name: string; position: number; updated: string }>()(
  (db, p) =>
    db
      .insertInto("log_cursors")
      .values({ name: p.name, position: p.position, updated: p.updated })
      .onConflict((conflict) => conflict.column("name").doNothing()),
);

interface CursorMove {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly updated: string;
}

const moveCursor = systemStatement<CursorMove>()((db, p) =>
  db
    .updateTable("log_cursors")
    .set({ position: p.to, updated: p.updated })
    .where("name", "=", p.name)
    .where("position", "=", p.from),
);

const selectCursorStates = systemStatement()((db) =>
  db
    .selectFrom("log_cursors")
    .select((e) => [
      "name",
      "position",
      "updated",
      e
        .selectFrom("events")
        .select("events.received")
        .whereRef("events.position", ">", "log_cursors.position")
        .orderBy("events.position")
        .limit(1)
        .as("unread_since"),
    ])
    .orderBy("name"),
);

/**
 * How far each consumer has come, when it last moved, and when the first event it has not seen was
 * received.
 */
export function readCursors(db: Database): Promise<
  {
    readonly name: string;
    readonly position: number;
    readonly updated: string;
    readonly unread_since: string | null;
  }[]
> {
  return db.system.all(selectCursorStates, {});
}

const selectCursors = systemStatement()((db) =>
  db.selectFrom("log_cursors").select(["name", "position"]),
);

/** How many events each consumer has still to handle. */
export async function readLags(
  db: Database,
): Promise<{ readonly name: string; readonly lag: number }[]> {
  const [head, cursors] = await Promise.all([readHead(db), db.system.all(selectCursors, {})]);
  return cursors.map(({ name, position }) => ({ name, lag: Math.max(0, head - position) }));
}

const selectUnread = systemStatement<{ name: string }>()((db, p) =>
  db
    .selectFrom("events")
    .select("received")
    .where("position", ">", (e) =>
      e.fn.coalesce(
        e.selectFrom("log_cursors").select("log_cursors.position").where("name", "=", p.name),
        sql<number>`0`,
      ),
    )
    .orderBy("position")
    .limit(1),
);

/**
 * When the first event was received that the consumer has still to handle; null when it has seen
 * them all.
 */
export async function readUnreadSince(db: Database, name: string): Promise<string | null> {
  return (await db.system.get(selectUnread, { name }))?.received ?? null;
}

/** Thrown inside a batch when another replica has moved the cursor: the batch was theirs. */
class CursorMoved extends Error {}

export interface LogReader {
  /**
   * Handles what is there, batch after batch, until nothing is left or the signal fires; tells how
   * many events it handled.
   */
  readonly drain: (signal: AbortSignal) => Promise<number>;
}

export function createLogReader(db: Database, clock: Clock, consumer: LogConsumer): LogReader {
  const follower = followLog(db);

  const readPosition = async (): Promise<number> => {
    const known = await db.system.get(selectCursor, { name: consumer.name });
    if (known !== undefined) return known.position;
    // A new consumer begins with the first event there is.
    await db.writeSystem((tx) =>
      tx.run(insertCursor, { name: consumer.name, position: 0, updated: clock.now() }),
    );
    return 0;
  };

  /** Where it stood when it was last here; its next move fails if that is no longer so. */
  let position: number | null = null;
  /** Read behind that place, and not handled yet. */
  let ahead: readonly LoggedEvent[] = [];

  const handleBatch = async (): Promise<number> => {
    const known = position === null ? [] : ahead;
    const from = position ?? (await readPosition());
    position = null;
    const read = known.length > 0 ? known : await follower.next(from, consumer.batchSize);
    const taken = Math.max(1, consumer.takes?.(read) ?? read.length);
    const events = read.slice(0, taken);
    const to = events.at(-1)?.position ?? from;
    if (to > from)
      await db.writeSystem(async (tx) => {
        const move = { name: consumer.name, from, to, updated: clock.now() };
        if ((await tx.run(moveCursor, move)) === 0) throw new CursorMoved();
        await consumer.handle(tx, events);
      });
    position = to;
    ahead = read.slice(taken);
    return events.length;
  };

  return {
    async drain(signal) {
      let handled = 0;
      while (!signal.aborted) {
        try {
          const count = await handleBatch();
          if (count === 0) break;
          handled += count;
        } catch (error) {
          if (!(error instanceof CursorMoved)) throw error;
        }
      }
      return handled;
    },
  };
}
