import type { ResealedRow } from "@orchestrator/kernel/secrets";
import {
  type Database,
  idRows,
  type JsonText,
  listedIds,
  pick,
  type Queries,
  recordSql,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import {
  MONITOR_CHANGEABLE,
  MONITOR_CONFIG_COLUMNS,
  MONITOR_FIELDS,
  type MonitorConfigRow,
  type MonitorRow,
} from "../db/tables/monitors.table.ts";
import { statement, systemStatement } from "../db/tables.ts";
import type { Monitor } from "../models.ts";

const insertOne = statement<MonitorConfigRow>()((db, p) =>
  db
    .insertInto("monitors")
    .values({ workspace_id: p.workspace_id, ...pick(p, MONITOR_CONFIG_COLUMNS), streak: 0 }),
);

/** Texts, so that what is in them is kept to the letter. */
const COLUMN_KINDS = {
  id: "id",
  created_at: "time",
  updated_at: "time",
  name: "text",
  url: "text",
  pipeline: "text",
  secrets: "text",
  sealed_with: "text",
  interval: "integer",
  schedule: "text",
  timezone: "text",
  enabled: "flag",
  tags: "text",
  confirm_down: "integer",
  confirm_up: "integer",
  next_run: "time",
} as const satisfies Record<keyof MonitorConfigRow, string>;

const insert = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .insertInto("monitors")
    .columns(["workspace_id", "streak", ...MONITOR_CONFIG_COLUMNS])
    .expression((e) =>
      e
        .selectFrom(dialect.rowsFrom(COLUMN_KINDS, p.rows).$castTo<MonitorConfigRow>().as("item"))
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          sql.lit(0).as("streak"),
          ...MONITOR_CONFIG_COLUMNS.map((column) => {
            const value = sql.ref(`item.${column}`);
            const { json, tags } = dialect.types;
            const type = { pipeline: json, tags }[column as string];
            return (type === undefined ? value : sql`cast(${value} as ${sql.raw(type)})`).as(
              column,
            );
          }),
        ]),
    ),
);

/**
 * A statement for each where it is a call within this process, one for all where it is a round
 * trip.
 */
export async function insertMonitors(
  tx: Transaction,
  rows: readonly MonitorConfigRow[],
): Promise<void> {
  if (tx.dialect.isRemote && rows.length > 1) await tx.run(insert, { rows: JSON.stringify(rows) });
  else for (const row of rows) await tx.run(insertOne, row);
}

const record = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("monitors")
    .select(recordSql(dialect, { fields: MONITOR_FIELDS, table: "monitors" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findMonitor(queries: Queries, id: string): Promise<JsonText<Monitor> | null> {
  return (await queries.get(record, { id }))?.json ?? null;
}

const idsByName = statement<{ name: string }>()((db, p) =>
  db
    .selectFrom("monitors")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name)
    // Two are enough to say that a name is ambiguous.
    .limit(2),
);

export async function findMonitorIdsByName(queries: Queries, name: string): Promise<string[]> {
  return (await queries.all(idsByName, { name })).map(({ id }) => id);
}

const MONITOR_COLUMNS = [
  ...MONITOR_CONFIG_COLUMNS,
  "last_check",
  "last_status",
  "confirmed_status",
  "streak",
  "run_holder",
] as const satisfies readonly (keyof MonitorRow)[];

const rowById = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("monitors")
    .select(MONITOR_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findMonitorRow(queries: Queries, id: string): Promise<MonitorRow | null> {
  return (await queries.get(rowById, { id })) ?? null;
}

const countByIds = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("monitors")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

/** How many of the ids are those of monitors. */
export async function countMonitors(queries: Queries, ids: readonly string[]): Promise<number> {
  return (await queries.get(countByIds, { ids: idRows(ids) }))?.count ?? 0;
}

const lockById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("monitors")
    .select(MONITOR_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockMonitor(tx: Transaction, id: string): Promise<MonitorRow | null> {
  const row = await tx.get(lockById, { id });
  // The database may space JSON its own way; decisions compare it with ours.
  return row === undefined ? null : { ...row, tags: JSON.stringify(JSON.parse(row.tags)) };
}

const update = statement<Omit<MonitorConfigRow, "created_at">>()((db, p) =>
  db
    .updateTable("monitors")
    .set(pick(p, MONITOR_CHANGEABLE))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** What results and the engine write is left as it is. */
export async function updateMonitorConfig(tx: Transaction, row: MonitorConfigRow): Promise<void> {
  await tx.run(update, row);
}

const clearStreak = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("monitors")
    .set({ streak: 0 })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** What was seen before confirms nothing that is seen from now on. */
export async function endStreak(tx: Transaction, id: string): Promise<void> {
  await tx.run(clearStreak, { id });
}

const deleteMonitorRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("monitors").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeMonitorRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteMonitorRow, { id });
}

const sealedOtherwise = systemStatement<{ key: string; after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("monitors")
    .select(["id", "secrets as sealed"])
    .where("sealed_with", "is not", null)
    .where("sealed_with", "<>", p.key)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** Monitors with secrets that another key has sealed, by id. */
export function findMonitorsSealedOtherwise(
  { system }: Database,
  page: { readonly key: string; readonly after: string; readonly limit: number },
) {
  return system.all(sealedOtherwise, page);
}

/**
 * What stands in place of a key where an earlier version has stored an address: its query may hold
 * secrets.
 */
const UNSEALED = "none";

const unsealedUrls = systemStatement<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("monitors")
    .select(["id", "url", "secrets"])
    .where("sealed_with", "=", UNSEALED)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** Monitors in whose addresses an earlier version may have left secrets, by id. */
export function findUnsealedUrls(
  { system }: Database,
  page: { readonly after: string; readonly limit: number },
) {
  return system.all(unsealedUrls, page);
}

interface SealedUrl extends Pick<MonitorConfigRow, "id" | "url" | "secrets" | "sealed_with"> {
  /** What the address must still be. */
  readonly before: string;
}

const replaceUrl = systemStatement<SealedUrl>()((db, p) =>
  db
    .updateTable("monitors")
    .set({ url: p.url, secrets: p.secrets, sealed_with: p.sealed_with })
    .where("id", "=", p.id)
    .where("sealed_with", "=", UNSEALED)
    .where("url", "=", p.before),
);

/** Tells whether the address was still the one whose secrets were sealed. */
export async function replaceUnsealedUrl(tx: SystemTransaction, url: SealedUrl): Promise<boolean> {
  return (await tx.run(replaceUrl, url)) === 1;
}

const replaceSecrets = systemStatement<ResealedRow>()((db, p) =>
  db
    .updateTable("monitors")
    .set({ secrets: p.sealed, sealed_with: p.sealed_with })
    .where("id", "=", p.id)
    .where("secrets", "=", p.before),
);

/** Tells whether the secrets were still those that were sealed anew. */
export async function replaceSealedSecrets(
  tx: SystemTransaction,
  resealed: ResealedRow,
): Promise<boolean> {
  return (await tx.run(replaceSecrets, resealed)) === 1;
}
