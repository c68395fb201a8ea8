import {
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyUpdate,
  type CreatedApiKey,
  ROLES,
  type Role,
} from "@orchestrator/contract";
import { AppError, parseMicros } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import { accessChanged } from "../access/access.store.ts";
import { assertRole } from "../access/assert-role.ts";
import type { KeyAccess } from "../access/key-cache.ts";
import { makeKey } from "../access/key-text.rules.ts";
import { lesserRole, mayDo } from "../access/permissions.rules.ts";
import type { AccountsContext } from "../context.ts";
import type { ApiKeyRow } from "../db/tables.ts";
import {
  countKeys,
  findKeyOwner,
  insertKey,
  type KeyOwner,
  listKeys,
  removeKey,
  setKeyRate,
  shownKey,
} from "./keys.store.ts";
import { findServiceAccount } from "./service-accounts/service-accounts.store.ts";

const MAX_KEYS = 1000;

/** All of the account for those who manage it; for others their own. */
export async function listVisibleKeys(ctx: AccountsContext, access: KeyAccess): Promise<ApiKey[]> {
  const keys = await listKeys(ctx.db, access.accountId);
  return managesAccount(access) ? keys : keys.filter((key) => isOwn(key, access));
}

/** A key never opens more than the one it was made with, nor for longer. */
export async function createKey(
  ctx: AccountsContext,
  access: KeyAccess,
  wanted: ApiKeyCreate,
): Promise<CreatedApiKey> {
  const { key, prefix, hash } = makeKey();
  const id = ctx.ids.uuid7();
  const created = ctx.clock.now();
  const expires = expiryOf(ctx, access, wanted);
  const workspace_ids = restrictionOf(access, wanted);
  const requests_per_minute = rateOf(access, wanted);
  const row = await ctx.db.writeSystem(async (tx) => {
    if ((await countKeys(tx, access.accountId)) >= MAX_KEYS)
      throw new AppError("conflict", `The account has ${MAX_KEYS} keys already: revoke some first`);
    const made: ApiKeyRow = {
      id,
      account_id: access.accountId,
      created,
      name: wanted.name,
      prefix,
      hash,
      ...(await holderOf(tx, access, wanted)),
      workspace_ids,
      expires,
      last_used: null,
      requests_per_minute,
    };
    await insertKey(tx, made);
    return made;
  });
  const { hash: _hash, ...rest } = row;
  return { ...shownKey(rest), key };
}

/** How often it may ask is decided by those who manage the account. */
export async function updateKey(
  ctx: AccountsContext,
  access: KeyAccess,
  { id, changes }: { readonly id: string; readonly changes: ApiKeyUpdate },
): Promise<void> {
  const key = { account_id: access.accountId, id };
  const { requests_per_minute } = changes;
  await ctx.db.writeSystem(async (tx) => {
    const found = await findKeyOwner(tx, key);
    if (found === null) throw new AppError("not_found", `API key ${id} not found`);
    assertRole(access, openedRole(found));
    if (requests_per_minute === undefined) return;
    await setKeyRate(tx, { ...key, requests_per_minute });
    await accessChanged(tx);
  });
}

export async function revokeKey(
  ctx: AccountsContext,
  access: KeyAccess,
  id: string,
): Promise<void> {
  const key = { account_id: access.accountId, id };
  await ctx.db.writeSystem(async (tx) => {
    const found = await findKeyOwner(tx, key);
    if (found === null || !(managesAccount(access) || isOwn(found, access)))
      throw new AppError("not_found", `API key ${id} not found`);
    assertRole(access, openedRole(found));
    await removeKey(tx, key);
    await accessChanged(tx);
  });
}

type Holder = Pick<ApiKeyRow, "user_id" | "service_account_id" | "role">;

async function holderOf(
  tx: SystemTransaction,
  access: KeyAccess,
  { service_account_id: id, role }: ApiKeyCreate,
): Promise<Holder> {
  if (role !== undefined) assertRole(access, role);
  if (id === undefined || id === null || id === access.actor.id) {
    const isUser = access.actor.kind === "user";
    return {
      user_id: isUser ? access.actor.id : null,
      service_account_id: isUser ? null : access.actor.id,
      role: role ?? access.role,
    };
  }
  if (!managesAccount(access))
    throw new AppError("forbidden", `The role ${access.role} may not make keys for others`);
  const service = await findServiceAccount(tx, { account_id: access.accountId, id });
  if (service === null) throw new AppError("not_found", `Service account ${id} not found`);
  assertRole(access, service.role);
  return {
    user_id: null,
    service_account_id: id,
    role: lesserRole(role ?? service.role, service.role),
  };
}

function expiryOf(
  ctx: AccountsContext,
  { expiresMicros }: KeyAccess,
  { expires }: ApiKeyCreate,
): string | null {
  const wanted = expires ?? null;
  const micros = wanted === null ? Number.POSITIVE_INFINITY : parseMicros(wanted);
  if (micros <= ctx.clock.nowMicros())
    throw new AppError("invalid", "A key cannot have expired before it is made");
  if (micros > expiresMicros)
    throw new AppError("forbidden", "A key cannot outlive the key it is made with");
  return wanted;
}

/** Whoever does not manage the account makes keys like the one in use. */
function rateOf(
  access: KeyAccess,
  { requests_per_minute: wanted = access.requestsPerMinute }: ApiKeyCreate,
): number | null {
  if (wanted !== access.requestsPerMinute && !managesAccount(access))
    throw new AppError("forbidden", "How often a key may ask is for admins and owners to say");
  return wanted;
}

function restrictionOf(
  { isWhole, workspaceIds }: KeyAccess,
  { workspace_ids: wanted = null }: ApiKeyCreate,
): string | null {
  if (wanted === null) return isWhole ? null : JSON.stringify(workspaceIds);
  const stranger = wanted.find((id) => !workspaceIds.includes(id));
  if (stranger !== undefined) throw new AppError("not_found", `Workspace ${stranger} not found`);
  return JSON.stringify(wanted);
}

/** What the key opens now: whoever it belongs to may have had a greater role when it was made. */
function openedRole({ role, member_role, service_role }: KeyOwner): Role {
  return lesserRole(role, member_role ?? service_role ?? ROLES[0]);
}

function isOwn(
  { user_id, service_account_id }: Pick<ApiKeyRow, "user_id" | "service_account_id">,
  { actor }: KeyAccess,
): boolean {
  return (actor.kind === "user" ? user_id : service_account_id) === actor.id;
}

/** A key for some workspaces only leaves the rest of the account alone. */
function managesAccount({ role, isWhole }: KeyAccess): boolean {
  return isWhole && mayDo(role, "manage");
}
