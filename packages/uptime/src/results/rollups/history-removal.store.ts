import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { RollupSize } from "../../db/tables/rollups.table.ts";
import { systemStatement } from "../../db/tables.ts";

const selectTracked = systemStatement<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("monitor_tracks")
    .leftJoin("monitors", "monitors.id", "monitor_tracks.monitor_id")
    .select([
      "monitor_tracks.workspace_id",
      "monitor_tracks.monitor_id",
      "monitors.id as present_id",
    ])
    .where("monitor_tracks.monitor_id", ">", p.after)
    .orderBy("monitor_tracks.monitor_id")
    .limit(p.limit),
);

/** Whoever has a history, page by page; `present_id` is null where the monitor is gone. */
export function listTracked(
  { system }: Database,
  page: { readonly after: string; readonly limit: number },
) {
  return system.all(selectTracked, page);
}

interface Old {
  readonly workspace_id: string;
  readonly monitor_id: string;
  readonly before: string;
  readonly limit: number;
}

/** Deletes the oldest rows of a monitor in a table whose rows have ids. */
const deleteOldest = <Table extends "check_results" | "incidents">(
  table: Table,
  time: Table extends "incidents" ? "started_at" : "checked_at",
) =>
  systemStatement<Old>()((db, p) => {
    const at = sql.ref(time);
    const oldest = sql`select id from ${sql.table(table)} where workspace_id = ${p.workspace_id} and monitor_id = ${p.monitor_id} and ${at} < ${p.before} order by ${at} limit ${p.limit}`;
    return db.deleteFrom(table as "incidents").where(sql<boolean>`id in (${oldest})`);
  });

const deleteResults = deleteOldest("check_results", "checked_at");
const deleteIncidents = deleteOldest("incidents", "started_at");

export function deleteOldResults(tx: SystemTransaction, old: Old): Promise<number> {
  return tx.run(deleteResults, old);
}

export function deleteOldIncidents(tx: SystemTransaction, old: Old): Promise<number> {
  return tx.run(deleteIncidents, old);
}

const deleteRollups = systemStatement<Old & { size: RollupSize }>()((db, p) =>
  db
    .deleteFrom("result_rollups")
    .where("monitor_id", "=", p.monitor_id)
    .where("size", "=", p.size)
    .where(
      "start",
      "in",
      db
        .selectFrom("result_rollups")
        .select("start")
        .where("monitor_id", "=", p.monitor_id)
        .where("size", "=", p.size)
        .where("start", "<", p.before)
        .orderBy("start")
        .limit(p.limit),
    ),
);

export function deleteOldRollups(
  tx: SystemTransaction,
  old: Old & { readonly size: RollupSize },
): Promise<number> {
  return tx.run(deleteRollups, old);
}

const deleteSpans = systemStatement<Old>()((db, p) =>
  db
    .deleteFrom("status_spans")
    .where("monitor_id", "=", p.monitor_id)
    .where(
      "started",
      "in",
      db
        .selectFrom("status_spans")
        .select("started")
        .where("monitor_id", "=", p.monitor_id)
        .where("ended", "<", p.before)
        .orderBy("ended")
        .limit(p.limit),
    ),
);

export function deleteOldSpans(tx: SystemTransaction, old: Old): Promise<number> {
  return tx.run(deleteSpans, old);
}

interface Surplus extends Omit<Old, "before"> {
  /** How many stay, the newest. */
  readonly kept: number;
}

const deleteVersions = systemStatement<Surplus>()((db, p) => {
  const ofMonitor = sql`workspace_id = ${p.workspace_id} and monitor_id = ${p.monitor_id}`;
  const surplus = sql`select check_name, since from instance_versions where ${ofMonitor} order by since desc limit ${p.limit} offset ${p.kept}`;
  return db
    .deleteFrom("instance_versions")
    .where(sql<boolean>`${ofMonitor} and (check_name, since) in (${surplus})`);
});

/** Of a target that tells another version with every answer there is no end of them. */
export function deleteSurplusVersions(tx: SystemTransaction, surplus: Surplus): Promise<number> {
  return tx.run(deleteVersions, surplus);
}

const deleteTrack = systemStatement<{ monitor_id: string }>()((db, p) =>
  db
    .deleteFrom("monitor_tracks")
    .where("monitor_id", "=", p.monitor_id)
    .where(
      sql<boolean>`not exists (select 1 from monitors where monitors.id = monitor_tracks.monitor_id)`,
    ),
);

/** The last that is left of a monitor that is gone. */
export async function deleteTrackOf(tx: SystemTransaction, monitor_id: string): Promise<void> {
  await tx.run(deleteTrack, { monitor_id });
}

const removeRequests = systemStatement<{ before: string }>()((db, p) =>
  db.deleteFrom("check_requests").where("requested_at", "<", p.before),
);

/** Forgets requested checks that no caller can be waiting for any more. */
export async function deleteOldRequests(tx: SystemTransaction, before: string): Promise<void> {
  await tx.run(removeRequests, { before });
}
