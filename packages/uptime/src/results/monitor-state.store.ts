import {
  type Dialect,
  idRows,
  listedIds,
  pick,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import type { MonitorRow } from "../db/tables/monitors.table.ts";
import type { TrackRow } from "../db/tables/tracks.table.ts";
import { statement } from "../db/tables.ts";
import type { MonitorState } from "./monitor-state.table.ts";

const lock = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("monitors")
    .select("id")
    .where(inWorkspace(dialect, p.workspace_id))
    .where("monitors.id", "in", listedIds(dialect, p.ids))
    // In one order, so that no two writers wait for each other.
    .$if(dialect.locksRows, (query) => query.orderBy("monitors.id").forUpdate()),
);

const select = statement<{ ids: string }>()((db, p, dialect) =>
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
      "monitor_tracks.status",
      "since",
      "counted_until",
      "valid_until",
      "open_minute",
      "streak_since",
      "confirmed_since",
      "told_status",
      "incident_id",
      "certificate_told",
      "held_back_from",
      "held_back_until",
    ])
    .where(inWorkspace(dialect, p.workspace_id))
    .where("monitors.id", "in", listedIds(dialect, p.ids)),
);

/**
 * Monitors and their tracks, held until the transaction ends: whoever adds to their history does so
 * one after the other.
 */
export async function lockMonitorStates(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, MonitorState & { readonly track: TrackRow }>> {
  const asked = { ids: idRows(ids) };
  // Apart from the reading: whoever has waited for a row gets it as it is by then, but what is
  // joined to it as it was before.
  if (tx.dialect.locksRows) await tx.all(lock, asked);
  const rows = await tx.all(select, asked);
  return new Map(rows.map((row) => [row.id, stateOf(row)]));
}

/** Field by field: whole rows, copied for every result, would cost more than judging it does. */
function stateOf(row: Omit<TrackRow, "monitor_id"> & MonitorState) {
  const track: TrackRow = {
    monitor_id: row.id,
    status: row.status,
    since: row.since,
    counted_until: row.counted_until,
    valid_until: row.valid_until,
    open_minute: row.open_minute,
    streak_since: row.streak_since,
    confirmed_since: row.confirmed_since,
    told_status: row.told_status,
    incident_id: row.incident_id,
    certificate_told: row.certificate_told,
    held_back_from: row.held_back_from,
    held_back_until: row.held_back_until,
  };
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    tags: row.tags,
    interval: row.interval,
    schedule: row.schedule,
    timezone: row.timezone,
    enabled: row.enabled,
    confirm_down: row.confirm_down,
    confirm_up: row.confirm_up,
    last_check: row.last_check,
    last_status: row.last_status,
    confirmed_status: row.confirmed_status,
    streak: row.streak,
    next_run: row.next_run,
    run_holder: row.run_holder,
    track,
  };
}

const CHANGED = {
  id: "id",
  last_check: "time",
  last_status: "text",
  confirmed_status: "text",
  streak: "integer",
  next_run: "time",
} as const satisfies Partial<Record<keyof MonitorRow, string>>;

type StateChange = Pick<MonitorRow, keyof typeof CHANGED>;

const update = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .updateTable("monitors")
    .from(dialect.rowsFrom(CHANGED, p.rows).$castTo<StateChange>().as("item"))
    .set((e) => ({
      last_check: e.ref("item.last_check"),
      last_status: e.ref("item.last_status"),
      confirmed_status: e.ref("item.confirmed_status"),
      streak: e.ref("item.streak"),
      next_run: e.ref("item.next_run"),
    }))
    .where(inWorkspace(dialect, p.workspace_id))
    .whereRef("monitors.id", "=", "item.id"),
);

/** Nearly every monitor is of the workspace: each is found by its id. */
const inWorkspace = (dialect: Dialect, workspaceId: string): RawBuilder<boolean> =>
  dialect.likely(sql`monitors.workspace_id = ${workspaceId}`);

const updateOne = statement<StateChange>()((db, p) =>
  db
    .updateTable("monitors")
    .set(pick(p, ["last_check", "last_status", "confirmed_status", "streak", "next_run"]))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Leaves `updated_at` as it is: that is about what people decide. */
export async function updateMonitorStates(
  tx: Transaction,
  changes: readonly StateChange[],
): Promise<void> {
  if (!tx.dialect.isRemote) for (const change of changes) tx.enqueue(updateOne, change);
  if (!tx.dialect.isRemote || changes.length === 0) return;
  const names = Object.keys(CHANGED);
  // Nothing but the columns of the list is written into it.
  tx.enqueue(update, { rows: JSON.stringify(changes, names) });
}
