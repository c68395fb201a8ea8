import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { SCHEDULES, type ScheduleRow } from "../../db/tables/deployments.table.ts";
import { statement } from "../../db/tables.ts";

const insert = statement<ScheduleRow>()((db, p) =>
  db.insertInto("deployment_schedules").values(SCHEDULES.values(p)),
);

/** Throws `conflict` when the deployment has a schedule with the same slug. */
export async function insertSchedules(
  tx: Transaction,
  rows: readonly ScheduleRow[],
): Promise<void> {
  for (const row of rows) await tx.run(insert, row);
}

const allOf = statement<{ deployment_id: string }>()((db, p) =>
  db
    .selectFrom("deployment_schedules")
    .select(SCHEDULES.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("deployment_id", "=", p.deployment_id)
    .orderBy("updated", "desc")
    .orderBy("id", "desc"),
);

/** The schedules of a deployment, in the order in which they are listed. */
export function readSchedules(queries: Queries, deploymentId: string): Promise<ScheduleRow[]> {
  return queries.all(allOf, { deployment_id: deploymentId });
}

const lock = statement<{ deployment_id: string; id: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployment_schedules")
    .select(SCHEDULES.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("deployment_id", "=", p.deployment_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

export async function lockSchedule(
  tx: Transaction,
  key: { readonly deployment_id: string; readonly id: string },
): Promise<ScheduleRow | null> {
  return (await tx.get(lock, key)) ?? null;
}

const update = statement<ScheduleRow>()((db, p) =>
  db
    .updateTable("deployment_schedules")
    .set(SCHEDULES.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Throws `conflict` when the deployment has another schedule with the same slug. */
export async function updateScheduleRow(tx: Transaction, row: ScheduleRow): Promise<void> {
  await tx.run(update, row);
}

const deleteDeploymentScheduleRow = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("deployment_schedules")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function removeSchedules(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) await tx.run(deleteDeploymentScheduleRow, { id });
}

const wake = statement<{ deployment_id: string; now: string }>()((db, p) =>
  db
    .updateTable("deployment_schedules")
    .set((e) => ({
      due: p.now,
      // One that is behind still lacks the runs from there on; one that rested begins with the
      // present.
      filled_until: e
        .case()
        .when(e.and([e("due", "is not", null), e("filled_until", "<", e.val(p.now))]))
        .then(e.ref("filled_until"))
        .else(e.cast<string>(e.val(p.now), "text"))
        .end(),
    }))
    .where("workspace_id", "=", p.workspace_id)
    .where("deployment_id", "=", p.deployment_id)
    .where("active", "=", true),
);

/** The scheduler looks at them again at once, from now on or from where they are behind. */
export async function wakeSchedules(
  tx: Transaction,
  parameters: { readonly deployment_id: string; readonly now: string },
): Promise<void> {
  await tx.run(wake, parameters);
}

const rest = statement<{ deployment_id: string }>()((db, p) =>
  db
    .updateTable("deployment_schedules")
    .set({ due: null })
    .where("workspace_id", "=", p.workspace_id)
    .where("deployment_id", "=", p.deployment_id),
);

/** The scheduler no longer looks at them. */
export async function restSchedules(tx: Transaction, deploymentId: string): Promise<void> {
  await tx.run(rest, { deployment_id: deploymentId });
}
