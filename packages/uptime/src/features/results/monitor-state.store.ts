import type { Transaction } from "@orchestrator/kernel";
import { statement } from "../../db/tables.ts";
import type { MonitorRow } from "../monitors/monitors.table.ts";
import type { TrackRow } from "../rollups/tracks.table.ts";

/** What a result is judged by. */
export type MonitorState = Pick<
  MonitorRow,
  | "id"
  | "name"
  | "url"
  | "tags"
  | "interval"
  | "schedule"
  | "timezone"
  | "enabled"
  | "confirm_down"
  | "confirm_up"
  | "last_check"
  | "last_status"
  | "confirmed_status"
  | "streak"
  | "next_run"
  | "run_holder"
>;

const lock = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("monitors")
    .leftJoin("monitor_tracks", "monitor_tracks.monitor_id", "monitors.id")
    .select([
      "monitors.id",
      "name",
      "url",
      "tags",
      "interval",
      "schedule",
      "timezone",
      "enabled",
      "confirm_down",
      "confirm_up",
      "last_check",
      "last_status",
      "confirmed_status",
      "streak",
      "next_run",
      "run_holder",
      "monitor_tracks.monitor_id",
      "monitor_tracks.status",
      "since",
      "counted_until",
      "valid_until",
      "streak_since",
      "incident_id",
      "certificate_told",
      "held_back_from",
      "held_back_until",
    ])
    .where("monitors.workspace_id", "=", p.workspace_id)
    .where("monitors.id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate("monitors")),
);

/** The monitor and its track, held until the transaction ends: whoever adds to its history does so one after the other. */
export async function lockMonitorState(
  tx: Transaction,
  id: string,
): Promise<(MonitorState & { readonly track: TrackRow }) | null> {
  const row = await tx.get(lock, { id });
  return row === undefined ? null : { ...row, track: { ...row, monitor_id: id } };
}

type StateChange = Pick<
  MonitorRow,
  "id" | "last_check" | "last_status" | "confirmed_status" | "streak" | "next_run"
>;

const update = statement<StateChange>()((db, p) =>
  db
    .updateTable("monitors")
    .set({
      last_check: p.last_check,
      last_status: p.last_status,
      confirmed_status: p.confirmed_status,
      streak: p.streak,
      next_run: p.next_run,
    })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Leaves `updated_at` as it is: that is about what people decide. */
export async function updateMonitorState(tx: Transaction, change: StateChange): Promise<void> {
  await tx.run(update, change);
}
