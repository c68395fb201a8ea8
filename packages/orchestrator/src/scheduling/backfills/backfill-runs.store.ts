// The runs that a backfill has created, and those that a schedule created before it.

import type { StateType } from "@orchestrator/contract";
import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { ACTIVE_STATES, CREATED_BY } from "../../db/tables/backfills.table.ts";
import { statement } from "../../db/tables.ts";

const ACTIVE = ACTIVE_STATES.map((type) => sql.lit<StateType>(type));
const NOT_TOLD = ACTIVE_STATES.filter((type) => type !== "CANCELLING").map((type) =>
  sql.lit<StateType>(type),
);

const countActive = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace_id)
    .where("created_by_type", "=", sql.lit(CREATED_BY))
    .where("created_by_id", "=", p.id)
    .where("state_type", "in", ACTIVE),
);

/** How many runs of a backfill have not ended. */
export async function countActiveRuns(queries: Queries, id: string): Promise<number> {
  return (await queries.get(countActive, { id }))?.count ?? 0;
}

const toCancel = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("created_by_type", "=", sql.lit(CREATED_BY))
    .where("created_by_id", "=", p.id)
    .where("state_type", "in", NOT_TOLD),
);

/**
 * Runs of a backfill that have not ended and that nobody has told to stop: no more than it has
 * times.
 */
export async function readRunsToCancel(queries: Queries, id: string): Promise<string[]> {
  return (await queries.all(toCancel, { id })).map((run) => run.id);
}

const withKey = statement<{ flow_id: string; keys: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_runs")
    .select("idempotency_key")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_id", "=", p.flow_id)
    .where("idempotency_key", "in", (e) =>
      e
        .selectFrom(
          dialect.rowsFrom({ key: "text" }, p.keys).$castTo<{ key: string }>().as("wanted"),
        )
        .select("wanted.key"),
    ),
);

/** Of some idempotency keys those that have a run of the flow. */
export async function findKnownKeys(
  tx: Transaction,
  { flowId, keys }: { readonly flowId: string; readonly keys: readonly string[] },
): Promise<ReadonlySet<string>> {
  const wanted = JSON.stringify(keys.map((key) => ({ key })));
  const rows = await tx.all(withKey, { flow_id: flowId, keys: wanted });
  return new Set(rows.flatMap(({ idempotency_key }) => idempotency_key ?? []));
}
