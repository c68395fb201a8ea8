import {
  type Database,
  type SystemTransaction,
  type Transaction,
  unclaimed,
} from "@orchestrator/kernel";
import { statement, systemStatement } from "../../../db/tables.ts";
import type { AutomationActionRow } from "../automations.table.ts";

const insert = statement<AutomationActionRow>()((db, p) =>
  db.insertInto("automation_actions").values({
    id: p.id,
    workspace_id: p.workspace_id,
    created: p.created,
    automation_id: p.automation_id,
    due: p.due,
    claim: p.claim,
    attempts: p.attempts,
    action_index: p.action_index,
    action: p.action,
    firing: p.firing,
  }),
);

export async function insertAction(tx: Transaction, row: AutomationActionRow): Promise<void> {
  await tx.run(insert, row);
}

const selectDue = systemStatement<{ now: string }>()((db, p) =>
  db.selectFrom("automation_actions").select("id").where("due", "<=", p.now).limit(1),
);

/** Mostly there is none, and to see that costs next to nothing. */
export async function hasDueActions({ system }: Database, now: string): Promise<boolean> {
  return (await system.get(selectDue, { now })) !== undefined;
}

interface Claim {
  readonly now: string;
  readonly until: string;
  readonly claim: string;
  readonly limit: number;
}

const claimDue = systemStatement<Claim>()((db, p, dialect) =>
  db
    .updateTable("automation_actions")
    .set((e) => ({ due: p.until, claim: p.claim, attempts: e("attempts", "+", 1) }))
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("automation_actions")
          .select("id")
          .where("due", "<=", p.now)
          .orderBy("due")
          .orderBy("id")
          .limit(p.limit),
        dialect,
      ),
    )
    .returning([
      "id",
      "workspace_id",
      "created",
      "automation_id",
      "due",
      "claim",
      "attempts",
      "action_index",
      "action",
      "firing",
    ]),
);

export type ClaimedAction = AutomationActionRow & { readonly workspace_id: string };

/** Takes actions that are due; until then nobody else takes them, and afterwards somebody does. */
export async function claimActions(tx: SystemTransaction, claim: Claim): Promise<ClaimedAction[]> {
  const rows = await tx.all(claimDue, claim);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const remove = statement<{ id: string; claim: string }>()((db, p) =>
  db
    .deleteFrom("automation_actions")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("claim", "=", p.claim),
);

/** Tells whether the action was still the claimant's to settle. */
export async function settleAction(
  tx: Transaction,
  action: { readonly id: string; readonly claim: string },
): Promise<boolean> {
  return (await tx.run(remove, action)) === 1;
}
