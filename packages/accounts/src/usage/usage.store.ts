import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { type CountRow, type QuotaRow, type SizeRow, statement } from "../db/tables.ts";

type Reads = Pick<Database, "system">;

const QUOTA_COLUMNS = [
  "workspace_id",
  "updated",
  "runs_per_day",
  "events_per_day",
  "runs_stored",
  "storage_bytes",
] as const;

const quotas = statement()((db) => db.selectFrom("workspace_quotas").select(QUOTA_COLUMNS));

export function listQuotas({ system }: Reads): Promise<QuotaRow[]> {
  return system.all(quotas, {});
}

const quotaOf = statement<{ workspace_id: string }>()((db, p) =>
  db
    .selectFrom("workspace_quotas")
    .select(QUOTA_COLUMNS)
    .where("workspace_id", "=", p.workspace_id),
);

export async function findQuota({ system }: Reads, workspace_id: string): Promise<QuotaRow | null> {
  return (await system.get(quotaOf, { workspace_id })) ?? null;
}

const putQuota = statement<QuotaRow>()((db, p) =>
  db
    .insertInto("workspace_quotas")
    .values({
      workspace_id: p.workspace_id,
      updated: p.updated,
      runs_per_day: p.runs_per_day,
      events_per_day: p.events_per_day,
      runs_stored: p.runs_stored,
      storage_bytes: p.storage_bytes,
    })
    .onConflict((conflict) =>
      conflict.column("workspace_id").doUpdateSet((e) => ({
        updated: e.ref("excluded.updated"),
        runs_per_day: e.ref("excluded.runs_per_day"),
        events_per_day: e.ref("excluded.events_per_day"),
        runs_stored: e.ref("excluded.runs_stored"),
        storage_bytes: e.ref("excluded.storage_bytes"),
      })),
    ),
);

export async function replaceQuota(tx: SystemTransaction, row: QuotaRow): Promise<void> {
  await tx.run(putQuota, row);
}

/** A day, without what one process has counted, which knows that better. */
interface Others {
  readonly day: string;
  readonly except: string;
}

const counts = statement<Others>()((db, p) =>
  db
    .selectFrom("workspace_counts")
    .select((e) => [
      "workspace_id",
      e.fn.sum<number>("runs").as("runs"),
      e.fn.sum<number>("events").as("events"),
    ])
    .where("day", "=", p.day)
    .where("counter", "<>", p.except)
    .groupBy("workspace_id"),
);

/** Of all workspaces that have made something that day. */
export function listCountsOf(
  { system }: Reads,
  others: Others,
): Promise<{ workspace_id: string; runs: number; events: number }[]> {
  return system.all(counts, others);
}

const countOf = statement<Others & { workspace_id: string }>()((db, p) =>
  db
    .selectFrom("workspace_counts")
    .select((e) => [
      e.fn.coalesce(e.fn.sum<number>("runs"), sql<number>`0`).as("runs"),
      e.fn.coalesce(e.fn.sum<number>("events"), sql<number>`0`).as("events"),
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("day", "=", p.day)
    .where("counter", "<>", p.except),
);

export async function readCount(
  { system }: Reads,
  key: Others & { readonly workspace_id: string },
): Promise<{ readonly runs: number; readonly events: number }> {
  return (await system.get(countOf, key)) ?? { runs: 0, events: 0 };
}

const add = statement<CountRow>()((db, p) =>
  db
    .insertInto("workspace_counts")
    .values({
      workspace_id: p.workspace_id,
      day: p.day,
      counter: p.counter,
      runs: p.runs,
      events: p.events,
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "day", "counter"]).doUpdateSet((e) => ({
        runs: sql<number>`${e.ref("workspace_counts.runs")} + ${e.ref("excluded.runs")}`,
        events: sql<number>`${e.ref("workspace_counts.events")} + ${e.ref("excluded.events")}`,
      })),
    ),
);

export async function addCount(tx: SystemTransaction, row: CountRow): Promise<void> {
  await tx.run(add, row);
}

const forget = statement<{ before: string }>()((db, p) =>
  db.deleteFrom("workspace_counts").where("day", "<", p.before),
);

export async function removeCountsBefore(tx: SystemTransaction, before: string): Promise<void> {
  await tx.run(forget, { before });
}

const sizes = statement()((db) =>
  db.selectFrom("workspace_sizes").select(["workspace_id", "measured", "runs", "bytes"]),
);

export function listSizes({ system }: Reads): Promise<SizeRow[]> {
  return system.all(sizes, {});
}

const databaseBytes = statement()((db, _p, dialect) => {
  const bytes =
    dialect.name === "sqlite"
      ? sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql`select pg_database_size(current_database()) as bytes`;
  return db.selectFrom(sql<{ bytes: number }>`(${bytes})`.as("size")).select("size.bytes");
});

/**
 * What the whole database takes, indexes and free pages included: asked of the engine, which knows.
 */
export async function readDatabaseBytes({ system }: Reads): Promise<number> {
  return Number((await system.get(databaseBytes, {}))?.bytes ?? 0);
}

const sizeOf = statement<{ workspace_id: string }>()((db, p) =>
  db
    .selectFrom("workspace_sizes")
    .select(["workspace_id", "measured", "runs", "bytes"])
    .where("workspace_id", "=", p.workspace_id),
);

export async function findSize({ system }: Reads, workspace_id: string): Promise<SizeRow | null> {
  return (await system.get(sizeOf, { workspace_id })) ?? null;
}

const putSize = statement<SizeRow>()((db, p) =>
  db
    .insertInto("workspace_sizes")
    .values({ workspace_id: p.workspace_id, measured: p.measured, runs: p.runs, bytes: p.bytes })
    .onConflict((conflict) =>
      conflict.column("workspace_id").doUpdateSet((e) => ({
        measured: e.ref("excluded.measured"),
        runs: e.ref("excluded.runs"),
        bytes: e.ref("excluded.bytes"),
      })),
    ),
);

export async function replaceSize(tx: SystemTransaction, row: SizeRow): Promise<void> {
  await tx.run(putSize, row);
}
