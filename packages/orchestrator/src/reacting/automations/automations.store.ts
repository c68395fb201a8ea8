import type { Automation } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import {
  AUTOMATION_RESOURCES,
  AUTOMATIONS,
  type AutomationResourceRow,
  type AutomationRow,
} from "../../db/tables/automations.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";

const insert = statement<AutomationRow>()((db, p) =>
  db.insertInto("automations").values(AUTOMATIONS.values(p)),
);

export async function insertAutomation(tx: Transaction, row: AutomationRow): Promise<void> {
  await tx.run(insert, row);
}

const count = statement()((db, p) =>
  db
    .selectFrom("automations")
    .select((e) => e.fn.countAll<number>().as("many"))
    .where("workspace_id", "=", p.workspace_id),
);

export async function countAutomations(tx: Transaction): Promise<number> {
  return Number((await tx.get(count, {}))?.many ?? 0);
}

const record = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("automations")
    .select(recordSql(dialect, { fields: AUTOMATIONS.fields, table: "automations" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findAutomation(
  queries: Queries,
  id: string,
): Promise<JsonText<Automation> | null> {
  return (await queries.get(record, { id }))?.json ?? null;
}

const lock = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("automations")
    .select(AUTOMATIONS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends. */
export async function lockAutomation(tx: Transaction, id: string): Promise<AutomationRow | null> {
  return (await tx.get(lock, { id })) ?? null;
}

const update = statement<AutomationRow>()((db, p) =>
  db
    .updateTable("automations")
    .set(AUTOMATIONS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateAutomationRow(tx: Transaction, row: AutomationRow): Promise<void> {
  await tx.run(update, row);
}

const deleteAutomationRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("automations").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeAutomationRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteAutomationRow, { id });
}

const nextRevision = systemStatement()((db) =>
  db
    .updateTable("automation_catalogue")
    .set((e) => ({ revision: e("revision", "+", 1) }))
    .where("name", "=", "automations")
    .returning("revision"),
);

const noteRevision = statement<{ automation_id: string; revision: number }>()((db, p) =>
  db
    .insertInto("automation_revisions")
    .values({
      automation_id: p.automation_id,
      workspace_id: p.workspace_id,
      revision: p.revision,
    })
    .onConflict((conflict) =>
      conflict.column("automation_id").doUpdateSet({ revision: sql<number>`excluded.revision` }),
    ),
);

/**
 * Tells whoever evaluates triggers, on any replica, that the automation has changed. Comes after
 * the automation is held and before what its triggers have counted is touched: everybody holds
 * these in the same order.
 */
export async function publishAutomationChange(
  tx: SystemTransaction,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
): Promise<void> {
  const [row] = await tx.all(nextRevision, {});
  const revision = row?.revision ?? 0;
  await tx.inWorkspace(workspaceId).run(noteRevision, { automation_id: id, revision });
}

const insertResource = statement<AutomationResourceRow>()((db, p) =>
  db
    .insertInto("automation_resources")
    .values(AUTOMATION_RESOURCES.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);

const removeResources = statement<{ automation_id: string }>()((db, p) =>
  db
    .deleteFrom("automation_resources")
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id)
    .where("is_owner", "=", false),
);

export async function setOwner(
  tx: Transaction,
  { id, owner }: { readonly id: string; readonly owner: string },
): Promise<void> {
  await tx.run(insertResource, { automation_id: id, resource_id: owner, is_owner: true });
}

/** The resources that the actions of an automation name. */
export async function replaceResources(
  tx: Transaction,
  { id, resources }: { readonly id: string; readonly resources: readonly string[] },
): Promise<void> {
  await tx.run(removeResources, { automation_id: id });
  for (const resource_id of resources)
    await tx.run(insertResource, { automation_id: id, resource_id, is_owner: false });
}

const selectRelated = statement<{ resource_id: string }>()((db, p) =>
  db
    .selectFrom("automation_resources")
    .select(["automation_id", "is_owner"])
    .where("workspace_id", "=", p.workspace_id)
    .where("resource_id", "=", p.resource_id),
);

/** The automations that belong to a resource, or whose actions name it. */
export async function findRelated(
  queries: Queries,
  resource_id: string,
): Promise<{ readonly automation_id: string; readonly is_owner: boolean }[]> {
  return queries.all(selectRelated, { resource_id });
}
