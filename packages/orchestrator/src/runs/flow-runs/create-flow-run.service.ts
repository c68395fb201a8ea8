import type { FlowRun, FlowRunCreate } from "@orchestrator/contract";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import {
  isMissingValue,
  type JsonText,
  type Queries,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { assertDocumentsExist } from "../../blocks/documents/named-documents.service.ts";
import type { OrchestratorContext } from "../../context.ts";
import type { FlowRunRow } from "../../db/tables/flow-runs.table.ts";
import { announceRun } from "../../polling/work-topics.rules.ts";
import { copyResults } from "../../telemetry/journal/reused-results.store.ts";
import { findQueueId } from "../../work/pools/queue-assignment.service.ts";
import { emitFlowRunEvent } from "../orchestration/flow-run-event.ts";
import type { RunRelations } from "../orchestration/flow-run-states.store.ts";
import { mirrorToParent } from "../orchestration/mirror-subflow.ts";
import { NOWHERE, relatedOf } from "../orchestration/related-resources.ts";
import { storeResultArtifact } from "../orchestration/result-artifact.ts";
import type { RunState } from "../orchestration/run-state.ts";
import { cachedFlow, cacheFlow, forgetFlow } from "./flow-cache.ts";
import {
  insertFlowRunRow,
  pipelineFlowRunRow,
  type SeenDeployment,
  type SeenFlow,
} from "./flow-run-insert.store.ts";
import {
  type FlowOfRun,
  findDeploymentOfRun,
  findFlowOfRun,
  findFlowRun,
  findRunByKey,
  hasTaskRun,
} from "./flow-runs.store.ts";
import { firstRow, type NewFlowRun, runLabels } from "./new-flow-run.ts";

export interface CreatedFlowRun {
  readonly json: JsonText<FlowRun>;
  /** False when a run with the same idempotency key was there already. */
  readonly isNew: boolean;
}

interface AskedRun {
  readonly body: FlowRunCreate;
  /** Who or what wants the run; nobody in particular when left out. */
  readonly createdBy?: NewFlowRun["created_by"];
}

/**
 * Makes a run that no deployment has prepared. With a deployment's id it inherits the queue, so
 * that workers find it.
 */
export async function createFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  asked: AskedRun,
): Promise<CreatedFlowRun> {
  const { flow_id, deployment_id, work_pool_name, idempotency_key } = asked.body;
  const isPlain = !deployment_id && !work_pool_name && !idempotency_key;
  const place = { workspaceId: scope.workspaceId, id: flow_id };
  const known = isPlain ? cachedFlow(ctx.db, place) : undefined;
  if (known !== undefined) {
    try {
      return await createPlainRun(ctx, scope, { flow: known, isSure: false, ...asked });
    } catch (error) {
      if (!isMissingValue(error, "flow_id") && !isAppError(error, "conflict")) throw error;
      forgetFlow(ctx.db, place);
    }
  }
  const queries = ctx.db.in(scope.workspaceId);
  const flow = await findFlowOfRun(queries, flow_id);
  if (flow === null) throw flowNotFound(ctx, flow_id);
  if (isPlain) cacheFlow(ctx.db, scope.workspaceId, flow);
  try {
    return await (isPlain
      ? createPlainRun(ctx, scope, { flow, isSure: true, ...asked })
      : createPlacedRun(ctx, scope, { flow, ...asked }));
  } catch (error) {
    const isGone = isAppError(error, "conflict") && !(await findFlowOfRun(queries, flow.id));
    throw isGone ? flowNotFound(ctx, flow.id) : error;
  }
}

interface RunOfFlow extends AskedRun {
  readonly flow: FlowOfRun;
}

/**
 * Of one that belongs to its flow alone nothing has to be read. Where the flow may have changed
 * since it was, the write fails.
 */
async function createPlainRun(
  ctx: OrchestratorContext,
  scope: Scope,
  { isSure, ...asked }: RunOfFlow & { readonly isSure: boolean },
): Promise<CreatedFlowRun> {
  const { flow, body } = asked;
  const queries = ctx.db.in(scope.workspaceId);
  await assertDocumentsExist(ctx, queries, body);
  const around = { flow_name: flow.name, flow_tags: flow.tags, ...NOWHERE };
  const run = await prepareFlowRun(ctx, queries, newRun(ctx, asked, UNPLACED), around);
  const seen = isSure ? null : { flow_updated: flow.updated };
  return writeFlowRun(ctx, scope, (tx) => insertPrepared(ctx, tx, run, seen));
}

function createPlacedRun(
  ctx: OrchestratorContext,
  scope: Scope,
  asked: RunOfFlow,
): Promise<CreatedFlowRun> {
  const { deployment_id, work_pool_name, work_queue_name } = asked.body;
  return writeFlowRun(ctx, scope, async (tx) => {
    const deployment = deployment_id ? await findDeploymentOfRun(tx, deployment_id) : null;
    if (deployment_id && deployment === null) {
      throw new AppError(ctx.dialect.unknownNamed, `Deployment ${deployment_id} does not exist`);
    }
    await assertDocumentsExist(ctx, tx, asked.body);
    const queue = work_pool_name
      ? await findQueueId(tx, { work_pool_name, work_queue_name: work_queue_name || null })
      : (deployment?.work_queue_id ?? null);
    return insertFlowRun(ctx, tx, newRun(ctx, asked, { deployment, queue }));
  });
}

function newRun(
  ctx: OrchestratorContext,
  { body, flow, createdBy = null }: RunOfFlow,
  { deployment, queue }: RunPlace,
): NewFlowRun {
  const {
    deployment_id: _deployment,
    work_pool_name: _pool,
    work_queue_name: _queue,
    state,
    labels,
    job_variables,
    ...given
  } = body;
  return {
    created_by: createdBy,
    state: state ?? { type: "PENDING" },
    deployment_id: deployment?.id ?? null,
    deployment_version: deployment?.version ?? null,
    work_queue_id: queue,
    job_variables: job_variables ?? null,
    labels: runLabels(ctx, { flow, deployment, given: labels ?? {} }),
    ...given,
  };
}

/** Where a run belongs. */
interface RunPlace {
  readonly deployment: NonNullable<Awaited<ReturnType<typeof findDeploymentOfRun>>> | null;
  readonly queue: string | null;
}

const UNPLACED: RunPlace = { deployment: null, queue: null };

const flowNotFound = ({ dialect }: OrchestratorContext, id: string): AppError =>
  new AppError(dialect.unknownNamed, `Flow ${id} does not exist`);

/** Writes a run, and tells what it is like then. */
export async function writeFlowRun(
  ctx: OrchestratorContext,
  { workspaceId }: Scope,
  insert: (tx: Transaction) => Promise<InsertedFlowRun>,
): Promise<CreatedFlowRun> {
  const { json, isNew } = await ctx.db.write(workspaceId, insert);
  return { json: json(), isNew };
}

/** A run of which all is decided, and what its first event will name is at hand. */
export interface PreparedFlowRun {
  readonly given: NewFlowRun;
  readonly row: FlowRunRow;
  readonly state: RunState;
}

/**
 * To be done before the write, where that can be: a write that asks the database nothing in between
 * costs it less.
 */
export async function prepareFlowRun(
  ctx: OrchestratorContext,
  queries: Queries,
  given: NewFlowRun,
  around: RunRelations | null = null,
): Promise<PreparedFlowRun> {
  const { row, state } = firstRow(ctx, given, ctx.clock.now());
  await relatedOf(ctx, queries, row, row.parent_task_run_id === null ? around : null);
  return { given, row, state };
}

export interface InsertedFlowRun {
  /** Once the write is done. */
  readonly json: () => JsonText<FlowRun>;
  readonly isNew: boolean;
}

/**
 * Inserts the run with its first state and the event of it. A known idempotency key answers with
 * the run it made.
 */
export async function insertFlowRun(
  ctx: OrchestratorContext,
  tx: Transaction,
  given: NewFlowRun,
): Promise<InsertedFlowRun> {
  const known = await existing(tx, given, ctx.clock.now());
  if (known !== null) return { json: () => known, isNew: false };
  return insertPrepared(ctx, tx, await prepareFlowRun(ctx, tx, given));
}

/** The same of one that was prepared before. */
export async function insertPrepared(
  ctx: OrchestratorContext,
  tx: Transaction,
  { given, row, state }: PreparedFlowRun,
  seenFlow: SeenFlow | null = null,
): Promise<InsertedFlowRun> {
  await assertParent(ctx, tx, given.parent_task_run_id);
  const json = await insertRow(tx, row, { deployment: given.seen ?? null, flow: seenFlow });
  if (json === null) {
    const other = await existing(tx, given, row.created);
    if (other !== null) return { json: () => other, isNew: false };
    throw new AppError("conflict", "Another run with this idempotency key is being made");
  }
  if (given.reused) copyResults(tx, { ...given.reused, copy_id: row.id });
  const owner = { flow_run_id: row.id, task_run_id: null };
  await storeResultArtifact(ctx, tx, { state, owner });
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
 * Null when the idempotency key is taken. Without one nothing can be in the way, and nothing is
 * waited for; what is part of another change, and needs the run before that is done, has a key.
 */
async function insertRow(
  tx: Transaction,
  row: FlowRunRow,
  seen: { readonly deployment: SeenDeployment | null; readonly flow: SeenFlow | null },
): Promise<InsertedFlowRun["json"] | null> {
  if (row.idempotency_key !== null) {
    const json = await insertFlowRunRow(tx, row, seen.deployment);
    return json === null ? null : () => json;
  }
  const asked = pipelineFlowRunRow(tx, row, seen.flow ?? seen.deployment);
  return () => {
    const { json } = asked.answer() ?? {};
    if (json === undefined) throw new Error(`Run ${row.id} was not written`);
    return json;
  };
}

async function assertParent(
  { dialect }: OrchestratorContext,
  tx: Transaction,
  id: string | null | undefined,
): Promise<void> {
  if (id && !(await hasTaskRun(tx, id))) {
    throw new AppError(dialect.unknownNamed, `Task run ${id} does not exist`);
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
