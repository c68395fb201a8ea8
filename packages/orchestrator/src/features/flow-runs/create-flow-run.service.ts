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
  isAppError,
  type JsonText,
  type Queries,
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
  askForFlowRunRow,
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
  const queries = ctx.db.in(scope.workspaceId);
  const { deployment_id, work_pool_name, work_queue_name, state, labels, ...given } = body;
  const flow = await findFlowOfRun(queries, body.flow_id);
  if (flow === null) throw flowNotFound(body.flow_id);
  await assertDocumentsExist(queries, body);
  const newRun = (place: RunPlace): NewFlowRun => ({
    ...given,
    state: state ?? { type: "PENDING" },
    deployment_id: place.deployment?.id ?? null,
    deployment_version: place.deployment?.version ?? null,
    work_queue_id: place.queue,
    labels: runLabels(ctx, { flow, deployment: place.deployment, given: labels ?? {} }),
  });
  if (!deployment_id && !work_pool_name) {
    const run = await prepareFlowRun(ctx, queries, newRun({ deployment: null, queue: null }));
    return writeFlowRun(ctx, scope, (tx) => insertPrepared(ctx, tx, run)).catch(async (error) => {
      const isGone = isAppError(error, "conflict") && !(await findFlowOfRun(queries, flow.id));
      throw isGone ? flowNotFound(flow.id) : error;
    });
  }
  return writeFlowRun(ctx, scope, async (tx) => {
    const deployment = deployment_id ? await findDeploymentOfRun(tx, deployment_id) : null;
    if (deployment_id && deployment === null) {
      throw new AppError("conflict", `Deployment ${deployment_id} does not exist`);
    }
    const queue = work_pool_name
      ? await findQueue(tx, { work_pool_name, work_queue_name: work_queue_name ?? null })
      : (deployment?.work_queue_id ?? null);
    return insertFlowRun(ctx, tx, newRun({ deployment, queue }));
  });
}

/** Where a run belongs. */
interface RunPlace {
  readonly deployment: NonNullable<Awaited<ReturnType<typeof findDeploymentOfRun>>> | null;
  readonly queue: string | null;
}

const flowNotFound = (id: string): AppError =>
  new AppError("conflict", `Flow ${id} does not exist`);

/** Writes a run, and tells what it is like then. */
export async function writeFlowRun(
  ctx: OrchestratorContext,
  { workspaceId }: Scope,
  insert: (tx: Transaction) => Promise<InsertedFlowRun>,
): Promise<CreatedFlowRun> {
  const { json, isNew } = await ctx.db.write(workspaceId, insert);
  return { json: json(), isNew };
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

/** A run of which all is decided, and what its first event will name is at hand. */
export interface PreparedFlowRun {
  readonly given: NewFlowRun;
  readonly row: FlowRunRow;
  readonly state: RunState;
}

/** To be done before the write, where that can be: a write that asks the database nothing in between costs it less. */
export async function prepareFlowRun(
  ctx: OrchestratorContext,
  queries: Queries,
  given: NewFlowRun,
): Promise<PreparedFlowRun> {
  const { row, state } = firstRow(ctx, given, ctx.clock.now());
  await relatedOf(ctx, queries, row);
  return { given, row, state };
}

export interface InsertedFlowRun {
  /** Once the write is done. */
  readonly json: () => JsonText<FlowRun>;
  readonly isNew: boolean;
}

export async function insertFlowRun(
  ctx: OrchestratorContext,
  tx: Transaction,
  given: NewFlowRun,
): Promise<InsertedFlowRun> {
  return insertPrepared(ctx, tx, await prepareFlowRun(ctx, tx, given));
}

/** Inserts the run with its first state and the event of it. A known idempotency key answers with the run it made. */
export async function insertPrepared(
  ctx: OrchestratorContext,
  tx: Transaction,
  { given, row, state }: PreparedFlowRun,
): Promise<InsertedFlowRun> {
  const known = await existing(tx, given, row.created);
  if (known !== null) return { json: () => known, isNew: false };
  await assertParent(tx, given.parent_task_run_id);
  const json = await insertRow(tx, row, given.seen ?? null);
  if (json === null) {
    const other = await existing(tx, given, row.created);
    if (other !== null) return { json: () => other, isNew: false };
    throw new AppError("conflict", "Another run with this idempotency key is being made");
  }
  await insertFlowRunState(tx, { ...stateRow(state), flow_run_id: row.id });
  const owner = { flow_run_id: row.id, task_run_id: null };
  await keepResultArtifact(ctx, tx, { state, owner });
  await emitFlowRunEvent(ctx, tx, {
    run: row,
    runCount: row.run_count,
    initial: null,
    committed: state,
  });
  if (row.state_type === "SCHEDULED") announceRun(tx, row);
  await mirrorToParent(ctx, tx, { run: row, committed: state });
  return { json, isNew: true };
}

/**
 * Null when the idempotency key is taken. Without one nothing can be in the way, and nothing is waited for; what is part of another
 * change, and needs the run before that is done, has a key.
 */
async function insertRow(
  tx: Transaction,
  row: FlowRunRow,
  seen: SeenDeployment | null,
): Promise<InsertedFlowRun["json"] | null> {
  if (row.idempotency_key !== null) {
    const json = await insertFlowRunRow(tx, row, seen);
    return json === null ? null : () => json;
  }
  const asked = askForFlowRunRow(tx, row, seen);
  return () => {
    const { json } = asked.answer() ?? {};
    if (json === undefined) throw new Error(`Run ${row.id} was not written`);
    return json;
  };
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
