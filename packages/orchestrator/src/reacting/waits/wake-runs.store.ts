import type { StateType } from "@orchestrator/contract";
import type { Database } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { systemStatement } from "../../db/tables.ts";
import { AWAITING_EVENT, SLEEPING } from "../../runs/orchestration/suspension.rules.ts";

const SUSPENSIONS = [AWAITING_EVENT, SLEEPING].map((name) => sql.lit(name));
const SCHEDULED = sql.lit<StateType>("SCHEDULED");
const ENDED = sql.raw<string>("('COMPLETED', 'FAILED', 'CANCELLED', 'CRASHED')");

export interface SuspendedRun {
  readonly workspace_id: string;
  readonly id: string;
  readonly state_id: string;
  readonly event: string;
}

const selectSuspended = systemStatement<{ limit: number }>()((db, p) =>
  db
    .selectFrom("flow_run_waits as wait")
    .innerJoin("flow_runs as run", "run.id", "wait.flow_run_id")
    .select([
      "wait.workspace_id",
      "run.id",
      sql<string>`run.state_id`.as("state_id"),
      sql<string>`wait.event`.as("event"),
    ])
    .where("wait.unread_since", "is not", null)
    .where("run.state_type", "=", SCHEDULED)
    .where("run.state_name", "in", SUSPENSIONS)
    .orderBy("wait.unread_since")
    .limit(p.limit),
);

/** Runs that are suspended although an event has come for them, the first first. */
export async function findRunsToWake(db: Database, limit: number): Promise<SuspendedRun[]> {
  return db.system.all(selectSuspended, { limit });
}

/** Of a run that has ended nobody reads them; a run that begins again registers its waits anew. */
const deleteAbandoned = systemStatement()((db) =>
  db
    .deleteFrom("flow_run_waits")
    .where((e) => e.or([e("lookup_name", "is not", null), e("unread_since", "is not", null)]))
    .where("flow_run_id", "in", (e) =>
      e
        .selectFrom("flow_runs as run")
        .innerJoin("flow_run_waits as wait", "wait.flow_run_id", "run.id")
        .select("run.id")
        .where((w) =>
          w.or([w("wait.lookup_name", "is not", null), w("wait.unread_since", "is not", null)]),
        )
        .where(sql<boolean>`run.state_type in ${ENDED}`),
    ),
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

/** Deletes waits of runs that have ended, and events that no wait holds any more. */
export async function deleteAbandonedWaits(db: Database): Promise<void> {
  await db.writeSystem(async (tx) => {
    await tx.run(deleteAbandoned, {});
    await tx.run(deleteUnreferenced, {});
  });
}
