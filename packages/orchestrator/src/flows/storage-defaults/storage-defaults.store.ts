import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import type { StorageDefaultRow } from "../../db/tables/storage-defaults.table.ts";
import { statement } from "../../db/tables.ts";

const chosen = statement()((db, p) =>
  db
    .selectFrom("storage_defaults")
    .select("default_result_storage_block_id")
    .where("workspace_id", "=", p.workspace_id),
);

export async function findResultStorage(queries: Queries): Promise<string | null> {
  return (await queries.get(chosen, {}))?.default_result_storage_block_id ?? null;
}

const choose = statement<StorageDefaultRow>()((db, p) =>
  db
    .insertInto("storage_defaults")
    .values({
      workspace_id: p.workspace_id,
      updated: p.updated,
      default_result_storage_block_id: p.default_result_storage_block_id,
    })
    .onConflict((conflict) =>
      conflict.column("workspace_id").doUpdateSet({
        updated: p.updated,
        default_result_storage_block_id: p.default_result_storage_block_id,
      }),
    ),
);

export async function putResultStorage(tx: Transaction, row: StorageDefaultRow): Promise<void> {
  await tx.run(choose, row);
}

const clear = statement()((db, p) =>
  db.deleteFrom("storage_defaults").where("workspace_id", "=", p.workspace_id),
);

export async function clearResultStorage(tx: Transaction): Promise<void> {
  await tx.run(clear, {});
}
