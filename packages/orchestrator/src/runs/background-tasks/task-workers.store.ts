import {
  idRows,
  listedIds,
  type Queries,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import type { TaskWorkerRow } from "../../db/tables/background-tasks.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";

const removeExpired = statement<{ now: string }>()((db, p) =>
  db
    .deleteFrom("task_workers")
    .where("workspace_id", "=", p.workspace_id)
    .where("expires", "<=", p.now),
);

const insert = statement<TaskWorkerRow>()((db, p) =>
  db.insertInto("task_workers").values({
    workspace_id: p.workspace_id,
    id: p.id,
    identifier: p.identifier,
    task_keys: p.task_keys,
    timestamp: p.timestamp,
    expires: p.expires,
  }),
);

/** Adds a connection and forgets those that nobody has kept alive. */
export async function insertTaskWorker(tx: Transaction, row: TaskWorkerRow): Promise<void> {
  await tx.run(removeExpired, { now: row.timestamp });
  await tx.run(insert, row);
}

const deleteTaskWorkerRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("task_workers").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeTaskWorker(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteTaskWorkerRow, { id });
}

const refresh = systemStatement<{ ids: string; timestamp: string; expires: string }>()(
  (db, p, dialect) =>
    db
      .updateTable("task_workers")
      .set({ timestamp: p.timestamp, expires: p.expires })
      .where("id", "in", listedIds(dialect, p.ids)),
);

/** Says of all these connections that they are still there. */
export async function refreshTaskWorkers(
  tx: SystemTransaction,
  {
    ids,
    ...times
  }: { readonly ids: readonly string[]; readonly timestamp: string; readonly expires: string },
): Promise<void> {
  await tx.run(refresh, { ...times, ids: idRows(ids) });
}

const selectAlive = statement<{ now: string }>()((db, p) =>
  db
    .selectFrom("task_workers")
    .select(["identifier", "task_keys", "timestamp"])
    .where("workspace_id", "=", p.workspace_id)
    .where("expires", ">", p.now)
    .orderBy("identifier")
    .orderBy("timestamp"),
);

export async function findTaskWorkers(
  queries: Queries,
  now: string,
): Promise<Pick<TaskWorkerRow, "identifier" | "task_keys" | "timestamp">[]> {
  return queries.all(selectAlive, { now });
}
