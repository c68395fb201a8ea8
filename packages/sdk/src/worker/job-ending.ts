// What the end of a job means for its run.

import { constants } from "node:os";
import type { FlowRun, StateCreate } from "@orchestrator/contract";
import type { JobEnd } from "./runner.ts";

/**
 * Why the worker ended a job: its run was cancelled, somebody else has ended it, or the worker
 * itself goes.
 */
export type StopReason = "cancelled" | "ended elsewhere" | "worker stopped";

export interface FinishedJob {
  readonly end: JobEnd;
  readonly stopped: StopReason | null;
  readonly tail: string;
}

const SHELL_SIGNALS = 128;
/** Nobody ends like this on purpose. */
const ACCIDENTS = new Set(["SIGKILL", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE"]);
const TERMINAL = new Set(["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]);
const AWAITING_RETRY = "AwaitingRetry";

/** How a command ended, as the worker tells it; null when there is nothing to tell. */
export function endOfCommand({ end, stopped, tail }: FinishedJob): StateCreate | null {
  if (stopped === "ended elsewhere") return null;
  if (stopped === "cancelled") return { type: "CANCELLED", message: "The job was stopped" };
  if (end.code === 0 && stopped === null) return { type: "COMPLETED" };
  if (stopped === "worker stopped") {
    return { type: "CRASHED", message: "The worker was stopped while the job ran" };
  }
  const signal = signalOf(end);
  const isAccident = end.code === null || (signal !== null && ACCIDENTS.has(signal));
  return { type: isAccident ? "CRASHED" : "FAILED", message: messageOf(end, tail) };
}

/**
 * What must be said of a run whose job should have said it itself; null when it did, or the run is
 * somebody else's.
 */
export function endOfFlow(
  { end, stopped, tail }: FinishedJob,
  run: FlowRun,
  claimId: string | null,
): StateCreate | null {
  const { state } = run;
  if (state === null || TERMINAL.has(state.type)) return null;
  if (state.type === "CANCELLING") return { type: "CANCELLED", message: "The job was stopped" };
  if ((state.state_details.claim_id ?? null) !== claimId) return null;
  // It gave the run back, to be claimed again by whoever is there then.
  if (state.type === "SCHEDULED" && state.name !== AWAITING_RETRY) return null;
  if (state.type === "PAUSED" && state.state_details.pause_reschedule === true) return null;
  if (stopped === "worker stopped") {
    return { type: "CRASHED", message: "The worker was stopped while the job ran" };
  }
  return { type: "CRASHED", message: messageOf(end, tail) };
}

export const hasFlowRunEnded = ({ state_type }: FlowRun): boolean => TERMINAL.has(state_type ?? "");

export const awaitsRetry = (state: { readonly type: string; readonly name: string | null }) =>
  state.type === "SCHEDULED" && state.name === AWAITING_RETRY;

/** A shell that ran the command tells of a signal by its own code. */
function signalOf({ code, signal }: JobEnd): string | null {
  if (signal !== null || code === null || code <= SHELL_SIGNALS) return signal;
  const number = code - SHELL_SIGNALS;
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? null;
}

function messageOf(end: JobEnd, tail: string): string {
  const signal = signalOf(end);
  const how =
    end.code === null
      ? `The job was ended by ${signal ?? "something unknown"}`
      : `The job exited with code ${end.code}${signal === null ? "" : ` (${signal})`}`;
  const note = end.note === undefined ? "" : ` (${end.note})`;
  return tail === "" ? `${how}${note}` : `${how}${note}; its last lines:\n${tail}`;
}
