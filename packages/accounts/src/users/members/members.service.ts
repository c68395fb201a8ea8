import type { Role } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import { accessChanged } from "../../access/access.store.ts";
import { assertRole } from "../../access/assert-role.ts";
import type { KeyAccess } from "../../access/key-cache.ts";
import type { AccountsContext } from "../../context.ts";
import { removeUser } from "../users.store.ts";
import {
  countMemberships,
  countOwners,
  findMember,
  removeMemberRow,
  setMemberRole,
} from "./members.store.ts";

export async function changeRole(
  ctx: AccountsContext,
  access: KeyAccess,
  { userId, role }: { readonly userId: string; readonly role: Role },
): Promise<void> {
  assertRole(access, role);
  await ctx.db.writeSystem(async (tx) => {
    const key = await reachedMember(tx, access, userId);
    if (role !== "owner") await assertNotLastOwner(tx, key);
    await setMemberRole(tx, { account_id: key.account_id, user_id: key.user_id, role });
  });
}

/** Ends what the user does in the account at once. Whoever is a member of no other is forgotten. */
export async function removeMember(
  ctx: AccountsContext,
  access: KeyAccess,
  userId: string,
): Promise<void> {
  await ctx.db.writeSystem(async (tx) => {
    const key = await reachedMember(tx, access, userId);
    await assertNotLastOwner(tx, key);
    await removeMemberRow(tx, { account_id: key.account_id, user_id: key.user_id });
    if ((await countMemberships(tx, userId)) === 0) await removeUser(tx, userId);
  });
}

async function reachedMember(tx: SystemTransaction, access: KeyAccess, user_id: string) {
  // First, as it lets one such change happen after the other: two owners must not remove each
  // other.
  await accessChanged(tx);
  const found = await findMember(tx, { account_id: access.accountId, user_id });
  if (found === null) throw new AppError("not_found", `Member ${user_id} not found`);
  assertRole(access, found.role);
  return found;
}

async function assertNotLastOwner(
  tx: SystemTransaction,
  { account_id, role }: { readonly account_id: string; readonly role: Role },
): Promise<void> {
  if (role === "owner" && (await countOwners(tx, account_id)) <= 1)
    throw new AppError("conflict", "The account needs an owner: make another one first");
}
