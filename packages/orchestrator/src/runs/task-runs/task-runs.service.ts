import type { Labels, TaskRun, TaskRunCreate, TaskRunPolicy } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { inBatches, MORE } from "../../db/in-batches.ts";
import type { TaskRunRow } from "../../db/tables/task-runs.table.ts";
import { releaseHolder } from "../../limits/release-slots.store.ts";
import { runName, taskKey } from "../../texts/run-texts.ts";
import { randomRunName } from "../flow-runs/run-names.ts";
import { orphanSubflows } from "../flow-runs/run-removal.store.ts";
import { NEW_TIMES, timesAfter } from "../orchestration/derive-run.ts";
import { storeResultArtifact } from "../orchestration/result-artifact.ts";
import {
  type RunState,
  receiveState,
  stateRow,
  storedState,
  withDetails,
} from "../orchestration/run-state.ts";
import { BACKGROUND_TASKS_TOPIC } from "../orchestration/set-task-run-state.ts";
import { insertTaskRunState } from "../orchestration/task-run-states.store.ts";
import { completeInputs } from "./task-inputs.rules.ts";
import {
  findFlowRunLabels,
  findTaskRun,
  findTaskRunByKeys,
  insertTaskRunRow,
  removeLogsOfTask,
  removeTaskRunRow,
  renameTaskRunRow,
} from "./task-runs.store.ts";

export interface CreatedTaskRun {
  readonly json: JsonText<TaskRun>;
  /** False when a task run with the same id or keys was there already. */
  readonly isNew: boolean;
}

export async function createTaskRun(
  ctx: OrchestratorContext,
  scope: Scope,
  body: TaskRunCreate,
): Promise<CreatedTaskRun> {
  const now = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const known = await existing(tx, body, now);
    if (known !== null) return { json: known, isNew: false };
    const row = firstRow(ctx, { body, now, labels: await labelsFor(ctx, tx, body) });
    const isNew = await insertTaskRunRow(tx, row);
    const json = isNew ? await begin(ctx, tx, row) : await existing(tx, body, now);
    // It was there a moment ago.
    if (json === null) throw new AppError("conflict", "The task run was deleted in this moment");
    return { json, isNew };
  });
}

/**
 * Stores the first state of a new task run, and offers it to workers where it runs in the
 * background.
 */
async function begin(
  ctx: OrchestratorContext,
  tx: Transaction,
  row: TaskRunRow,
): Promise<JsonText<TaskRun> | null> {
  const state = readJson(row.state ?? "null") as RunState;
  const owner = { flow_run_id: row.flow_run_id, task_run_id: row.id };
  await storeResultArtifact(ctx, tx, { state, owner });
  await insertTaskRunState(tx, { task_run_id: row.id, ...stateRow(state) });
  if (state.type === "SCHEDULED" && state.state_details.deferred === true) {
    tx.notify(BACKGROUND_TASKS_TOPIC);
  }
  return findTaskRun(tx, { id: row.id, now: row.created });
}

async function existing(
  tx: Transaction,
  body: TaskRunCreate,
  now: string,
): Promise<JsonText<TaskRun> | null> {
  const { id, flow_run_id, task_key, dynamic_key } = body;
  const found = flow_run_id
    ? await findTaskRunByKeys(tx, { flow_run_id, task_key, dynamic_key })
    : null;
  if (found !== null) return findTaskRun(tx, { id: found, now });
  if (id == null) return null;
  const named = await findTaskRun(tx, { id, now });
  // Whoever made this one would take the other for its own.
  if (named !== null && !hasKeysOf(body, readJson(named) as TaskRun))
    throw new AppError("conflict", `The id ${id} is that of another task run`);
  return named;
}

function hasKeysOf({ flow_run_id, task_key, dynamic_key }: TaskRunCreate, run: TaskRun): boolean {
  return (
    run.flow_run_id === (flow_run_id ?? null) &&
    [task_key, taskKey(task_key)].includes(run.task_key) &&
    [dynamic_key, taskKey(dynamic_key)].includes(run.dynamic_key)
  );
}

async function labelsFor(
  { dialect }: OrchestratorContext,
  tx: Transaction,
  { flow_run_id, labels }: TaskRunCreate,
): Promise<Labels> {
  if (!flow_run_id) return labels ?? {};
  const inherited = await findFlowRunLabels(tx, flow_run_id);
  if (inherited === null)
    throw new AppError(dialect.unknownNamed, `Flow run ${flow_run_id} does not exist`);
  return {
    ...(readJson(inherited) as Labels),
    [`${dialect.prefix}.flow-run.id`]: flow_run_id,
    ...labels,
  };
}

function firstRow(
  ctx: OrchestratorContext,
  {
    body,
    labels,
    now,
  }: { readonly body: TaskRunCreate; readonly labels: Labels; readonly now: string },
): TaskRunRow {
  const id = body.id ?? ctx.ids.uuid7();
  const flowRunId = body.flow_run_id ?? null;
  const received = receiveState(body.state ?? { type: "PENDING" }, { ids: ctx.ids, now });
  const state = withDetails(received, { flow_run_id: flowRunId, task_run_id: id });
  const times = timesAfter(NEW_TIMES, { from: null, next: state, isCounted: true });
  return {
    id,
    created: now,
    updated: now,
    name: body.name ? runName(body.name) : randomRunName(),
    flow_run_id: flowRunId,
    task_key: taskKey(body.task_key),
    dynamic_key: taskKey(body.dynamic_key),
    cache_key: body.cache_key ?? null,
    cache_expiration: body.cache_expiration ?? null,
    task_version: body.task_version ?? null,
    empirical_policy: writeJson(fullTaskPolicy(body.empirical_policy)),
    tags: JSON.stringify([...new Set(body.tags ?? [])]),
    labels: writeJson(labels),
    task_inputs: writeJson(completeInputs(body.task_inputs ?? {})),
    state_id: state.id,
    state_type: state.type,
    state_name: state.name,
    state_timestamp: times.state_timestamp,
    state: storedState(state),
    run_count: times.run_count,
    flow_run_run_count: 0,
    expected_start_time: times.expected_start_time,
    next_scheduled_start_time: times.next_scheduled_start_time,
    start_time: times.start_time,
    end_time: times.end_time,
    total_run_time: times.total_run_time,
  };
}

/** A policy with every key, where the older names fill what the newer ones leave open. */
export function fullTaskPolicy(given: TaskRunPolicy | null | undefined): TaskRunPolicy {
  const { max_retries = 0, retry_delay_seconds = 0, ...rest } = given ?? {};
  return {
    max_retries,
    retry_delay_seconds,
    retries: rest.retries ?? (max_retries > 0 ? max_retries : null),
    retry_delay: rest.retry_delay ?? (retry_delay_seconds > 0 ? retry_delay_seconds : null),
    retry_jitter_factor: rest.retry_jitter_factor ?? null,
  };
}

export async function readTaskRun(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<TaskRun>> {
  const run = await findTaskRun(ctx.db.in(scope.workspaceId), { id, now: ctx.clock.now() });
  if (run === null) throw notFound(id);
  return run;
}

export async function renameTaskRun(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, name }: { readonly id: string; readonly name: string | null | undefined },
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const now = ctx.clock.now();
    const isThere = name
      ? await renameTaskRunRow(tx, { id, updated: now, name: runName(name) })
      : (await findTaskRun(tx, { id, now })) !== null;
    if (!isThere) throw notFound(id);
  });
}

export async function deleteTaskRun(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  await inBatches(ctx.db, scope.workspaceId, async (tx) => {
    if (!(await orphanSubflows(tx, [id])) || !(await removeLogsOfTask(tx, id))) return MORE;
    if (!(await removeTaskRunRow(tx, id))) throw notFound(id);
    return releaseHolder(ctx, tx, { type: "task_run", id, now: ctx.clock.now() });
  });
}

function notFound(id: string): AppError {
  return new AppError("not_found", `Task run ${id} not found`);
}
