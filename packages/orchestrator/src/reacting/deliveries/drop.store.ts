import type { Transaction } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";

const drop = statement<{ automation_id: string; now: string }>()((db, p) =>
  db
    .updateTable("deliveries")
    .set({ content: null, next_attempt: p.now })
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id)
    .where("next_attempt", "is not", null),
);

/**
 * What an automation has still to send is not sent any more: whoever takes it up next settles it,
 * and tells so. What is under way is waited for by nobody; it settles itself when it is not taken.
 */
export async function dropDeliveriesOf(
  tx: Transaction,
  dropped: { readonly automation_id: string; readonly now: string },
): Promise<void> {
  await tx.run(drop, dropped);
}
