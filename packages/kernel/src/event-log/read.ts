import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";
import { type Gap, pickReadable } from "./gaps.ts";

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

const selectAfter = systemStatement<{ after: number; limit: number }>()((db, p, dialect) =>
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
    .$if(!dialect.commitsInOrder, (query) =>
      query.select(sql<string>`pg_snapshot_xmin(pg_current_snapshot())::text`.as("oldest_running")),
    )
    .where("position", ">", p.after)
    .orderBy("position")
    .limit(p.limit),
);

const selectFreshTransactionId = systemStatement()((db) =>
  db.selectNoFrom(sql<string>`pg_current_xact_id()::text`.as("id")),
);

const selectHead = systemStatement()((db) =>
  db
    .selectFrom("events")
    .select((e) => e.fn.coalesce(e.fn.max("position"), sql<number>`0`).as("position")),
);

/** The highest position that can be seen now; later ones may appear below it while writers are under way. */
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
  let gap: Gap | null = null;

  const readOnce = async (after: number, limit: number) => {
    const rows = await db.system.all(selectAfter, { after, limit });
    const oldestRunning = BigInt(rows[0]?.oldest_running ?? 0);
    const positions = rows.map(({ position }) => position);
    const { deliver, isBlocked } = pickReadable(after, positions, { gap, oldestRunning });
    const [firstSeen = after] = positions;
    return {
      readable: rows.slice(0, deliver),
      isBlocked,
      firstSeen,
      lastSeen: positions.at(-1) ?? after,
    };
  };

  return {
    async next(after, limit) {
      if (db.dialect.commitsInOrder) return db.system.all(selectAfter, { after, limit });
      const first = await readOnce(after, limit);
      if (!first.isBlocked || first.readable.length > 0) return first.readable;
      // Most gaps are positions that were rolled back: a second look after taking a number settles them.
      // A gap that is watched already keeps its number, or steady traffic would put off its end for ever.
      if (gap === null || gap.upTo < first.firstSeen) gap = await watchGaps(db, first.lastSeen);
      return (await readOnce(after, limit)).readable;
    },
  };
}

async function watchGaps(db: Database, upTo: number): Promise<Gap> {
  const row = await db.system.get(selectFreshTransactionId, {});
  return { upTo, holdersBelow: BigInt(row?.id ?? 0) };
}
