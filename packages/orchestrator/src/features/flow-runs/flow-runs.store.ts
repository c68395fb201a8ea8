import type { FlowRun } from "@orchestrator/contract";
import { type JsonText, type Queries, recordSql, type Transaction } from "@orchestrator/kernel";
import { statement } from "../../db/tables.ts";
import { FLOW_RUN_FIELDS, type FlowRunRow } from "./flow-runs.table.ts";

const insert = statement<FlowRunRow>()((db, p) =>
  db
    .insertInto("flow_runs")
    .values({
      workspace_id: p.workspace_id,
      id: p.id,
      created: p.created,
      updated: p.updated,
      name: p.name,
      flow_id: p.flow_id,
      deployment_id: p.deployment_id,
      deployment_version: p.deployment_version,
      work_queue_id: p.work_queue_id,
      flow_version: p.flow_version,
      parameters: p.parameters,
      idempotency_key: p.idempotency_key,
      context: p.context,
      empirical_policy: p.empirical_policy,
      retry_type: p.retry_type,
      tags: p.tags,
      labels: p.labels,
      parent_task_run_id: p.parent_task_run_id,
      state_id: p.state_id,
      state_type: p.state_type,
      state_name: p.state_name,
      state_timestamp: p.state_timestamp,
      state: p.state,
      run_count: p.run_count,
      expected_start_time: p.expected_start_time,
      next_scheduled_start_time: p.next_scheduled_start_time,
      start_time: p.start_time,
      effective_start_time: p.effective_start_time,
      end_time: p.end_time,
      total_run_time: p.total_run_time,
      auto_scheduled: p.auto_scheduled,
      infrastructure_document_id: p.infrastructure_document_id,
      infrastructure_pid: p.infrastructure_pid,
      created_by: p.created_by,
      created_by_id: p.created_by_id,
      created_by_type: p.created_by_type,
      job_variables: p.job_variables,
      priority: p.priority,
      deadline: p.deadline,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Tells whether the idempotency key was still free. */
export async function insertFlowRunRow(tx: Transaction, row: FlowRunRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const record = statement<{ id: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_runs")
    .select(
      recordSql(dialect, { fields: FLOW_RUN_FIELDS, table: "flow_runs", now: p.now }).as("json"),
    )
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

export async function findRunByKey(
  tx: Transaction,
  key: { readonly flow_id: string; readonly idempotency_key: string },
): Promise<string | null> {
  return (await tx.get(idByKey, key))?.id ?? null;
}

/** What may be changed in a run without a new state. */
export type FlowRunEdit = Pick<
  FlowRunRow,
  | "id"
  | "updated"
  | "name"
  | "flow_version"
  | "parameters"
  | "empirical_policy"
  | "retry_type"
  | "tags"
  | "labels"
  | "infrastructure_pid"
  | "job_variables"
  | "priority"
>;

const lockForEdit = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_runs")
    .select([
      "id",
      "name",
      "flow_version",
      "parameters",
      "empirical_policy",
      "retry_type",
      "tags",
      "labels",
      "infrastructure_pid",
      "job_variables",
      "priority",
      "state_type",
      "deployment_id",
      "work_queue_id",
    ])
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
    .set({
      updated: p.updated,
      name: p.name,
      flow_version: p.flow_version,
      parameters: p.parameters,
      empirical_policy: p.empirical_policy,
      retry_type: p.retry_type,
      tags: p.tags,
      labels: p.labels,
      infrastructure_pid: p.infrastructure_pid,
      job_variables: p.job_variables,
      priority: p.priority,
    })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function editFlowRunRow(tx: Transaction, row: FlowRunEdit): Promise<void> {
  await tx.run(edit, row);
}

const remove = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("flow_runs")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .returning(["state_type", "work_queue_id", "deployment_id"]),
);

/** Deletes the run with its states, task runs and inputs, and tells where it was; null when there was none. */
export async function removeFlowRunRow(tx: Transaction, id: string) {
  return (await tx.get(remove, { id })) ?? null;
}

const removeLogs = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("logs").where("workspace_id", "=", p.workspace_id).where("flow_run_id", "=", p.id),
);

export async function removeLogsOfRun(tx: Transaction, id: string): Promise<void> {
  await tx.run(removeLogs, { id });
}

const selectFlow = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flows")
    .select(["id", "labels"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

const selectDeployment = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .select(["id", "flow_id", "version", "work_queue_id", "labels"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** What a run takes over from its flow. */
export async function findFlowOfRun(tx: Transaction, id: string) {
  return (await tx.get(selectFlow, { id })) ?? null;
}

/** What a run takes over from its deployment. */
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
