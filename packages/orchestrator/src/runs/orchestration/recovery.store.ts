import type { Transaction } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";
import { AWAITING_RECOVERY } from "./recovery.rules.ts";

const labelsOf = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("labels")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** The labels of a run, as JSON. */
export async function readLabels(tx: Transaction, id: string): Promise<string> {
  return (await tx.get(labelsOf, { id }))?.labels ?? "{}";
}

const recoveries = statement<{ id: string; name: string }>()((db, p) =>
  db
    .selectFrom("flow_run_states")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.id)
    .where("name", "=", p.name)
    .where((e) =>
      e(
        "timestamp",
        ">",
        e.fn.coalesce(
          e
            .selectFrom("journal_entries")
            .select((entry) => entry.fn.max("created").as("last"))
            .where("workspace_id", "=", p.workspace_id)
            .where("flow_run_id", "=", p.id),
          e.val("0001"),
        ),
      ),
    ),
);

/** How often a run was recovered since it last finished a call. */
export async function countRecoveries(tx: Transaction, id: string): Promise<number> {
  return Number((await tx.get(recoveries, { id, name: AWAITING_RECOVERY }))?.count ?? 0);
}
