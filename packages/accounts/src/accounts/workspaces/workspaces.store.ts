import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { statement, type WorkspaceRow } from "../../db/tables.ts";

type Reads = Pick<Database, "system">;

const COLUMNS = [
  "id",
  "account_id",
  "created",
  "updated",
  "name",
  "handle",
  "description",
] as const;

const ofAccount = statement<{ account_id: string }>()((db, p) =>
  db
    .selectFrom("workspaces")
    .select(COLUMNS)
    .where("account_id", "=", p.account_id)
    .orderBy("created")
    .orderBy("id"),
);

/** Oldest first. */
export function listWorkspaces({ system }: Reads, account_id: string): Promise<WorkspaceRow[]> {
  return system.all(ofAccount, { account_id });
}

const allIds = statement()((db) =>
  db.selectFrom("workspaces").select("id").orderBy("created").orderBy("id"),
);

export async function listAllWorkspaceIds({ system }: Reads): Promise<string[]> {
  return (await system.all(allIds, {})).map(({ id }) => id);
}

const insert = statement<WorkspaceRow>()((db, p) =>
  db.insertInto("workspaces").values({
    id: p.id,
    account_id: p.account_id,
    created: p.created,
    updated: p.updated,
    name: p.name,
    handle: p.handle,
    description: p.description,
  }),
);

/** Throws `conflict` when the handle is taken. */
export async function insertWorkspace(tx: SystemTransaction, row: WorkspaceRow): Promise<void> {
  await tx.run(insert, row);
}

const update = statement<WorkspaceRow>()((db, p) =>
  db
    .updateTable("workspaces")
    .set({ updated: p.updated, name: p.name, handle: p.handle, description: p.description })
    .where("account_id", "=", p.account_id)
    .where("id", "=", p.id),
);

/** Throws `conflict` when the handle is taken. */
export async function updateWorkspaceRow(tx: SystemTransaction, row: WorkspaceRow): Promise<void> {
  await tx.run(update, row);
}
