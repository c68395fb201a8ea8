import type { FlowRun } from "@orchestrator/contract";
import type { JsonText, Queries, Transaction } from "@orchestrator/kernel/storage";
import { FLOW_RUNS, type FlowRunEdit } from "../../db/tables/flow-runs.table.ts";
import { statement } from "../../db/tables.ts";
import { formsOf, runKey } from "../../texts/run-texts.ts";
import { recordAt } from "./flow-run-insert.store.ts";

const record = statement<{ id: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_runs")
    .select(recordAt(dialect, p.now))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findFlowRun(
  queries: Queries,
  key: { readonly id: string; readonly now: string },
): Promise<JsonText<FlowRun> | null> {
  return (await queries.get(record, key))?.json ?? null;
}

const idByKey = statement<{ flow_id: string; idempotency_key: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_id", "=", p.flow_id)
    .where("idempotency_key", "=", p.idempotency_key),
);

const keyForms = formsOf(runKey);

export async function findRunByKey(
  tx: Transaction,
  { flow_id, idempotency_key }: { readonly flow_id: string; readonly idempotency_key: string },
): Promise<string | null> {
  for (const form of keyForms(idempotency_key)) {
    const found = await tx.get(idByKey, { flow_id, idempotency_key: form });
    if (found !== undefined) return found.id;
  }
  return null;
}

const lockForEdit = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_runs")
    .select(["id", "state_type", "deployment_id", "work_queue_id"])
    .select(FLOW_RUNS.columnsWith("changeable"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

export async function lockFlowRunForEdit(tx: Transaction, id: string) {
  return (await tx.get(lockForEdit, { id })) ?? null;
}

const edit = statement<FlowRunEdit>()((db, p) =>
  db
    .updateTable("flow_runs")
    .set(FLOW_RUNS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function editFlowRunRow(tx: Transaction, row: FlowRunEdit): Promise<void> {
  await tx.run(edit, row);
}

const selectFlow = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flows")
    .select(["id", "updated", "name", "tags", "labels"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

const selectDeployment = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select(["id", "flow_id", "version", "work_queue_id", "labels"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forShare()),
);

/** What a run takes over from its flow. */
export interface FlowOfRun {
  readonly id: string;
  readonly updated: string;
  readonly name: string;
  readonly tags: string;
  readonly labels: string;
}

export async function findFlowOfRun(queries: Queries, id: string): Promise<FlowOfRun | null> {
  return (await queries.get(selectFlow, { id })) ?? null;
}

/** What a run takes over from its deployment, which stays as it is until the transaction ends. */
export async function findDeploymentOfRun(tx: Transaction, id: string) {
  return (await tx.get(selectDeployment, { id })) ?? null;
}

const taskRunById = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("task_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function hasTaskRun(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.get(taskRunById, { id })) !== undefined;
}
