import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";
import { narrowGap, type PositionGap, pickReadable } from "./gaps.ts";

export interface LoggedEvent {
  readonly position: number;
  readonly workspace_id: string;
  readonly id: string;
  readonly occurred: string;
  readonly received: string;
  readonly event: string;
  readonly resource_id: string;
  readonly body: string;
}

const selectAfter = systemStatement<{ after: number; limit: number }>()((db, p) =>
  db
    .selectFrom("events")
    .select([
      "position",
      "workspace_id",
      "id",
      "occurred",
      "received",
      "event",
      "resource_id",
      "body",
    ])
    .where("position", ">", p.after)
    .orderBy("position")
    .limit(p.limit),
);

const selectWriters = systemStatement()((db) =>
  db
    .selectFrom(
      sql<{ transaction: string }>`(
        select virtualtransaction as transaction from pg_locks
        where locktype = 'relation' and relation = 'events'::regclass and mode = 'RowExclusiveLock' and granted
          and database = (select oid from pg_database where datname = current_database())
      )`.as("writers"),
    )
    .select("writers.transaction"),
);

const selectHead = systemStatement()((db) =>
  db
    .selectFrom("events")
    .select((e) => e.fn.coalesce(e.fn.max("position"), sql<number>`0`).as("position")),
);

/**
 * The highest position that can be seen now; later ones may appear below it while writers are under
 * way.
 */
export async function readHead(db: Database): Promise<number> {
  const row = await db.system.get(selectHead, {});
  return row?.position ?? 0;
}

/** Reads the log in order: nothing before its commit, nothing skipped, nothing twice. */
export interface LogFollower {
  /** The next events after `after`, oldest first; empty when there is nothing to deliver yet. */
  readonly next: (after: number, limit: number) => Promise<LoggedEvent[]>;
}

export function followLog(db: Database): LogFollower {
  let gap: PositionGap | null = null;
  let settledUpTo = 0;

  const readOnce = async (after: number, limit: number) => {
    const rows = await db.system.all(selectAfter, { after, limit });
    const positions = rows.map(({ position }) => position);
    const { deliver, isBlocked } = pickReadable(after, positions, settledUpTo);
    return { readable: rows.slice(0, deliver), isBlocked, positions };
  };

  /** Most gaps are positions that were rolled back; then nobody is left who could fill them. */
  const settle = async ([firstSeen = 0, ...others]: readonly number[]): Promise<boolean> => {
    const running = await readWriters(db);
    // A gap that is watched already keeps its writers, or steady traffic would put off its end for
    // ever.
    if (gap === null || gap.upTo < firstSeen) {
      gap = { upTo: others.at(-1) ?? firstSeen, writers: running };
    }
    const { upTo } = gap;
    gap = narrowGap(gap, running);
    if (gap !== null) return false;
    settledUpTo = upTo;
    return true;
  };

  return {
    async next(after, limit) {
      if (db.dialect.commitsInOrder) return db.system.all(selectAfter, { after, limit });
      const first = await readOnce(after, limit);
      if (!first.isBlocked || first.readable.length > 0) return first.readable;
      // The second look comes after the writers were seen to have ended, so it sees what they left.
      return (await settle(first.positions)) ? (await readOnce(after, limit)).readable : [];
    },
  };
}

async function readWriters(db: Database): Promise<Set<string>> {
  const rows = await db.system.all(selectWriters, {});
  return new Set(rows.map(({ transaction }) => transaction));
}
