import { openScope, type ServiceHost } from "@orchestrator/kernel/scope";
import { findAccountOf, findKeyByHash } from "../access/access.store.ts";
import { hashKey, looksLikeKey, makeKey } from "../access/key-text.rules.ts";
import type { ServiceAccountRow } from "../db/tables.ts";
import { insertKey } from "./keys.store.ts";
import {
  insertServiceAccount,
  listServiceAccounts,
} from "./service-accounts/service-accounts.store.ts";

const NAME = "local worker";
/** It makes its work pool, and gives it the template of its jobs. */
const ROLE = "developer";

type Parts = Pick<ServiceHost, "db" | "clock" | "ids">;

/**
 * The key of the worker that is started beside the server: of a service account of its own, for the
 * first workspace alone. One that it has from before is good as long as nobody has revoked it.
 */
export async function ensureWorkerKey(parts: Parts, known: string | null): Promise<string> {
  if (known !== null && looksLikeKey(known) && (await findKeyByHash(parts.db, hashKey(known))))
    return known;
  const { workspaceId } = openScope("start");
  const accountId = await findAccountOf(parts.db, workspaceId);
  if (accountId === null) throw new Error("The first workspace is gone");
  const all = await listServiceAccounts(parts.db, accountId);
  const found = all.find(({ name }) => name === NAME);
  const service = found ?? newServiceAccount(parts, accountId);
  const { key, prefix, hash } = makeKey();
  const row = {
    id: parts.ids.uuid7(),
    account_id: accountId,
    created: parts.clock.now(),
    name: NAME,
    prefix,
    hash,
    user_id: null,
    service_account_id: service.id,
    role: service.role,
    workspace_ids: JSON.stringify([workspaceId]),
    expires: null,
    last_used: null,
    requests_per_minute: null,
  };
  await parts.db.writeSystem(async (tx) => {
    if (found === undefined) await insertServiceAccount(tx, service);
    await insertKey(tx, row);
  });
  return key;
}

function newServiceAccount({ clock, ids }: Parts, account_id: string): ServiceAccountRow {
  const now = clock.now();
  return { id: ids.uuid7(), account_id, created: now, updated: now, name: NAME, role: ROLE };
}
