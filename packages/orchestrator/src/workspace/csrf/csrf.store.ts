import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import type { CsrfTokenRow } from "../../db/tables/csrf.table.ts";
import { statement } from "../../db/tables.ts";

const COLUMNS = ["id", "created", "updated", "client", "token", "expiration"] as const;

const upsert = statement<CsrfTokenRow>()((db, p) =>
  db
    .insertInto("csrf_tokens")
    .values({
      id: p.id,
      workspace_id: p.workspace_id,
      created: p.created,
      updated: p.updated,
      client: p.client,
      token: p.token,
      expiration: p.expiration,
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "client"]).doUpdateSet((e) => ({
        token: e.ref("excluded.token"),
        expiration: e.ref("excluded.expiration"),
        updated: e.ref("excluded.updated"),
      })),
    )
    .returning(COLUMNS),
);

/** One token per client: asking again replaces it. */
export async function upsertCsrfToken(tx: Transaction, row: CsrfTokenRow): Promise<CsrfTokenRow> {
  const stored = await tx.get(upsert, row);
  return stored ?? row;
}

const select = statement<{ client: string }>()((db, p) =>
  db
    .selectFrom("csrf_tokens")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("client", "=", p.client),
);

export async function findCsrfToken(
  queries: Queries,
  client: string,
): Promise<CsrfTokenRow | null> {
  return (await queries.get(select, { client })) ?? null;
}

const removeExpired = statement<{ now: string }>()((db, p) =>
  db
    .deleteFrom("csrf_tokens")
    .where("workspace_id", "=", p.workspace_id)
    .where("expiration", "<", p.now),
);

export async function removeExpiredCsrfTokens(tx: Transaction, now: string): Promise<void> {
  await tx.run(removeExpired, { now });
}
