import type { Sla } from "@orchestrator/contract";
import type { JsonText, Queries, Transaction } from "@orchestrator/kernel/storage";
import { recordSql } from "@orchestrator/kernel/storage";
import { SLAS, type SlaRow } from "../../db/tables/slas.table.ts";
import { statement } from "../../db/tables.ts";
import type { Owner } from "./slas.events.ts";

const insert = statement<SlaRow>()((db, p) =>
  db
    .insertInto("slas")
    .values(SLAS.values(p))
    .onConflict((conflict) => conflict.columns(["deployment_id", "name"]).doNothing()),
);

/** Tells whether the deployment had none of that name. */
export async function insertSla(tx: Transaction, row: SlaRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const record = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("slas")
    .select(recordSql(dialect, { fields: SLAS.fields, table: "slas" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findSla(queries: Queries, id: string): Promise<JsonText<Sla> | null> {
  return (await queries.get(record, { id }))?.json ?? null;
}

const lock = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("slas")
    .select(SLAS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends: nothing is judged by it meanwhile. */
export async function lockSla(tx: Transaction, id: string): Promise<SlaRow | null> {
  return (await tx.get(lock, { id })) ?? null;
}

const lockAll = statement<{ deployment_id: string }>()((db, p, dialect) =>
  db
    .selectFrom("slas")
    .select(SLAS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("deployment_id", "=", p.deployment_id)
    .orderBy("id")
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** All those of a deployment, held until the transaction ends. */
export function lockSlasOf(tx: Transaction, deployment_id: string): Promise<SlaRow[]> {
  return tx.all(lockAll, { deployment_id });
}

const update = statement<SlaRow>()((db, p) =>
  db
    .updateTable("slas")
    .set(SLAS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Throws `conflict` when the new name is taken. */
export async function updateSlaRow(tx: Transaction, row: SlaRow): Promise<void> {
  await tx.run(update, row);
}

const removeRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("slas").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

/** Its watches go with it. */
export async function removeSlaRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(removeRow, { id });
}

const removeAllWatches = statement<{ sla_id: string }>()((db, p) =>
  db
    .deleteFrom("sla_watches")
    .where("workspace_id", "=", p.workspace_id)
    .where("sla_id", "=", p.sla_id),
);

export async function removeWatchesOf(tx: Transaction, sla_id: string): Promise<void> {
  await tx.run(removeAllWatches, { sla_id });
}

const owner = statement<{ deployment_id: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .innerJoin("flows", "flows.id", "deployments.flow_id")
    .select([
      "deployments.name as deployment_name",
      "flows.id as flow_id",
      "flows.name as flow_name",
    ])
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.id", "=", p.deployment_id),
);

/** The deployment and its flow, by name; null when there is no such deployment. */
export async function findOwner(queries: Queries, deployment_id: string): Promise<Owner | null> {
  return (await queries.get(owner, { deployment_id })) ?? null;
}

interface Violation {
  readonly id: string;
  readonly violated: string;
  readonly flow_run_id: string | null;
}

const countViolation = statement<Violation>()((db, p) =>
  db
    .updateTable("slas")
    .set((e) => ({
      violations: e("violations", "+", 1),
      last_violated: p.violated,
      last_violated_flow_run_id: p.flow_run_id,
    }))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function recordViolation(tx: Transaction, violation: Violation): Promise<void> {
  await tx.run(countViolation, violation);
}

const restored = statement<{ id: string; restored: string }>()((db, p) =>
  db
    .updateTable("slas")
    .set({ last_restored: p.restored })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function recordRestored(
  tx: Transaction,
  restoration: { readonly id: string; readonly restored: string },
): Promise<void> {
  await tx.run(restored, restoration);
}

type Freshness = Pick<SlaRow, "id" | "since" | "due" | "violated" | "violation_id">;

const setFreshness = statement<Freshness>()((db, p) =>
  db
    .updateTable("slas")
    .set({ since: p.since, due: p.due, violated: p.violated, violation_id: p.violation_id })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Where an SLA of freshness stands. */
export async function writeFreshness(tx: Transaction, freshness: Freshness): Promise<void> {
  await tx.run(setFreshness, freshness);
}

const setDue = statement<{ id: string; due: string | null }>()((db, p) =>
  db
    .updateTable("slas")
    .set({ due: p.due })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** When to look at the deployment next. */
export async function writeDue(
  tx: Transaction,
  next: { readonly id: string; readonly due: string | null },
): Promise<void> {
  await tx.run(setDue, next);
}
