import {
  type Database,
  type SystemTransaction,
  type Transaction,
  unclaimed,
} from "@orchestrator/kernel/storage";
import { isLeaseFree, leaseEnd } from "../../../db/row-leases.ts";
import {
  AUTOMATION_ACTIONS,
  type AutomationActionRow,
} from "../../../db/tables/automations.table.ts";
import { statement, systemStatement } from "../../../db/tables.ts";

const insert = statement<AutomationActionRow>()((db, p) =>
  db.insertInto("automation_actions").values(AUTOMATION_ACTIONS.values(p)),
);

export async function insertAction(tx: Transaction, row: AutomationActionRow): Promise<void> {
  await tx.run(insert, row);
}

const selectFree = systemStatement()((db, _p, dialect) =>
  db.selectFrom("automation_actions").select("id").where(isLeaseFree(dialect)).limit(1),
);

/** Mostly there is none, and to see that costs next to nothing. */
export async function hasFreeActions({ system }: Database): Promise<boolean> {
  return (await system.get(selectFree, {})) !== undefined;
}

/** When a replica dies with actions in its hands, others take them after this. */
const HELD_SECONDS = 15;

interface Claim {
  readonly claim: string;
  readonly limit: number;
}

const claimFree = systemStatement<Claim>()((db, p, dialect) =>
  db
    .updateTable("automation_actions")
    .set((e) => ({
      claim: p.claim,
      held_until: leaseEnd(dialect, HELD_SECONDS),
      attempts: e("attempts", "+", 1),
    }))
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("automation_actions")
          .select("id")
          .where(isLeaseFree(dialect))
          .orderBy("created")
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
      "claim",
      "held_until",
      "attempts",
      "action_index",
      "action",
      "firing",
    ]),
);

export type ClaimedAction = AutomationActionRow & { readonly workspace_id: string };

/**
 * Takes actions that nobody has in hand; for a while nobody else takes them, and afterwards
 * somebody does.
 */
export async function claimActions(tx: SystemTransaction, claim: Claim): Promise<ClaimedAction[]> {
  const rows = await tx.all(claimFree, claim);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const deleteAutomationActionRow = statement<{ id: string; claim: string }>()((db, p) =>
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
  return (await tx.run(deleteAutomationActionRow, action)) === 1;
}

const countWaiting = statement<{ limit: number }>()((db, p) =>
  db
    .selectFrom(
      db
        .selectFrom("automation_actions")
        .select("workspace_id")
        .where("workspace_id", "=", p.workspace_id)
        .limit(p.limit)
        .as("waiting"),
    )
    .select((e) => e.fn.countAll<number>().as("many")),
);

/** How many are not carried out yet, up to a limit. */
export async function countActions(tx: Transaction, limit: number): Promise<number> {
  return Number((await tx.get(countWaiting, { limit }))?.many ?? 0);
}

const removeOf = statement<{ automation_id: string }>()((db, p) =>
  db
    .deleteFrom("automation_actions")
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id),
);

/** Those that are not carried out yet; one that is being carried out is waited for. */
export async function removeActionsOf(tx: Transaction, automation_id: string): Promise<void> {
  await tx.run(removeOf, { automation_id });
}

const removeFree = statement<{ automation_id: string }>()((db, p, dialect) =>
  db
    .deleteFrom("automation_actions")
    .where("workspace_id", "=", p.workspace_id)
    .where(
      "id",
      "in",
      unclaimed(
        db
          .selectFrom("automation_actions")
          .select("id")
          .where("workspace_id", "=", p.workspace_id)
          .where("automation_id", "=", p.automation_id),
        dialect,
      ),
    ),
);

/** The same, but for one that is being carried out: it may wait for what the transaction holds. */
export async function removeFreeActionsOf(tx: Transaction, automation_id: string): Promise<void> {
  await tx.run(removeFree, { automation_id });
}
