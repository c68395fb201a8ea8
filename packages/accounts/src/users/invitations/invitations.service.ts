import type { CreatedInvitation, Invitation, InvitationCreate } from "@orchestrator/contract";
import { AppError, formatMicros } from "@orchestrator/kernel/pure";
import { assertRole } from "../../access/assert-role.ts";
import type { KeyAccess } from "../../access/key-cache.ts";
import { hashSessionToken, makeSessionToken } from "../../access/session-token.rules.ts";
import type { AccountsContext } from "../../context.ts";
import { normalEmail } from "../users.service.ts";
import {
  deleteEarlierInvitations,
  insertInvitation,
  isMember,
  listInvitationsOf,
  removeExpiredInvitations,
  removeInvitation,
} from "./invitations.store.ts";

const GOOD_FOR_MICROS = 7 * 86_400_000_000;
const MAX_INVITATIONS = 1000;

export function listInvitations(
  ctx: AccountsContext,
  { accountId }: KeyAccess,
): Promise<Invitation[]> {
  return listInvitationsOf(ctx.db.system, { account_id: accountId, now: ctx.clock.now() });
}

/** A second one for the same email takes the place of the first. */
export async function inviteUser(
  ctx: AccountsContext,
  access: KeyAccess,
  { email: given, role }: InvitationCreate,
): Promise<CreatedInvitation> {
  assertRole(access, role);
  const token = makeSessionToken();
  const micros = ctx.clock.nowMicros();
  const now = formatMicros(micros);
  const { accountId: account_id } = access;
  const row = {
    id: ctx.ids.uuid7(),
    account_id,
    created: now,
    expires: formatMicros(micros + GOOD_FOR_MICROS),
    email: normalEmail(given),
    role,
  };
  await ctx.db.writeSystem(async (tx) => {
    if (await isMember(tx, row))
      throw new AppError("conflict", `${row.email} is a member of the account already`);
    const open = await listInvitationsOf(tx, { account_id, now });
    if (open.length >= MAX_INVITATIONS)
      throw new AppError("conflict", `${MAX_INVITATIONS} invitations are open: revoke some first`);
    await deleteEarlierInvitations(tx, { account_id, email: row.email });
    await insertInvitation(tx, { ...row, token_hash: hashSessionToken(token) });
  });
  return { ...row, token, link: `${ctx.baseUrl}/invitation?token=${token}` };
}

export async function revokeInvitation(
  ctx: AccountsContext,
  { accountId: account_id }: KeyAccess,
  id: string,
): Promise<void> {
  const isGone = await ctx.db.writeSystem((tx) => removeInvitation(tx, { account_id, id }));
  if (!isGone) throw new AppError("not_found", `Invitation ${id} not found`);
}

/** Tells how many nobody has accepted in time. */
export function deleteExpiredInvitations({ db, clock }: AccountsContext): Promise<number> {
  return db.writeSystem((tx) => removeExpiredInvitations(tx, clock.now()));
}
