import {
  type ComputedField,
  column,
  defineTable,
  type Fields,
  type RowOf,
  type RowSql,
} from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";

const { id, integer, text, time } = column;

export const HEARTBEAT_SECONDS = 30;
/** A worker is offline when it has missed this many heartbeats. */
export const MISSED_HEARTBEATS = 3;

/** Condition: at the moment `now` no heartbeat has come for too long. */
export function isSilent({ dialect, column: of, now }: RowSql): RawBuilder<boolean> {
  const silence = dialect.secondsBetween(of("last_heartbeat_time"), now);
  const interval = of("heartbeat_interval_seconds");
  return sql`${silence} >= ${sql.lit(MISSED_HEARTBEATS)} * coalesce(${interval}, ${sql.lit(HEARTBEAT_SECONDS)})`;
}

/** As things are now; the column follows within seconds. */
const STATUS_NOW: ComputedField = {
  kind: "text",
  expression: (row) => sql`case when ${isSilent(row)} then 'OFFLINE' else 'ONLINE' end`,
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
