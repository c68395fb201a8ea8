import type { Webhook } from "@orchestrator/contract";
import type { ResealedRow } from "@orchestrator/kernel/secrets";
import {
  type Database,
  type JsonText,
  type Queries,
  recordSql,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { WEBHOOKS, type WebhookRow } from "../../db/tables/webhooks.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";

const insert = statement<WebhookRow>()((db, p) =>
  db
    .insertInto("webhooks")
    .values(WEBHOOKS.values(p))
    .onConflict((conflict) => conflict.columns(["workspace_id", "name"]).doNothing()),
);

/** Tells whether the name was still free. */
export async function insertWebhook(tx: Transaction, row: WebhookRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const record = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("webhooks")
    .select(recordSql(dialect, { fields: WEBHOOKS.fields, table: "webhooks" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findWebhook(queries: Queries, id: string): Promise<JsonText<Webhook> | null> {
  return (await queries.get(record, { id }))?.json ?? null;
}

const row = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("webhooks")
    .select(WEBHOOKS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findWebhookRow(queries: Queries, id: string): Promise<WebhookRow | null> {
  return (await queries.get(row, { id })) ?? null;
}

const lock = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("webhooks")
    .select(WEBHOOKS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends. */
export async function lockWebhook(tx: Transaction, id: string): Promise<WebhookRow | null> {
  return (await tx.get(lock, { id })) ?? null;
}

const byToken = systemStatement<{ token_hash: string }>()((db, p) =>
  db
    .selectFrom("webhooks")
    .select([...WEBHOOKS.columns, "workspace_id"])
    .where("token_hash", "=", p.token_hash),
);

export type AddressedWebhook = WebhookRow & { readonly workspace_id: string };

/** The webhook, of whichever workspace, that a token opens. */
export async function findWebhookByToken(
  { system }: Database,
  token_hash: string,
): Promise<AddressedWebhook | null> {
  return (await system.get(byToken, { token_hash })) ?? null;
}

const update = statement<WebhookRow>()((db, p) =>
  db
    .updateTable("webhooks")
    .set(WEBHOOKS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Throws `conflict` when the new name is taken. */
export async function updateWebhookRow(tx: Transaction, changed: WebhookRow): Promise<void> {
  await tx.run(update, changed);
}

type Reception = Pick<WebhookRow, "id" | "last_received" | "last_status" | "last_error">;

const note = statement<Reception>()((db, p) =>
  db
    .updateTable("webhooks")
    .set({
      last_received: p.last_received,
      last_status: p.last_status,
      last_error: p.last_error,
    })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Writes what became of the last request. It is no change of the webhook. */
export async function recordReception(tx: Transaction, reception: Reception): Promise<void> {
  await tx.run(note, reception);
}

const deleteWebhookRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("webhooks").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeWebhookRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteWebhookRow, { id });
}

const sealedOtherwise = systemStatement<{ key: string; limit: number; after: string }>()((db, p) =>
  db
    .selectFrom("webhooks")
    .select(["id", "secret as sealed"])
    .where("sealed_with", "is not", null)
    .where((e) => e.or([e("sealed_with", "<", p.key), e("sealed_with", ">", p.key)]))
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** The next webhooks, of all workspaces, whose secret another key has sealed. */
export function findWebhooksSealedOtherwise(
  { system }: Database,
  page: { readonly key: string; readonly after: string; readonly limit: number },
) {
  return system.all(sealedOtherwise, page);
}

const replaceSecret = systemStatement<ResealedRow>()((db, p) =>
  db
    .updateTable("webhooks")
    .set({ secret: p.sealed, sealed_with: p.sealed_with })
    .where("id", "=", p.id)
    .where("secret", "=", p.before),
);

/** Tells whether the secret was still the one that was sealed anew. */
export async function replaceSealedSecret(
  tx: SystemTransaction,
  resealed: ResealedRow,
): Promise<boolean> {
  return (await tx.run(replaceSecret, resealed)) === 1;
}
