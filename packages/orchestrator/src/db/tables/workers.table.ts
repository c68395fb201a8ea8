import type { ComputedField, Dialect, Fields } from "@orchestrator/kernel/storage";

export const HEARTBEAT_SECONDS = 30;
/** A worker is offline when it has missed this many heartbeats. */
export const MISSED_HEARTBEATS = 3;

/** Condition: at the moment `now` nothing has been heard of the worker for too long. */
export function isSilent(dialect: Dialect, row: string, now: string): string {
  const silence = dialect.secondsBetween(`${row}.last_heartbeat_time`, now);
  const patience = `${MISSED_HEARTBEATS} * coalesce(${row}.heartbeat_interval_seconds, ${HEARTBEAT_SECONDS})`;
  return `${silence} >= ${patience}`;
}

/** As things are now; the column follows within seconds. */
const STATUS_NOW: ComputedField = {
  kind: "text",
  expression: (dialect) =>
    `case when ${isSilent(dialect, "$", ":now")} then 'OFFLINE' else 'ONLINE' end`,
};

/** The record on the wire, in this order. */
export const WORKER_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  work_pool_id: "id",
  last_heartbeat_time: "time",
  heartbeat_interval_seconds: "integer",
  status: STATUS_NOW,
} as const satisfies Fields;
