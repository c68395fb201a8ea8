import type { Queries, SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { AutomationTraceRow } from "../../../db/tables/automations.table.ts";
import { statement, systemStatement } from "../../../db/tables.ts";

const selectNewest = systemStatement<{ wanted: string }>()((db, p, dialect) =>
  db
    .selectFrom(
      dialect
        .rowsFrom({ automation_id: "id", kind: "text" }, p.wanted)
        .$castTo<Wanted>()
        .as("wanted"),
    )
    .innerJoin("automation_traces as trace", (join) =>
      join
        .onRef("trace.automation_id", "=", "wanted.automation_id")
        .onRef("trace.kind", "=", "wanted.kind")
        .on("trace.number", "=", (e) =>
          e
            .selectFrom("automation_traces as newest")
            .select(sql<number>`max(newest.number)`.as("number"))
            .whereRef("newest.automation_id", "=", "wanted.automation_id")
            .whereRef("newest.kind", "=", "wanted.kind"),
        ),
    )
    .select(["trace.automation_id", "trace.kind", "trace.number", "trace.alike", "trace.entry"]),
);

type Wanted = Pick<AutomationTraceRow, "automation_id" | "kind">;

/** The newest entry of each. */
export async function readNewest(
  tx: SystemTransaction,
  wanted: readonly Wanted[],
): Promise<Omit<AutomationTraceRow, "slot">[]> {
  if (wanted.length === 0) return [];
  return tx.all(selectNewest, { wanted: JSON.stringify(wanted) });
}

const upsert = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .insertInto("automation_traces")
    .columns(["workspace_id", "automation_id", "kind", "slot", "number", "alike", "entry"])
    .expression((e) =>
      e
        .selectFrom(
          dialect
            .rowsFrom(
              {
                automation_id: "id",
                kind: "text",
                slot: "integer",
                number: "integer",
                alike: "text",
                entry: "json",
              },
              p.rows,
            )
            .$castTo<AutomationTraceRow>()
            .as("row"),
        )
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          "row.automation_id",
          "row.kind",
          "row.slot",
          "row.number",
          "row.alike",
          "row.entry",
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(["automation_id", "kind", "slot"]).doUpdateSet({
        number: sql<number>`excluded.number`,
        alike: sql<string>`excluded.alike`,
        entry: sql<string>`excluded.entry`,
      }),
    ),
);

/** Each takes the place of what was in its slot. The entries are JSON values within the rows. */
export async function putTraces(
  tx: Transaction,
  rows: readonly (Omit<AutomationTraceRow, "entry"> & { readonly entry: unknown })[],
): Promise<void> {
  if (rows.length > 0) await tx.run(upsert, { rows: JSON.stringify(rows) });
}

const select = statement<{ automation_id: string }>()((db, p) =>
  db
    .selectFrom("automation_traces")
    .select(["kind", "entry"])
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id)
    .orderBy("number", "desc"),
);

/** All that is kept about an automation, newest first. */
export function readTraces(
  queries: Queries,
  automation_id: string,
): Promise<Pick<AutomationTraceRow, "kind" | "entry">[]> {
  return queries.all(select, { automation_id });
}

const deleteAutomationTraceRow = statement<{ automation_id: string }>()((db, p) =>
  db
    .deleteFrom("automation_traces")
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id),
);

export async function removeTraces(tx: Transaction, automation_id: string): Promise<void> {
  await tx.run(deleteAutomationTraceRow, { automation_id });
}
