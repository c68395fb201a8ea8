// Which process checks which monitors. A monitor's `run_holder` is good while the session of that
// name lasts.

import {
  type Database,
  type Dialect,
  idRows,
  listedIds,
  type SystemTransaction,
  type Transaction,
  unclaimed,
} from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import type { MonitorRow } from "../db/tables/monitors.table.ts";
import { statement, systemStatement } from "../db/tables.ts";

const renew = systemStatement<{ holder: string; ttl_seconds: number }>()((db, p, dialect) =>
  db
    .insertInto("engine_sessions")
    .values({ holder: p.holder, expires: dialect.nowPlusSeconds(p.ttl_seconds) })
    .onConflict((conflict) =>
      conflict.column("holder").doUpdateSet((e) => ({ expires: e.ref("excluded.expires") })),
    ),
);

const dropExpired = systemStatement()((db, _p, dialect) =>
  db.deleteFrom("engine_sessions").where("expires", "<", now(dialect)),
);

export async function renewSession(
  tx: SystemTransaction,
  session: { readonly holder: string; readonly ttl_seconds: number },
): Promise<void> {
  await tx.run(renew, session);
  await tx.run(dropExpired, {});
}

interface Share {
  readonly holder: string;
}

const selectOtherSessions = systemStatement<Share>()((db, p) =>
  db.selectFrom("engine_sessions").select("holder").where("holder", "<>", p.holder),
);

export async function listOtherSessions(
  { system }: Database,
  holder: string,
): Promise<readonly string[]> {
  const sessions = await system.all(selectOtherSessions, { holder });
  return sessions.map((session) => session.holder);
}

const dropSessions = systemStatement<{ holders: string }>()((db, p, dialect) =>
  db
    .deleteFrom("engine_sessions")
    .where("holder", "in", (e) =>
      e
        .selectFrom(dialect.rowsFrom({ holder: "text" }, p.holders).$castTo<Share>().as("listed"))
        .select("listed.holder"),
    ),
);

export async function endSessions(
  tx: SystemTransaction,
  holders: readonly string[],
): Promise<void> {
  await tx.run(dropSessions, { holders: JSON.stringify(holders.map((holder) => ({ holder }))) });
}

const countSessions = systemStatement()((db, _p, dialect) =>
  db
    .selectFrom("engine_sessions")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("expires", ">", now(dialect)),
);

const countMonitors = systemStatement<Share>()((db, p) =>
  db
    .selectFrom("monitors")
    .select((e) => [
      e.fn.countAll<number>().as("all"),
      e.fn.count<number>(e.case().when("run_holder", "=", p.holder).then(1).end()).as("own"),
    ])
    .where("enabled", "=", true),
);

export interface Shares {
  readonly sessions: number;
  /** How many monitors there are to check, and how many of them are held under this name. */
  readonly all: number;
  readonly own: number;
}

export async function readShares({ system }: Database, holder: string): Promise<Shares> {
  const sessions = (await system.get(countSessions, {}))?.count ?? 0;
  const [monitors] = await system.all(countMonitors, { holder });
  const { all, own } = monitors ?? { all: 0, own: 0 };
  return { sessions, all, own };
}

/**
 * Nobody has it, or nobody who is still there. A process that has the database alone knows that
 * nobody is.
 */
export function isUnleased(dialect: Dialect, holder: string): RawBuilder<boolean> {
  const lives = sql`select holder from engine_sessions where expires > ${now(dialect)}`;
  return dialect.locksRows
    ? sql<boolean>`(run_holder is null or run_holder not in (${lives}))`
    : sql<boolean>`(run_holder is null or run_holder <> ${holder})`;
}

const now = (dialect: Dialect): RawBuilder<string> => sql.raw<string>(dialect.now);

const take = systemStatement<Share & { limit: number }>()((db, p, dialect) =>
  db
    .updateTable("monitors")
    .set({ run_holder: p.holder })
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("monitors")
          .select("id")
          .where("enabled", "=", true)
          .where(isUnleased(dialect, p.holder))
          .limit(p.limit),
        dialect,
      ),
    ),
);

/** Takes monitors that nobody has, and tells how many. */
export async function takeMonitors(
  tx: SystemTransaction,
  share: { readonly holder: string; readonly limit: number },
): Promise<number> {
  return tx.run(take, share);
}

const giveBackSome = systemStatement<Share & { ids: string }>()((db, p, dialect) =>
  db
    .updateTable("monitors")
    .set({ run_holder: null })
    .where("run_holder", "=", p.holder)
    .where("id", "in", listedIds(dialect, p.ids)),
);

export async function releaseMonitors(
  tx: SystemTransaction,
  holder: string,
  ids: readonly string[],
): Promise<void> {
  await tx.run(giveBackSome, { holder, ids: idRows(ids) });
}

const giveBackAll = systemStatement<Share>()((db, p) =>
  db.updateTable("monitors").set({ run_holder: null }).where("run_holder", "=", p.holder),
);

const endSession = systemStatement<Share>()((db, p) =>
  db.deleteFrom("engine_sessions").where("holder", "=", p.holder),
);

export async function releaseAllMonitors(tx: SystemTransaction, holder: string): Promise<void> {
  await tx.run(giveBackAll, { holder });
  await tx.run(endSession, { holder });
}

const claim = statement<Share & { id: string }>()((db, p, dialect) =>
  db
    .updateTable("monitors")
    .set({ run_holder: p.holder })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where((e) => e.or([e("run_holder", "=", p.holder), isUnleased(dialect, p.holder)])),
);

/** Takes one monitor, enabled or not; false when another process has it, or it is not there. */
export async function claimMonitor(tx: Transaction, holder: string, id: string): Promise<boolean> {
  return (await tx.run(claim, { holder, id })) === 1;
}

const selectOwn = systemStatement<Share>()((db, p) =>
  db
    .selectFrom("monitors")
    .select(["id", "updated_at", "enabled"])
    .where("run_holder", "=", p.holder),
);

export function listLeased({ system }: Database, holder: string) {
  return system.all(selectOwn, { holder });
}

/** What it takes to plan and run a monitor. */
export type LeasedMonitor = Pick<
  MonitorRow,
  | "id"
  | "created_at"
  | "updated_at"
  | "name"
  | "url"
  | "pipeline"
  | "secrets"
  | "tags"
  | "interval"
  | "schedule"
  | "timezone"
  | "enabled"
  | "last_check"
  | "next_run"
> & {
  readonly workspace_id: string;
  readonly held_back_from: string | null;
  readonly held_back_until: string | null;
};

const selectMonitors = systemStatement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("monitors")
    .leftJoin("monitor_tracks", "monitor_tracks.monitor_id", "monitors.id")
    .select([
      "monitors.workspace_id",
      "monitors.id",
      "created_at",
      "updated_at",
      "name",
      "url",
      "pipeline",
      "secrets",
      "tags",
      "interval",
      "schedule",
      "timezone",
      "enabled",
      "last_check",
      "next_run",
      "held_back_from",
      "held_back_until",
    ])
    .where("id", "in", listedIds(dialect, p.ids)),
);

export async function readMonitors(
  { system }: Pick<Database, "system">,
  ids: readonly string[],
): Promise<LeasedMonitor[]> {
  return ids.length === 0 ? [] : system.all(selectMonitors, { ids: idRows(ids) });
}

const PLAN = { id: "id", next_run: "time" } as const;

/** When a monitor is due. */
export interface MonitorDue {
  readonly id: string;
  readonly next_run: string;
}

const plan = systemStatement<{ plans: string }>()((db, p, dialect) =>
  db
    .updateTable("monitors")
    .from(dialect.rowsFrom(PLAN, p.plans).$castTo<MonitorDue>().as("item"))
    .set((e) => ({ next_run: e.ref("item.next_run") }))
    .whereRef("monitors.id", "=", "item.id")
    .where("monitors.next_run", "is", null),
);

/** Notes when monitors are due, where that is not known. */
export async function recordDueTimes(
  tx: SystemTransaction,
  plans: readonly MonitorDue[],
): Promise<void> {
  await tx.run(plan, { plans: JSON.stringify(plans) });
}
