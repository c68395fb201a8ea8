// Task runs as the clients report them: the server writes down and decides nothing.

import { writeJson } from "@orchestrator/exact-json";
import { plusSeconds } from "@orchestrator/kernel/pure";
import type { SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { TaskRunRow } from "../../db/tables/task-runs.table.ts";
import {
  isHeartbeat,
  isTaskRunEvent,
  parseEvent,
  readRunHeartbeat,
  readTaskRunReport,
  type TaskRunReport,
} from "../../telemetry/events/task-run-event.rules.ts";
import { taskKey } from "../../texts/run-texts.ts";
import { type RunState, receiveState, withDetails } from "../orchestration/run-state.ts";
import { BACKGROUND_TASKS_TOPIC } from "../orchestration/set-task-run-state.ts";
import { insertTaskRunState } from "../orchestration/task-run-states.store.ts";
import { completeInputs } from "../task-runs/task-inputs.rules.ts";
import { fullTaskPolicy } from "../task-runs/task-runs.service.ts";
import { findTaskRunByKeys, insertTaskRunRow } from "../task-runs/task-runs.store.ts";
import {
  extendSilenceDeadline,
  findPlace,
  findReady,
  hasFlowRun,
  moveTaskRun,
  type ReportedChange,
  storeWaitingEvent,
  type TaskRunPlace,
  takeWaiting,
  updateReportedTaskRun,
} from "./task-run-recorder.store.ts";

/** How long a report waits for the flow run it belongs to. */
const WAIT_SECONDS = 120;
const READY_BATCH = 200;

type Recorded = "recorded" | "no flow run" | "not recordable";

/** An event of the log that may concern a run. */
interface RunEvent {
  readonly workspace_id: string;
  readonly id: string;
  readonly event: string;
  readonly body: string;
}

/** Writes down what the event says about a run, if it says anything about one. */
export async function recordEvent(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { workspace_id, id, event, body }: RunEvent,
): Promise<void> {
  if (isHeartbeat(event)) {
    const { received, ...heard } = parseEvent(body);
    const heartbeat = readRunHeartbeat({ received, ...heard });
    if (heartbeat === null) return;
    const deadline = plusSeconds(received, heartbeat.silenceSeconds);
    await extendSilenceDeadline(tx.inWorkspace(workspace_id), {
      id: heartbeat.flowRunId,
      silence_seconds: heartbeat.silenceSeconds,
      deadline,
    });
    return;
  }
  if (!isTaskRunEvent(event)) return;
  const report = readTaskRunReport(parseEvent(body));
  if (report === null) return;
  if (typeof report === "string") {
    ctx.log.warn({ event_id: id, problem: report }, "A task run's event cannot be recorded");
    return;
  }
  const outcome = await recordReport(ctx, tx.inWorkspace(workspace_id), report);
  if (outcome === "no flow run" && report.flowRunId !== null) {
    const due = plusSeconds(ctx.clock.now(), WAIT_SECONDS);
    const row = { event_id: id, flow_run_id: report.flowRunId, body, due };
    await storeWaitingEvent(tx.inWorkspace(workspace_id), row);
  }
}

/** Records what waited for a flow run that has come, and gives up what has waited long enough. */
export async function recordWaiting(ctx: OrchestratorContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ready = await findReady(ctx.db, { now: ctx.clock.now(), limit: READY_BATCH });
    if (ready.length === 0) return;
    await ctx.db.writeSystem(async (tx) => {
      for (const waiting of ready) {
        if (!(await takeWaiting(tx, waiting)) || !waiting.has_run) continue;
        const event = parseEvent(waiting.body);
        const { workspace_id, event_id: id, body } = waiting;
        await recordEvent(ctx, tx, { workspace_id, id, event: event.event, body });
      }
    });
    for (const { event_id, flow_run_id, has_run } of ready) {
      if (has_run) continue;
      ctx.log.warn(
        { event_id, flow_run_id },
        "A task run's event was dropped: its flow run never came",
      );
    }
  }
}

async function recordReport(
  ctx: OrchestratorContext,
  tx: Transaction,
  report: TaskRunReport,
): Promise<Recorded> {
  const known = await findKnown(tx, report);
  const id = known?.id ?? report.taskRunId;
  const state = reportedState(ctx, { ...report, taskRunId: id });
  // With all that was reported, in the run and in its history.
  const text = writeJson(state);
  if (known === null) {
    if (report.flowRunId !== null && !(await hasFlowRun(tx, report.flowRunId)))
      return "no flow run";
    const row = firstRow(ctx, report, { state, text });
    if (row === null) {
      ctx.log.warn(
        { event_id: report.eventId },
        "A task run's event cannot be recorded: it lacks keys",
      );
      return "not recordable";
    }
    if (!(await insertTaskRunRow(tx, row))) return recordReportAgain(ctx, tx, report);
  } else {
    const change = changeOf(ctx, { ...report, taskRunId: id }, { state, text });
    const isNews = await updateReportedTaskRun(tx, change);
    if (isNews && known.place !== null) await moveTaskRun(tx, { id, ...known.place });
  }
  const { timestamp, type, name } = state;
  const row = { id: state.id, task_run_id: id, timestamp, type, name, state: text };
  await insertTaskRunState(tx, row);
  if (state.type === "SCHEDULED" && state.state_details.deferred === true) {
    tx.notify(BACKGROUND_TASKS_TOPIC);
  }
  return "recorded";
}

/** Somebody else has made the run in this moment; or made and deleted it. */
async function recordReportAgain(
  ctx: OrchestratorContext,
  tx: Transaction,
  report: TaskRunReport,
): Promise<Recorded> {
  if ((await findKnown(tx, report)) !== null) return recordReport(ctx, tx, report);
  ctx.log.warn(
    { event_id: report.eventId },
    "A task run's event cannot be recorded: the run was deleted",
  );
  return "not recordable";
}

interface Known {
  readonly id: string;
  /** Where the report says that it is, if that is news. */
  readonly place: TaskRunPlace | null;
}

/**
 * The run under the keys it has in its flow run, whatever id the report gives it; else under its
 * id.
 */
async function findKnown(tx: Transaction, report: TaskRunReport): Promise<Known | null> {
  const { flowRunId: flow_run_id, taskRunId } = report;
  const { task_key, dynamic_key } = report.run;
  if (flow_run_id !== null && task_key != null && dynamic_key != null) {
    const found = await findTaskRunByKeys(tx, { flow_run_id, task_key, dynamic_key });
    if (found !== null) return { id: found, place: null };
  }
  const before = await findPlace(tx, taskRunId);
  return before && { id: taskRunId, place: await newPlace(tx, report, before) };
}

/** A flow run that is not there, or of which nothing is said, is not news. */
async function newPlace(
  tx: Transaction,
  { run, flowRunId }: TaskRunReport,
  before: TaskRunPlace,
): Promise<TaskRunPlace | null> {
  if (run.task_key == null || run.dynamic_key == null) return null;
  const [task_key, dynamic_key] = [taskKey(run.task_key), taskKey(run.dynamic_key)];
  const isElsewhere = flowRunId !== null && flowRunId !== before.flow_run_id;
  const flow_run_id =
    isElsewhere && (await hasFlowRun(tx, flowRunId)) ? flowRunId : before.flow_run_id;
  const isSame =
    flow_run_id === before.flow_run_id &&
    task_key === before.task_key &&
    dynamic_key === before.dynamic_key;
  if (isSame) return null;
  // Where it stays, another run may have these keys.
  const isTaken =
    flow_run_id !== null &&
    (await findTaskRunByKeys(tx, { flow_run_id, task_key, dynamic_key })) !== null;
  return isTaken ? null : { flow_run_id, task_key, dynamic_key };
}

function reportedState(ctx: OrchestratorContext, report: TaskRunReport): RunState {
  const { eventId, occurred, taskRunId, flowRunId, state } = report;
  const received = receiveState(state, { ids: ctx.ids, now: occurred });
  return withDetails(
    { ...received, id: eventId },
    { task_run_id: taskRunId, flow_run_id: flowRunId },
  );
}

const json = (value: unknown): string | null => (value == null ? null : writeJson(value));

interface Reported {
  readonly state: RunState;
  /** The same as JSON. */
  readonly text: string;
}

function changeOf(
  ctx: OrchestratorContext,
  { run, taskRunId, name }: TaskRunReport,
  { state, text }: Reported,
): ReportedChange {
  return {
    id: taskRunId,
    updated: ctx.clock.now(),
    state_id: state.id,
    state_type: state.type,
    state_name: state.name,
    state_timestamp: state.timestamp,
    state: text,
    name: run.name ?? name ?? null,
    cache_key: run.cache_key ?? null,
    cache_expiration: run.cache_expiration ?? null,
    task_version: run.task_version ?? null,
    empirical_policy: json(run.empirical_policy && fullTaskPolicy(run.empirical_policy)),
    tags: json(run.tags && [...new Set(run.tags)]),
    labels: json(run.labels),
    task_inputs: json(run.task_inputs && completeInputs(run.task_inputs)),
    run_count: run.run_count ?? null,
    flow_run_run_count: run.flow_run_run_count ?? null,
    expected_start_time: run.expected_start_time ?? null,
    next_scheduled_start_time: run.next_scheduled_start_time ?? null,
    start_time: run.start_time ?? null,
    end_time: run.end_time ?? null,
    total_run_time: run.total_run_time ?? null,
  };
}

/**
 * The row of a run that was not known; null when the report does not say which task it is a run of.
 */
function firstRow(
  ctx: OrchestratorContext,
  report: TaskRunReport,
  reported: Reported,
): TaskRunRow | null {
  const { task_key: key, dynamic_key } = report.run;
  if (key == null || dynamic_key == null) return null;
  const task_key = taskKey(key);
  const change = changeOf(ctx, report, reported);
  return {
    created: change.updated,
    flow_run_id: report.flowRunId,
    task_key,
    dynamic_key: taskKey(dynamic_key),
    ...change,
    name: change.name ?? task_key,
    empirical_policy: change.empirical_policy ?? JSON.stringify(fullTaskPolicy(null)),
    tags: change.tags ?? "[]",
    labels: change.labels ?? "{}",
    task_inputs: change.task_inputs ?? "{}",
    run_count: change.run_count ?? 0,
    flow_run_run_count: change.flow_run_run_count ?? 0,
    total_run_time: change.total_run_time ?? 0,
  };
}
