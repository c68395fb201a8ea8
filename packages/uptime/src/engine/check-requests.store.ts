import type {
  Database,
  Queries,
  SystemTransaction,
  Transaction,
} from "@orchestrator/kernel/storage";
import type { CheckRequestRow } from "../db/tables/engine.table.ts";
import { statement, systemStatement } from "../db/tables.ts";
import { isUnleased } from "./shares.store.ts";

const insertRequest = statement<CheckRequestRow>()((db, p) =>
  db
    .insertInto("check_requests")
    .values({
      workspace_id: p.workspace_id,
      monitor_id: p.monitor_id,
      requested_at: p.requested_at,
    })
    .onConflict((conflict) => conflict.column("monitor_id").doNothing()),
);

/** Tells whether nobody had asked for it yet. */
export async function requestCheck(tx: Transaction, row: CheckRequestRow): Promise<boolean> {
  return (await tx.run(insertRequest, row)) === 1;
}

const selectRequest = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("check_requests")
    .select("requested_at")
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.id),
);

/** When the check of a monitor that is not done yet was asked for. */
export async function findRequest(queries: Queries, id: string): Promise<string | null> {
  return (await queries.get(selectRequest, { id }))?.requested_at ?? null;
}

const selectRequests = systemStatement<{ holder: string }>()((db, p, dialect) =>
  db
    .selectFrom("check_requests")
    .innerJoin("monitors", "monitors.id", "check_requests.monitor_id")
    .select([
      "check_requests.workspace_id",
      "check_requests.monitor_id",
      "check_requests.requested_at",
    ])
    .where((e) => e.or([e("run_holder", "=", p.holder), isUnleased(dialect, p.holder)])),
);

/**
 * The checks that were asked for, of monitors held under this name and of those that nobody holds.
 */
export function listRequests({ system }: Database, holder: string) {
  return system.all(selectRequests, { holder });
}

const selectOpen = systemStatement()((db) =>
  db.selectFrom("check_requests").select(["monitor_id", "requested_at"]),
);

/** All that are not done yet, whoever they are for. */
export function listOpenRequests({ system }: Database): Promise<CheckRequestRow[]> {
  return system.all(selectOpen, {});
}

const removeRequest = systemStatement<CheckRequestRow>()((db, p) =>
  db
    .deleteFrom("check_requests")
    .where("monitor_id", "=", p.monitor_id)
    .where("requested_at", "<=", p.requested_at),
);

export async function answerRequest(tx: SystemTransaction, row: CheckRequestRow): Promise<void> {
  await tx.run(removeRequest, row);
}
