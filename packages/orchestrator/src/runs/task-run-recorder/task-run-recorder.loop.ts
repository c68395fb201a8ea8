import { createLogReader } from "@orchestrator/kernel/events";
import { sleep } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import {
  flowRunOf,
  isHeartbeat,
  isTaskRunEvent,
} from "../../telemetry/events/task-run-event.rules.ts";
import { recordEvent, recordWaiting } from "./task-run-recorder.service.ts";
import { callWaitingFor, TASK_RUN_RECORDER } from "./task-run-recorder.store.ts";

const BATCH = 200;
/** Every change in the database may bring an event; those of this long are read together. */
const PAUSE_MS = 100;

/** Reads the event log for what clients report about their task runs; each event is read once. */
export function createTaskRunRecorder(
  ctx: OrchestratorContext,
): (signal: AbortSignal) => Promise<void> {
  const reader = createLogReader(ctx.db, ctx.clock, {
    name: TASK_RUN_RECORDER,
    batchSize: BATCH,
    handle: async (tx, events) => {
      // Heartbeats change flow runs, which are held before task runs wherever both are.
      const heartbeats = events.filter(({ event }) => isHeartbeat(event));
      const reports = events.filter(({ event }) => isTaskRunEvent(event));
      for (const event of [...heartbeats, ...reports]) await recordEvent(ctx, tx, event);
      // A flow run that comes into being, or goes on, is told of by an event of its own.
      await callWaitingFor(tx, new Set(events.flatMap((event) => flowRunOf(event) ?? [])));
    },
  });
  return async (signal) => {
    // Deadlines are set behind a gap only when those before it were moved.
    await ctx.hearing.listen();
    await reader.drain(signal);
    await recordWaiting(ctx, signal);
  };
}

/**
 * A pass of the recorder and a pause, so that nudges without end do not make it read event by
 * event.
 */
export function createRecorderTick(
  ctx: OrchestratorContext,
): (signal: AbortSignal) => Promise<void> {
  const record = createTaskRunRecorder(ctx);
  return async (signal) => {
    await record(signal);
    await sleep(PAUSE_MS, signal);
  };
}
