import { parseMicros } from "@orchestrator/kernel/pure";
import { HEARTBEAT_SECONDS, MISSED_HEARTBEATS } from "../../db/tables/workers.table.ts";

export type DerivedWorkStatus = "READY" | "NOT_READY" | "PAUSED";

/** Pools of this type are served by no worker that could be watched, so they have no status. */
export const AGENT_TYPE = "prefect-agent";

/** A queue or a deployment that nobody has polled for this long is not ready. */
export const POLLED_WITHIN_SECONDS = 60;

/** How long a change of status still belongs to the one before it. */
const FOLLOWS_WITHIN_SECONDS = 600;

/** The status of a pool when it is made or when its pause begins or ends. */
export function poolStatus(
  { type, is_paused }: { readonly type: string; readonly is_paused: boolean },
  hasWorkerOnline: boolean,
): DerivedWorkStatus | null {
  if (type === AGENT_TYPE) return null;
  if (is_paused) return "PAUSED";
  return hasWorkerOnline ? "READY" : "NOT_READY";
}

/**
 * The status of a queue when it is made or when its pause begins or ends, by the moment from which
 * on polls count.
 */
export function queueStatus(
  { is_paused, last_polled }: { readonly is_paused: boolean; readonly last_polled: string | null },
  polledFrom: string,
): DerivedWorkStatus {
  if (is_paused) return "PAUSED";
  return wasPolledRecently(last_polled, polledFrom) ? "READY" : "NOT_READY";
}

export function wasPolledRecently(lastPolled: string | null, polledFrom: string): boolean {
  return lastPolled !== null && lastPolled >= polledFrom;
}

/** Nothing has been heard of a worker for too long. */
export function hasMissedHeartbeats(
  worker: {
    readonly last_heartbeat_time: string;
    readonly heartbeat_interval_seconds: number | null;
  },
  now: string,
): boolean {
  const interval = worker.heartbeat_interval_seconds ?? HEARTBEAT_SECONDS;
  return secondsBetween(worker.last_heartbeat_time, now) >= MISSED_HEARTBEATS * interval;
}

/** The event that the next change of status follows. */
export function followedEvent(
  before: { readonly status_event_id: string | null; readonly status_changed: string | null },
  now: string,
): string | null {
  const { status_event_id, status_changed } = before;
  if (status_changed === null) return null;
  return secondsBetween(status_changed, now) < FOLLOWS_WITHIN_SECONDS ? status_event_id : null;
}

function secondsBetween(from: string, to: string): number {
  return (parseMicros(to) - parseMicros(from)) / 1_000_000;
}
