import type { ConcurrencyLimitState } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import {
  CONCURRENCY_LIMITS,
  type ConcurrencyLimitRow,
} from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";
import { findLimit, type LimitKey } from "./slots.store.ts";

const insert = statement<ConcurrencyLimitRow>()((db, p) =>
  db
    .insertInto("concurrency_limits")
    .values(CONCURRENCY_LIMITS.values(p))
    .onConflict((conflict) => conflict.columns(["workspace_id", "name"]).doNothing()),
);

/** Tells whether the name was still free. */
export async function insertLimit(tx: Transaction, row: ConcurrencyLimitRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const recordBy = (column: "id" | "name") =>
  statement<{ key: string; now: string }>()((db, p, dialect) =>
    db
      .selectFrom("concurrency_limits")
      .select(
        recordSql(dialect, {
          fields: CONCURRENCY_LIMITS.fields,
          table: "concurrency_limits",
          now: p.now,
        }).as("json"),
      )
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key),
  );
const recordById = recordBy("id");
const recordByName = recordBy("name");

export async function findLimitRecord(
  queries: Queries,
  key: LimitKey,
  now: string,
): Promise<JsonText<ConcurrencyLimitState> | null> {
  const row =
    "id" in key
      ? await queries.get(recordById, { key: key.id, now })
      : await queries.get(recordByName, { key: key.name, now });
  return row?.json ?? null;
}

const lockBy = (column: "id" | "name") =>
  statement<{ key: string }>()((db, p, dialect) =>
    db
      .selectFrom("concurrency_limits")
      .select(CONCURRENCY_LIMITS.columns)
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key)
      .$if(dialect.locksRows, (query) => query.forUpdate()),
  );
const lockById = lockBy("id");
const lockByName = lockBy("name");

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockLimit(
  tx: Transaction,
  key: LimitKey,
): Promise<ConcurrencyLimitRow | null> {
  const row =
    "id" in key
      ? await tx.get(lockById, { key: key.id })
      : await tx.get(lockByName, { key: key.name });
  return row ?? null;
}

const update = statement<ConcurrencyLimitRow>()((db, p) =>
  db
    .updateTable("concurrency_limits")
    .set(CONCURRENCY_LIMITS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Throws `conflict` when the new name is taken. */
export async function updateLimitRow(tx: Transaction, row: ConcurrencyLimitRow): Promise<void> {
  await tx.run(update, row);
}

const deleteConcurrencyLimitRow = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("concurrency_limits")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

const lockDeployments = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("concurrency_limit_id", "=", p.id)
    .orderBy("id")
    .$if(dialect.locksRows, (query) => query.forNoKeyUpdate()),
);

/**
 * The row of a limit that is to go. Deployments are held before limits, so those that have it come
 * first.
 */
export async function lockLimitForRemoval(
  tx: Transaction,
  key: LimitKey,
): Promise<ConcurrencyLimitRow | null> {
  const found = await findLimit(tx, key);
  if (found === null) return null;
  await tx.all(lockDeployments, { id: found.id });
  return lockLimit(tx, { id: found.id });
}

const deploymentsWith = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .select(["id as deployment_id", "work_queue_id"])
    .where("workspace_id", "=", p.workspace_id)
    .where("concurrency_limit_id", "=", p.id),
);

/** The deployments that have the limit, and where their runs wait. */
export function readDeploymentsWith(
  tx: Transaction,
  id: string,
): Promise<{ readonly deployment_id: string; readonly work_queue_id: string | null }[]> {
  return tx.all(deploymentsWith, { id });
}

const unlinkDeployments = statement<{ id: string }>()((db, p) =>
  db
    .updateTable("deployments")
    .set({ concurrency_limit_id: null })
    .where("workspace_id", "=", p.workspace_id)
    .where("concurrency_limit_id", "=", p.id),
);

/**
 * Takes the limit away, and with it the rows of its slots; deployments that had it go on without
 * one.
 */
export async function removeLimitRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(unlinkDeployments, { id });
  await tx.run(deleteConcurrencyLimitRow, { id });
}
