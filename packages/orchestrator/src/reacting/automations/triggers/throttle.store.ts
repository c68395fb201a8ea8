import {
  idRows,
  idTable,
  type Queries,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { AutomationThrottleRow } from "../../../db/tables/automations.table.ts";
import { statement, systemStatement } from "../../../db/tables.ts";

const COLUMNS = [
  "automation_id",
  "minute",
  "firings",
  "reason",
  "since",
  "until",
  "matches",
  "message",
] as const;

const select = systemStatement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom(idTable(dialect, p.ids))
    .innerJoin("automation_throttles as throttle", "throttle.automation_id", "listed.id")
    .select(COLUMNS.map((column) => `throttle.${column}` as const)),
);

export async function readThrottles(
  tx: SystemTransaction,
  ids: readonly string[],
): Promise<AutomationThrottleRow[]> {
  return ids.length === 0 ? [] : tx.all(select, { ids: idRows(ids) });
}

const upsert = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .insertInto("automation_throttles")
    .columns(["workspace_id", ...COLUMNS])
    .expression((e) =>
      e
        .selectFrom(
          dialect
            .rowsFrom(
              {
                automation_id: "id",
                minute: "text",
                firings: "integer",
                reason: "text",
                since: "text",
                until: "text",
                matches: "integer",
                message: "text",
              },
              p.rows,
            )
            .$castTo<AutomationThrottleRow>()
            .as("row"),
        )
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          ...COLUMNS.map((column) => `row.${column}` as const),
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.column("automation_id").doUpdateSet({
        minute: sql<string>`excluded.minute`,
        firings: sql<number>`excluded.firings`,
        reason: sql<string | null>`excluded.reason`,
        since: sql<string | null>`excluded.since`,
        until: sql<string | null>`excluded.until`,
        matches: sql<number>`excluded.matches`,
        message: sql<string | null>`excluded.message`,
      }),
    ),
);

export async function putThrottles(
  tx: Transaction,
  rows: readonly AutomationThrottleRow[],
): Promise<void> {
  await tx.run(upsert, { rows: JSON.stringify(rows) });
}

const selectOne = statement<{ automation_id: string }>()((db, p) =>
  db
    .selectFrom("automation_throttles")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id),
);

export async function findThrottle(
  queries: Queries,
  automation_id: string,
): Promise<AutomationThrottleRow | null> {
  return (await queries.get(selectOne, { automation_id })) ?? null;
}

const deleteAutomationThrottleRow = statement<{ automation_id: string }>()((db, p) =>
  db
    .deleteFrom("automation_throttles")
    .where("workspace_id", "=", p.workspace_id)
    .where("automation_id", "=", p.automation_id),
);

export async function removeThrottle(tx: Transaction, automation_id: string): Promise<void> {
  await tx.run(deleteAutomationThrottleRow, { automation_id });
}
