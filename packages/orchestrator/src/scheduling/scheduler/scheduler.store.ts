// The schedules that are due, across all workspaces.

import {
  type Database,
  idRows,
  listedIds,
  type SystemTransaction,
  unclaimed,
} from "@orchestrator/kernel/storage";
import type { ExpressionBuilder } from "kysely";
import { systemStatement, type Tables } from "../../db/tables.ts";
import { type ScheduleSource, SOURCE_COLUMNS } from "./sources.store.ts";

const anyDue = systemStatement<{ now: string }>()((db, p) =>
  db.selectFrom("deployment_schedules").select("id").where("due", "<=", p.now).limit(1),
);

/** Looking costs next to nothing, and mostly there is nothing to write. */
export async function hasDueSchedules({ system }: Database, now: string): Promise<boolean> {
  return (await system.get(anyDue, { now })) !== undefined;
}

const claim = systemStatement<{ now: string; claim: string; limit: number }>()((db, p, dialect) =>
  db
    .updateTable("deployment_schedules")
    .set({ due: p.claim, looked_at: p.now })
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("deployment_schedules")
          .select("id")
          .where("due", "<=", p.now)
          .orderBy("due")
          .limit(p.limit),
        dialect,
      ),
    )
    .returning("id"),
);

/** Takes schedules that are due; until `claim` nobody else takes them, and then somebody does. */
export async function claimDueSchedules(
  tx: SystemTransaction,
  parameters: { readonly now: string; readonly claim: string; readonly limit: number },
): Promise<string[]> {
  return (await tx.all(claim, parameters)).map(({ id }) => id);
}

type Schedules = ExpressionBuilder<Tables, "deployment_schedules">;

/** By a clock that went ahead, a schedule may also have come to the end of its times. */
const waits = (e: Schedules, now: string) => e.or([e("due", ">", now), hasEnded(e, now)]);

const hasEnded = (e: Schedules, now: string) =>
  e.and([
    e("due", "is", null),
    e("active", "=", true),
    e("filled_until", ">", now),
    e.exists(
      e
        .selectFrom("deployments")
        .select("deployments.id")
        .whereRef("deployments.id", "=", "deployment_schedules.deployment_id")
        .where("deployments.paused", "=", false),
    ),
  ]);

const lookedAhead = systemStatement<{ now: string; after: string }>()((db, p) =>
  db
    .selectFrom("deployment_schedules")
    .select("looked_at")
    .where("looked_at", ">", p.after)
    .where((e) => waits(e, p.now))
    .orderBy("looked_at", "desc")
    .limit(1),
);

/** The last look after a moment at a schedule that waits since. */
export async function findLookAhead(
  { system }: Database,
  moment: { readonly now: string; readonly after: string },
): Promise<string | null> {
  return (await system.get(lookedAhead, moment))?.looked_at ?? null;
}

const wake = systemStatement<{ now: string }>()((db, p, dialect) =>
  db
    .updateTable("deployment_schedules")
    .set((e) => ({
      due: p.now,
      // One that is behind, as there was no room for its runs, still lacks them.
      filled_until: e
        .case()
        .when("filled_until", "<", e.val(p.now))
        .then(e.ref("filled_until"))
        .else(e.cast<string>(e.val(p.now), "text"))
        .end(),
    }))
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("deployment_schedules")
          .select("id")
          .where("looked_at", ">", p.now)
          .where((e) => waits(e, p.now)),
        dialect,
      ),
    ),
);

/**
 * Has the schedules looked at now that a clock ahead of this moment has put off, and no others:
 * what somebody deleted of their runs would be made again. Those that somebody changes in this
 * moment are looked at anyway.
 */
export async function wakeSchedulesPutOff(tx: SystemTransaction, now: string): Promise<void> {
  await tx.run(wake, { now });
}

const select = systemStatement<{ ids: string; claim: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployment_schedules")
    .innerJoin("deployments", "deployments.id", "deployment_schedules.deployment_id")
    .leftJoin("concurrency_limits", "concurrency_limits.id", "deployments.concurrency_limit_id")
    .select(SOURCE_COLUMNS)
    .select("deployment_schedules.workspace_id")
    .where("deployment_schedules.id", "in", listedIds(dialect, p.ids))
    .where("deployment_schedules.due", "=", p.claim),
);

export interface ClaimedSource extends ScheduleSource {
  readonly workspace_id: string;
}

export function readClaimed(
  db: Database,
  { ids, claim: due }: { readonly ids: readonly string[]; readonly claim: string },
): Promise<ClaimedSource[]> {
  return db.system.all(select, { ids: idRows(ids), claim: due });
}

export interface SettledSchedule {
  readonly id: string;
  readonly filled_until: string;
  readonly due: string | null;
}

const settle = systemStatement<{ rows: string; claim: string }>()((db, p, dialect) =>
  db
    // Read once, and not for each schedule.
    .with(
      (name) => name("settled").materialized(),
      (e) =>
        e
          .selectFrom(
            dialect
              .rowsFrom({ id: "id", filled_until: "time", due: "time" }, p.rows)
              .$castTo<SettledSchedule>()
              .as("given"),
          )
          .select(["given.id", "given.filled_until", "given.due"]),
    )
    .updateTable("deployment_schedules")
    .from("settled")
    .set((e) => ({ filled_until: e.ref("settled.filled_until"), due: e.ref("settled.due") }))
    .whereRef("deployment_schedules.id", "=", "settled.id")
    .where("deployment_schedules.due", "=", p.claim)
    .$if(dialect.locksRows, (query) =>
      query.where("deployment_schedules.id", "in", (e) =>
        unclaimed(
          e
            .selectFrom("deployment_schedules as free")
            .select("free.id")
            .where("free.id", "in", (given) => given.selectFrom("settled").select("settled.id")),
          dialect,
        ),
      ),
    )
    .returning("deployment_schedules.id"),
);

/**
 * Gives claimed schedules back. Those that were changed meanwhile are not among the answer, and
 * stay as they are; so are those that somebody holds in this moment, because it may wait for
 * another of them.
 */
export async function settleSchedules(
  tx: SystemTransaction,
  { rows, claim: due }: { readonly rows: readonly SettledSchedule[]; readonly claim: string },
): Promise<ReadonlySet<string>> {
  const settled = await tx.all(settle, { rows: JSON.stringify(rows), claim: due });
  return new Set(settled.map(({ id }) => id));
}
