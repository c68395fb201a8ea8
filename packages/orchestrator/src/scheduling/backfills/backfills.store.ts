import type { Backfill } from "@orchestrator/contract";
import type {
  ChangesOf,
  Database,
  JsonText,
  Queries,
  SystemTransaction,
  Transaction,
} from "@orchestrator/kernel/storage";
import { recordSql, unclaimed } from "@orchestrator/kernel/storage";
import type { ExpressionBuilder } from "kysely";
import { BACKFILLS, type BackfillRow } from "../../db/tables/backfills.table.ts";
import { statement, systemStatement, type Tables } from "../../db/tables.ts";

const insert = statement<BackfillRow>()((db, p) =>
  db
    .insertInto("backfills")
    .values(BACKFILLS.values(p))
    .onConflict((conflict) => conflict.columns(["deployment_id", "idempotency_key"]).doNothing()),
);

/** Tells whether the deployment had no backfill with this key. */
export async function insertBackfill(tx: Transaction, row: BackfillRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const recordById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("backfills")
    .select(recordSql(dialect, { fields: BACKFILLS.fields, table: "backfills" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findBackfill(
  queries: Queries,
  id: string,
): Promise<JsonText<Backfill> | null> {
  return (await queries.get(recordById, { id }))?.json ?? null;
}

const recordByKey = statement<{ deployment_id: string; idempotency_key: string }>()(
  (db, p, dialect) =>
    db
      .selectFrom("backfills")
      .select(recordSql(dialect, { fields: BACKFILLS.fields, table: "backfills" }).as("json"))
      .where("workspace_id", "=", p.workspace_id)
      .where("deployment_id", "=", p.deployment_id)
      .where("idempotency_key", "=", p.idempotency_key),
);

export async function findBackfillByKey(
  queries: Queries,
  key: { readonly deployment_id: string; readonly idempotency_key: string },
): Promise<JsonText<Backfill> | null> {
  return (await queries.get(recordByKey, key))?.json ?? null;
}

const lock = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("backfills")
    .select(BACKFILLS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

const find = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("backfills")
    .select(BACKFILLS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** The row as it is now, for what a transaction must not wait for. */
export async function findBackfillRow(queries: Queries, id: string): Promise<BackfillRow | null> {
  return (await queries.get(find, { id })) ?? null;
}

/**
 * The row, held until the transaction ends. Where the deployment is locked as well, it comes first.
 */
export async function lockBackfill(tx: Transaction, id: string): Promise<BackfillRow | null> {
  return (await tx.get(lock, { id })) ?? null;
}

const update = statement<Pick<BackfillRow, "id"> & ChangesOf<typeof BACKFILLS>>()((db, p) =>
  db
    .updateTable("backfills")
    .set(BACKFILLS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Writes what changes in the life of a backfill. */
export async function updateBackfillRow(tx: Transaction, row: BackfillRow): Promise<void> {
  await tx.run(update, row);
}

/**
 * Nobody is put off for longer than until `latest`: who is was put off by a clock that has been put
 * right since.
 */
export interface Moment {
  readonly now: string;
  readonly latest: string;
}

const isDue = (e: ExpressionBuilder<Tables, "backfills">, { now, latest }: Moment) =>
  e.and([e("due", "is not", null), e.or([e("due", "<=", now), e("due", ">", latest)])]);

const anyDue = systemStatement<Moment>()((db, p) =>
  db
    .selectFrom("backfills")
    .select("id")
    .where((e) => isDue(e, p))
    .limit(1),
);

/** Mostly there is none, and to see that costs next to nothing. */
export async function hasDueBackfills({ system }: Database, moment: Moment): Promise<boolean> {
  return (await system.get(anyDue, moment)) !== undefined;
}

const claim = systemStatement<Moment & { claim: string; limit: number }>()((db, p, dialect) =>
  db
    .updateTable("backfills")
    .set({ due: p.claim })
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("backfills")
          .select("id")
          .where((e) => isDue(e, p))
          .orderBy("due")
          .limit(p.limit),
        dialect,
      ),
    )
    .returning(["id", "workspace_id", "deployment_id"]),
);

export interface DueBackfill {
  readonly id: string;
  readonly workspace_id: string;
  readonly deployment_id: string;
}

/** Takes backfills that are due; until `claim` nobody else takes them, and then somebody does. */
export function claimDueBackfills(
  tx: SystemTransaction,
  parameters: Moment & { readonly claim: string; readonly limit: number },
): Promise<DueBackfill[]> {
  return tx.all(claim, parameters);
}
