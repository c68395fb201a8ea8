import type { Transaction } from "@orchestrator/kernel/storage";
import { DEPLOYMENTS, type DeploymentRow } from "../../db/tables/deployments.table.ts";
import { statement } from "../../db/tables.ts";

const insert = statement<DeploymentRow>()((db, p) =>
  db
    .insertInto("deployments")
    .values(DEPLOYMENTS.values(p))
    .onConflict((conflict) => conflict.columns(["workspace_id", "flow_id", "name"]).doNothing()),
);

/** Tells whether the flow had no deployment of that name. */
export async function insertDeployment(tx: Transaction, row: DeploymentRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const update = statement<DeploymentRow>()((db, p) =>
  db
    .updateTable("deployments")
    .set(DEPLOYMENTS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateDeploymentRow(tx: Transaction, row: DeploymentRow): Promise<void> {
  await tx.run(update, row);
}

const deleteDeploymentRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("deployments").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeDeploymentRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteDeploymentRow, { id });
}
