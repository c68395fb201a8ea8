import type { Account, AccountCreate, AccountUpdate, CreatedAccount } from "@orchestrator/contract";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import { openScope } from "@orchestrator/kernel/scope";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import { accessChanged } from "../access/access.store.ts";
import type { KeyAccess } from "../access/key-cache.ts";
import { makeKey } from "../access/key-text.rules.ts";
import type { AccountsContext } from "../context.ts";
import { insertKey, shownKey } from "../keys/keys.store.ts";
import {
  findAccount,
  insertAccount,
  insertMember,
  insertUser,
  isThereAnAccount,
  updateAccountRow,
} from "./accounts.store.ts";
import { handleTaken } from "./workspaces/workspaces.service.ts";
import { insertWorkspace } from "./workspaces/workspaces.store.ts";

/**
 * The first start makes an owner with a key, an account, and a workspace. The workspace is the one
 * of an open server, so that a server which was open before keeps all it has.
 */
export async function ensureFirstAccount(ctx: AccountsContext): Promise<CreatedAccount | null> {
  const user = newUser(ctx, "owner");
  const parts = newAccount(ctx, user.id, {
    account: { name: "Default", handle: "default" },
    workspaceId: openScope("start").workspaceId,
  });
  try {
    return await ctx.db.writeSystem(async (tx) => {
      if (await isThereAnAccount(tx)) return null;
      await insertUser(tx, user);
      await insertParts(tx, parts);
      return parts.shown;
    });
  } catch (error) {
    // Another replica that starts at the same time was first.
    if (isAppError(error, "conflict")) return null;
    throw error;
  }
}

/**
 * Another account of the same user, with a first workspace and a key of its own: a key is good for
 * one account.
 */
export async function createAccount(
  ctx: AccountsContext,
  { actor }: KeyAccess,
  account: AccountCreate,
): Promise<CreatedAccount> {
  if (actor.kind !== "user")
    throw new AppError("forbidden", "A service account belongs to one account and makes no other");
  const workspaceId = ctx.ids.uuid7();
  const parts = newAccount(ctx, actor.id, { account, workspaceId });
  await ctx.db.writeSystem((tx) => insertParts(tx, parts)).catch(handleTaken(account.handle));
  await ctx.prepareWorkspace(workspaceId);
  return parts.shown;
}

export async function readAccount(
  ctx: AccountsContext,
  { accountId }: KeyAccess,
): Promise<Account> {
  const account = await findAccount(ctx.db, accountId);
  if (account === null) throw new AppError("not_found", `Account ${accountId} not found`);
  return account;
}

/** Changes the given fields only. */
export async function updateAccount(
  ctx: AccountsContext,
  access: KeyAccess,
  changes: AccountUpdate,
): Promise<void> {
  const after = { ...(await readAccount(ctx, access)), ...changes, updated: ctx.clock.now() };
  await ctx.db.writeSystem((tx) => updateAccountRow(tx, after)).catch(handleTaken(after.handle));
}

function newUser(ctx: AccountsContext, name: string) {
  const now = ctx.clock.now();
  return {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    name,
    email: null,
    password_hash: null,
  };
}

interface Beginning {
  readonly account: AccountCreate;
  readonly workspaceId: string;
}

function newAccount(ctx: AccountsContext, userId: string, { account, workspaceId }: Beginning) {
  const now = ctx.clock.now();
  const times = { created: now, updated: now };
  const { key, prefix, hash } = makeKey();
  const { name, handle } = account;
  const accountRow = { id: ctx.ids.uuid7(), ...times, name, handle };
  const account_id = accountRow.id;
  const member = { account_id, user_id: userId, created: now, role: "owner" as const };
  const workspace = {
    id: workspaceId,
    account_id,
    ...times,
    name: "Default",
    handle: "default",
    description: "",
  };
  const keyRow = {
    id: ctx.ids.uuid7(),
    account_id,
    created: now,
    name: "first key",
    prefix,
    user_id: userId,
    service_account_id: null,
    role: "owner" as const,
    workspace_ids: null,
    expires: null,
    last_used: null,
    requests_per_minute: null,
  };
  const shown: CreatedAccount = {
    account: accountRow,
    workspace,
    api_key: { ...shownKey(keyRow), key },
  };
  return { account: accountRow, member, workspace, key: { ...keyRow, hash }, shown };
}

async function insertParts(
  tx: SystemTransaction,
  { account, member, workspace, key }: ReturnType<typeof newAccount>,
): Promise<void> {
  await insertAccount(tx, account);
  await insertMember(tx, member);
  await insertWorkspace(tx, workspace);
  await insertKey(tx, key);
  await accessChanged(tx);
}
