import type { ServiceAccount, ServiceAccountCreate } from "@orchestrator/contract";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import { accessChanged } from "../../access/access.store.ts";
import { assertRole } from "../../access/assert-role.ts";
import type { KeyAccess } from "../../access/key-cache.ts";
import type { AccountsContext } from "../../context.ts";
import {
  findServiceAccount,
  insertServiceAccount,
  removeServiceAccount,
} from "./service-accounts.store.ts";

export async function createServiceAccount(
  ctx: AccountsContext,
  access: KeyAccess,
  { name, role }: ServiceAccountCreate,
): Promise<ServiceAccount> {
  assertRole(access, role);
  const now = ctx.clock.now();
  const row = {
    id: ctx.ids.uuid7(),
    account_id: access.accountId,
    created: now,
    updated: now,
    name,
    role,
  };
  await ctx.db
    .writeSystem((tx) => insertServiceAccount(tx, row))
    .catch((error: unknown) => {
      throw isAppError(error, "conflict")
        ? new AppError("conflict", `A service account named ${name} already exists`)
        : error;
    });
  return row;
}

/** Its keys go with it. */
export async function deleteServiceAccount(
  ctx: AccountsContext,
  access: KeyAccess,
  id: string,
): Promise<void> {
  const key = { account_id: access.accountId, id };
  await ctx.db.writeSystem(async (tx) => {
    const found = await findServiceAccount(tx, key);
    if (found === null) throw new AppError("not_found", `Service account ${id} not found`);
    assertRole(access, found.role);
    await removeServiceAccount(tx, key);
    await accessChanged(tx);
  });
}
