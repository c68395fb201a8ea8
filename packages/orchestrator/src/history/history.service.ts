import {
  type EndedTaskRuns,
  type HistoryInterval,
  type NextRun,
  STATE_TYPES,
  type TaskRunInContext,
  type TaskRunStateCounts,
} from "@orchestrator/contract";
import { counterFor, type Filterable, type Selection } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import { sumCounters } from "./counted-history.store.ts";
import {
  countDeploymentsOf,
  countTaskRunsOf,
  findNextRuns,
  findTaskRunInContext,
} from "./figures.store.ts";
import { dashboardIntervals, fillIntervals, intervalsBetween } from "./history.rules.ts";
import {
  averageLateness,
  countEndedTaskRuns,
  countTaskRunsByState,
  sumByInterval,
} from "./history.store.ts";
import { holdsMinutes } from "./interval-parts.rules.ts";
import { readRemoteHistory } from "./remote-history.store.ts";

/** A list of runs, and which of them. */
interface RunSelection extends Selection {
  readonly list: Filterable;
}

interface HistoryRange {
  readonly history_start: string;
  readonly history_end: string;
  readonly history_interval_seconds: number;
}

/** How many runs were expected to start in each interval, and what state they are in now. */
export async function readHistory(
  ctx: OrchestratorContext,
  scope: Scope,
  { list, ...selection }: RunSelection,
  range: HistoryRange,
): Promise<JsonText<HistoryInterval[]>> {
  const { history_start: start, history_end: end, history_interval_seconds: seconds } = range;
  const intervals = intervalsBetween(start, { end, seconds });
  if (intervals.count === 0) return "[]";
  const request = { selection, intervals, now: ctx.clock.now() };
  const queries = ctx.db.in(scope.workspaceId);
  const tally = holdsMinutes(intervals) ? counterFor(list, selection) : null;
  if (tally !== null && queries.dialect.isRemote) return readRemoteHistory(queries, list, request);
  const figures =
    tally === null
      ? sumByInterval(queries, list, request)
      : sumCounters(queries, { list, tally }, request);
  return JSON.stringify(fillIntervals(intervals, await figures));
}

export async function readLateness(
  ctx: OrchestratorContext,
  scope: Scope,
  { list, ...selection }: RunSelection,
): Promise<number | null> {
  const request = { selection, now: ctx.clock.now() };
  return averageLateness(ctx.db.in(scope.workspaceId), list, request);
}

interface TaskRunFilterLike {
  readonly start_time?: {
    readonly after_?: string | null;
    readonly before_?: string | null;
  } | null;
}

/** How the task runs of twenty intervals ended. Which state to look for is not up to the caller. */
export async function readTaskRunDashboard(
  ctx: OrchestratorContext,
  scope: Scope,
  selection: Selection & { readonly filter: TaskRunFilterLike & Readonly<Record<string, unknown>> },
): Promise<EndedTaskRuns[]> {
  const { start_time } = selection.filter;
  if (start_time?.after_ == null)
    throw new AppError("invalid", "task_runs.start_time.after_ is required");
  const intervals = dashboardIntervals(start_time.after_, start_time.before_ ?? ctx.clock.now());
  const filter = { ...selection.filter, state: null };
  const counted = await countEndedTaskRuns(ctx.db.in(scope.workspaceId), {
    selection: { ...selection, filter },
    intervals,
  });
  const ended = Array.from({ length: intervals.count }, () => ({ completed: 0, failed: 0 }));
  for (const { interval, completed, failed } of counted) ended[interval] = { completed, failed };
  return ended;
}

export async function countTaskRunStates(
  ctx: OrchestratorContext,
  scope: Scope,
  selection: Selection,
): Promise<TaskRunStateCounts> {
  const counted = await countTaskRunsByState(ctx.db.in(scope.workspaceId), selection);
  const counts = new Map(counted.map(({ state_type, runs }) => [state_type, runs]));
  return Object.fromEntries(
    STATE_TYPES.map((type) => [type, counts.get(type) ?? 0]),
  ) as TaskRunStateCounts;
}

export async function countTaskRunsOfFlowRuns(
  ctx: OrchestratorContext,
  scope: Scope,
  flowRunIds: readonly string[],
): Promise<Record<string, number>> {
  const counted = await countTaskRunsOf(ctx.db.in(scope.workspaceId), flowRunIds);
  return countsOf(flowRunIds, counted);
}

export async function countDeploymentsOfFlows(
  ctx: OrchestratorContext,
  scope: Scope,
  flowIds: readonly string[],
): Promise<Record<string, number>> {
  return countsOf(flowIds, await countDeploymentsOf(ctx.db.in(scope.workspaceId), flowIds));
}

export async function readNextRuns(
  ctx: OrchestratorContext,
  scope: Scope,
  flowIds: readonly string[],
): Promise<Record<string, NextRun | null>> {
  const runs = await findNextRuns(ctx.db.in(scope.workspaceId), flowIds);
  const byFlow = new Map(runs.map((run) => [run.flow_id, run]));
  return Object.fromEntries(flowIds.map((id) => [id, byFlow.get(id) ?? null]));
}

export async function readTaskRunInContext(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<TaskRunInContext>> {
  const queries = ctx.db.in(scope.workspaceId);
  const taskRun = await findTaskRunInContext(queries, { id, now: ctx.clock.now() });
  if (taskRun === null) throw new AppError("not_found", `Task run ${id} not found`);
  return taskRun;
}

/** Every id that was asked for, with its count or none. */
function countsOf(
  ids: readonly string[],
  counted: readonly { readonly id: string | null; readonly count: number }[],
): Record<string, number> {
  const counts = new Map(counted.map(({ id, count }) => [id, count]));
  return Object.fromEntries(ids.map((id) => [id, counts.get(id) ?? 0]));
}
