import type {
  FlowRun,
  FlowRunCreate,
  FlowRunPolicy,
  Labels,
  StateCreate,
} from "@orchestrator/contract";
import {
  AppError,
  InvalidRequestError,
  type JsonText,
  type Scope,
  type Transaction,
} from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { deadlineOf } from "../../orchestration/deadlines.ts";
import { NEW_TIMES, timesAfter } from "../../orchestration/derive-run.ts";
import { emitFlowRunEvent } from "../../orchestration/flow-run-event.ts";
import { insertFlowRunState } from "../../orchestration/flow-run-states.store.ts";
import { mirrorToParent } from "../../orchestration/mirror-subflow.ts";
import { relatedOf } from "../../orchestration/related-resources.ts";
import { keepResultArtifact } from "../../orchestration/result-artifact.ts";
import {
  type RunState,
  receiveState,
  stateRow,
  withDetails,
} from "../../orchestration/run-state.ts";
import { MAX_PARAMETERS_BYTES, parametersTooLarge } from "../../parameters/merge.ts";
import { assertDocumentsExist } from "../block-documents/named-documents.service.ts";
import { findQueue } from "../work-pools/queue-assignment.service.ts";
import { announceRun } from "../work-pools/work-topics.rules.ts";
import {
  findDeploymentOfRun,
  findFlowOfRun,
  findFlowRun,
  findRunByKey,
  hasTaskRun,
  insertFlowRunRow,
  type SeenDeployment,
} from "./flow-runs.store.ts";
import type { FlowRunRow } from "./flow-runs.table.ts";
import { randomRunName } from "./run-names.ts";
import { fullPolicy } from "./run-policy.rules.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** A run to be made, with all that its caller has decided. What is left out is empty or made up. */
export interface NewFlowRun {
  readonly flow_id: string;
  readonly state: StateCreate;
  readonly labels: Labels;
  readonly name?: string | null | undefined;
  readonly deployment_id?: string | null;
  readonly deployment_version?: string | null;
  /** Where the deployment was read outside the transaction: what it was like. */
  readonly seen?: SeenDeployment;
  readonly work_queue_id?: string | null;
  readonly flow_version?: string | null | undefined;
  readonly parameters?: JsonObject | null | undefined;
  readonly idempotency_key?: string | null | undefined;
  readonly context?: JsonObject | null | undefined;
  readonly empirical_policy?: FlowRunPolicy | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly parent_task_run_id?: string | null | undefined;
  readonly infrastructure_document_id?: string | null | undefined;
  readonly job_variables?: JsonObject | null | undefined;
  readonly priority?: number | null | undefined;
  readonly created_by?: {
    readonly id: string | null;
    readonly type: string;
    readonly display_value: string | null;
  } | null;
}

export interface CreatedFlowRun {
  readonly json: JsonText<FlowRun>;
  /** False when a run with the same idempotency key was there already. */
  readonly isNew: boolean;
}

/** Makes a run that no deployment has prepared. With a deployment's id it inherits the queue, so that workers find it. */
export async function createFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  body: FlowRunCreate,
): Promise<CreatedFlowRun> {
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const { deployment_id, work_pool_name, work_queue_name, state, labels, ...given } = body;
    const flow = await findFlowOfRun(tx, body.flow_id);
    if (flow === null) throw new AppError("conflict", `Flow ${body.flow_id} does not exist`);
    const deployment = deployment_id ? await findDeploymentOfRun(tx, deployment_id) : null;
    if (deployment_id && deployment === null) {
      throw new AppError("conflict", `Deployment ${deployment_id} does not exist`);
    }
    await assertDocumentsExist(tx, body);
    const queue = work_pool_name
      ? await findQueue(tx, { work_pool_name, work_queue_name: work_queue_name ?? null })
      : (deployment?.work_queue_id ?? null);
    return insertFlowRun(ctx, tx, {
      ...given,
      state: state ?? { type: "PENDING" },
      deployment_id: deployment?.id ?? null,
      deployment_version: deployment?.version ?? null,
      work_queue_id: queue,
      labels: runLabels(ctx, { flow, deployment, given: labels ?? {} }),
    });
  });
}

/** The labels of a run: those of what it came from, its origin, and its own, of which the later win. */
export function runLabels(
  { dialect }: Pick<OrchestratorContext, "dialect">,
  {
    flow,
    deployment,
    given,
  }: {
    readonly flow: { readonly id: string; readonly labels: string };
    readonly deployment: { readonly id: string; readonly labels: string } | null;
    readonly given: Labels;
  },
): Labels {
  const { prefix } = dialect;
  return {
    ...(JSON.parse((deployment ?? flow).labels) as Labels),
    [`${prefix}.flow.id`]: flow.id,
    ...(deployment !== null && { [`${prefix}.deployment.id`]: deployment.id }),
    ...given,
  };
}

/** Inserts the run with its first state and the event of it. A known idempotency key answers with the run it made. */
export async function insertFlowRun(
  ctx: OrchestratorContext,
  tx: Transaction,
  given: NewFlowRun,
): Promise<CreatedFlowRun> {
  const now = ctx.clock.now();
  const known = await existing(tx, given, now);
  if (known !== null) return { json: known, isNew: false };
  await assertParent(tx, given.parent_task_run_id);
  const { row, state: committed } = firstRow(ctx, given, now);
  // Asked for together, where that saves a round trip; the event finds it at hand.
  const [json] = await Promise.all([
    insertFlowRunRow(tx, row, given.seen),
    relatedOf(ctx, tx, row),
  ]);
  if (json === null) {
    const other = await existing(tx, given, now);
    if (other !== null) return { json: other, isNew: false };
    throw new AppError("conflict", "Another run with this idempotency key is being made");
  }
  await insertFlowRunState(tx, { ...stateRow(committed), flow_run_id: row.id });
  const owner = { flow_run_id: row.id, task_run_id: null };
  await keepResultArtifact(ctx, tx, { state: committed, owner });
  await emitFlowRunEvent(ctx, tx, {
    run: row,
    runCount: row.run_count,
    initial: null,
    committed,
  });
  if (row.state_type === "SCHEDULED") announceRun(tx, row);
  await mirrorToParent(ctx, tx, { run: row, committed });
  return { json, isNew: true };
}

async function assertParent(tx: Transaction, id: string | null | undefined): Promise<void> {
  if (id && !(await hasTaskRun(tx, id))) {
    throw new AppError("conflict", `Task run ${id} does not exist`);
  }
}

async function existing(
  tx: Transaction,
  { flow_id, idempotency_key }: NewFlowRun,
  now: string,
): Promise<JsonText<FlowRun> | null> {
  if (!idempotency_key) return null;
  const id = await findRunByKey(tx, { flow_id, idempotency_key });
  return id === null ? null : findFlowRun(tx, { id, now });
}

/** The row of a run that has just entered its first state. Every column is named: spreading one object into another so large is slow. */
function firstRow(
  ctx: OrchestratorContext,
  given: NewFlowRun,
  now: string,
): { readonly row: FlowRunRow; readonly state: RunState } {
  const id = ctx.ids.uuid7();
  const policy = fullPolicy(given.empirical_policy);
  const parentTaskRunId = given.parent_task_run_id ?? null;
  const received = receiveState(given.state, { ids: ctx.ids, now });
  const state = withDetails(received, { flow_run_id: id, task_run_id: parentTaskRunId });
  const times = timesAfter(NEW_TIMES, { from: null, next: state, isCounted: true });
  const createdBy = given.created_by ?? null;
  const row: FlowRunRow = {
    id,
    created: now,
    updated: now,
    name: given.name || randomRunName(),
    flow_id: given.flow_id,
    deployment_id: given.deployment_id ?? null,
    deployment_version: given.deployment_version ?? null,
    work_queue_id: given.work_queue_id ?? null,
    flow_version: given.flow_version ?? null,
    parameters: parametersJson(given.parameters ?? {}),
    idempotency_key: given.idempotency_key || null,
    context: JSON.stringify(given.context ?? {}),
    empirical_policy: JSON.stringify(policy),
    retry_type: policy.retry_type ?? null,
    tags: JSON.stringify([...new Set(given.tags ?? [])]),
    labels: JSON.stringify(given.labels),
    parent_task_run_id: parentTaskRunId,
    state_id: state.id,
    state_type: state.type,
    state_name: state.name,
    state_timestamp: times.state_timestamp,
    state: JSON.stringify(state),
    run_count: times.run_count,
    expected_start_time: times.expected_start_time,
    next_scheduled_start_time: times.next_scheduled_start_time,
    start_time: times.start_time,
    effective_start_time: times.start_time ?? times.expected_start_time,
    end_time: times.end_time,
    total_run_time: times.total_run_time,
    auto_scheduled: false,
    infrastructure_document_id: given.infrastructure_document_id ?? null,
    infrastructure_pid: null,
    created_by: createdBy === null ? null : JSON.stringify(createdBy),
    created_by_id: createdBy?.id ?? null,
    created_by_type: createdBy?.type ?? null,
    job_variables: JSON.stringify(given.job_variables ?? {}),
    priority: given.priority ?? 0,
    deadline: deadlineOf(ctx, state),
  };
  return { row, state };
}

export function parametersJson(parameters: JsonObject): string {
  const json = JSON.stringify(parameters);
  if (!parametersTooLarge(json)) return json;
  throw new InvalidRequestError([
    {
      type: "value_error",
      loc: ["body", "parameters"],
      msg: `Value error, parameters take more than ${MAX_PARAMETERS_BYTES} bytes`,
    },
  ]);
}
