import type { StateType } from "@orchestrator/contract";
import type { Database, Transaction } from "@orchestrator/kernel/storage";
import { type Kysely, sql } from "kysely";
import { statement, systemStatement, type Tables } from "../../db/tables.ts";
import { AWAITING_EVENT, SLEEPING } from "../../runs/orchestration/suspension.rules.ts";

const SUSPENSIONS = [AWAITING_EVENT, SLEEPING].map((name) => sql.lit(name));
const SCHEDULED = sql.lit<StateType>("SCHEDULED");
const ENDED = sql.raw<string>("('COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED')");

/** Position of an unread wait, the oldest first. */
export interface UnreadWaitKey {
  readonly unread_since: string;
  readonly id: string;
  readonly key: string;
}

export const FIRST_UNREAD: UnreadWaitKey = {
  unread_since: "",
  id: "00000000-0000-0000-0000-000000000000",
  key: "",
};

export interface SuspendedRun extends UnreadWaitKey {
  readonly workspace_id: string;
  readonly state_id: string;
  readonly event: string;
}

const selectSuspended = systemStatement<UnreadWaitKey & { limit: number }>()((db, p) =>
  db
    .selectFrom("flow_run_waits as wait")
    .innerJoin("flow_runs as run", "run.id", "wait.flow_run_id")
    .select([
      "wait.workspace_id",
      "run.id",
      "wait.key",
      sql<string>`wait.unread_since`.as("unread_since"),
      sql<string>`run.state_id`.as("state_id"),
      sql<string>`wait.event`.as("event"),
    ])
    .where("wait.unread_since", "is not", null)
    .where(
      sql<boolean>`(wait.unread_since, wait.flow_run_id, wait.key)
        > (${p.unread_since}, ${p.id}, ${p.key})`,
    )
    .where("run.state_type", "=", SCHEDULED)
    .where("run.state_name", "in", SUSPENSIONS)
    .orderBy("wait.unread_since")
    .orderBy("wait.flow_run_id")
    .orderBy("wait.key")
    .limit(p.limit),
);

/**
 * Suspended runs with an unread event, the oldest first; a run is listed with each of its waits.
 */
export async function listRunsToWake(
  db: Database,
  { after: { unread_since, id, key }, limit }: { after: UnreadWaitKey; limit: number },
): Promise<SuspendedRun[]> {
  return db.system.all(selectSuspended, { unread_since, id, key, limit });
}

const markAllRead = statement<{ flow_run_id: string }>()((db, p) =>
  db
    .updateTable("flow_run_waits")
    .set({ unread_since: null })
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("unread_since", "is not", null),
);

/** The run need not be woken for any wait that has ended by now. */
export async function markWaitsRead(tx: Transaction, flow_run_id: string): Promise<void> {
  await tx.run(markAllRead, { flow_run_id });
}

const runsWaiting = (
  db: Pick<Kysely<Tables>, "selectFrom">,
  column: "lookup_name" | "unread_since",
) =>
  db
    .selectFrom("flow_runs as run")
    .innerJoin("flow_run_waits as wait", "wait.flow_run_id", "run.id")
    .select("run.id")
    .where(`wait.${column}`, "is not", null)
    .where(sql<boolean>`run.state_type in ${ENDED}`);

/** A run that begins again registers its open waits anew. */
const deleteAbandoned = systemStatement()((db) =>
  db
    .deleteFrom("flow_run_waits")
    .where("lookup_name", "is not", null)
    .where("flow_run_id", "in", runsWaiting(db, "lookup_name")),
);

/** The outcome is stored as long as the run: a retry reads it, but the event never comes again. */
const markAbandonedRead = systemStatement()((db) =>
  db
    .updateTable("flow_run_waits")
    .set({ unread_since: null })
    .where("unread_since", "is not", null)
    .where("flow_run_id", "in", runsWaiting(db, "unread_since")),
);

const deleteUnreferenced = systemStatement()((db) =>
  db
    .deleteFrom("awaited_events")
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("flow_run_waits as wait")
            .select("wait.key")
            .where("wait.event_id", "is not", null)
            .whereRef("wait.workspace_id", "=", "awaited_events.workspace_id")
            .whereRef("wait.event_id", "=", "awaited_events.event_id"),
        ),
      ),
    ),
);

/** Deletes open waits of runs that have ended, and events that no wait holds any more. */
export async function deleteAbandonedWaits(db: Database): Promise<void> {
  await db.writeSystem(async (tx) => {
    await tx.run(deleteAbandoned, {});
    await tx.run(markAbandonedRead, {});
    await tx.run(deleteUnreferenced, {});
  });
}
