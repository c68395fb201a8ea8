import {
  type ComputedField,
  column,
  type Dialect,
  defineTable,
  type Fields,
  type RowOf,
} from "@orchestrator/kernel/storage";

const { id, integer, text, time } = column;

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

export const WORKERS = defineTable("workers", {
  id: id(),
  created: time(),
  updated: time(),
  name: text(),
  work_pool_id: id(),
  last_heartbeat_time: time(),
  heartbeat_interval_seconds: integer().orNull(),
  status: text(),
});
export type WorkerRow = RowOf<typeof WORKERS>;

/** The record on the wire. */
export const WORKER_FIELDS: Fields = { ...WORKERS.fields, status: STATUS_NOW };
