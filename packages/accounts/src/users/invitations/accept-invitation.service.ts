import type { InvitationAccept, InvitationView } from "@orchestrator/contract";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import { accessChanged } from "../../access/access.store.ts";
import { hashSessionToken } from "../../access/session-token.rules.ts";
import { insertMember, insertUser } from "../../accounts/accounts.store.ts";
import type { AccountsContext } from "../../context.ts";
import type { UserRow } from "../../db/tables.ts";
import { findMember } from "../members/members.store.ts";
import { hashPassword } from "../password-hash.ts";
import { checkCredentials } from "../users.service.ts";
import { findUser, findUserByEmail, updateUser } from "../users.store.ts";
import {
  findInvitationByToken,
  type OpenInvitation,
  removeInvitation,
} from "./invitations.store.ts";

/** Whoever accepts an invitation. */
export interface AcceptanceRequest extends InvitationAccept {
  readonly address: string;
  /** The user who is signed in, if one is. */
  readonly userId: string | null;
}

/** `userId` is the user who is signed in, if one is. */
export async function viewInvitation(
  ctx: AccountsContext,
  token: string,
  userId: string | null = null,
): Promise<InvitationView> {
  const { email, account_name, role } = await openInvitation(ctx, token);
  const user = await findUserByEmail(ctx.db.system, email);
  const here = userId === null ? null : await findUser(ctx.db.system, userId);
  const canBeHere = here !== null && (user === null || user.id === here.id);
  return {
    email,
    account_name,
    role,
    accepted_by: waysOf(user),
    accepted_as: canBeHere ? { name: here.name, email: here.email } : null,
  };
}

function waysOf(user: UserRow | null): InvitationView["accepted_by"] {
  if (user === null) return "new_user";
  return user.password_hash === null ? "sign_in" : "password";
}

export interface AcceptedInvitation {
  readonly userId: string;
  readonly accountId: string;
}

/**
 * Tells who has become a member of what. Whoever has the token has it from somebody of the account,
 * which proves nothing to a user who is there already: they must be signed in or know the password.
 */
export async function acceptInvitation(
  ctx: AccountsContext,
  accepting: AcceptanceRequest,
): Promise<AcceptedInvitation> {
  const invitation = await openInvitation(ctx, accepting.token);
  const { email, account_id: accountId } = invitation;
  const user = await findUserByEmail(ctx.db.system, email);
  if (user === null) {
    // Somebody who is signed in and asks to be nobody else is known by this email from now on.
    const { userId: here, name, password } = accepting;
    const isHere = here !== null && name === undefined && password === undefined;
    const accept = isHere
      ? acceptAsAlias(ctx, invitation, here)
      : acceptAsNew(ctx, invitation, accepting);
    return { accountId, userId: await accept };
  }
  if (user.id !== accepting.userId) {
    const { password, address } = accepting;
    if (user.password_hash === null)
      throw new AppError("conflict", `There is a user ${email}: sign in as them first`);
    if (password === undefined)
      throw new AppError("invalid", `There is a user ${email}: send their password`);
    await checkCredentials(ctx, { email, password, address });
  }
  await ctx.db.writeSystem((tx) => joinAccount(ctx, tx, { invitation, userId: user.id }));
  return { accountId, userId: user.id };
}

async function acceptAsAlias(
  ctx: AccountsContext,
  invitation: OpenInvitation,
  userId: string,
): Promise<string> {
  await ctx.db.writeSystem(async (tx) => {
    const user = await findUser(tx, userId);
    if (user === null) throw gone();
    const { email } = invitation;
    await updateUser(tx, { id: userId, name: user.name, updated: ctx.clock.now(), email });
    await joinAccount(ctx, tx, { invitation, userId });
  });
  return userId;
}

async function acceptAsNew(
  ctx: AccountsContext,
  invitation: OpenInvitation,
  { name, password }: AcceptanceRequest,
): Promise<string> {
  if (name === undefined || password === undefined)
    throw new AppError("invalid", "Send a name and a password to be known by");
  const now = ctx.clock.now();
  const user: UserRow = {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    name,
    email: invitation.email,
    password_hash: await hashPassword(password),
  };
  await ctx.db
    .writeSystem(async (tx) => {
      await insertUser(tx, user);
      await joinAccount(ctx, tx, { invitation, userId: user.id });
    })
    .catch((error: unknown) => {
      // Two browsers at the same time.
      throw isAppError(error, "conflict") ? gone() : error;
    });
  return user.id;
}

interface Joining {
  readonly invitation: Omit<OpenInvitation, "account_name">;
  readonly userId: string;
}

/** An invitation is good for one acceptance. */
export async function joinAccount(
  { clock }: Pick<AccountsContext, "clock">,
  tx: SystemTransaction,
  { invitation, userId: user_id }: Joining,
): Promise<void> {
  const { account_id, role } = invitation;
  if (!(await removeInvitation(tx, invitation))) throw gone();
  if ((await findMember(tx, { account_id, user_id })) === null)
    await insertMember(tx, { account_id, user_id, created: clock.now(), role });
  await accessChanged(tx);
}

async function openInvitation(ctx: AccountsContext, token: string): Promise<OpenInvitation> {
  const asked = { token_hash: hashSessionToken(token), now: ctx.clock.now() };
  const found = await findInvitationByToken(ctx.db.system, asked);
  if (found === null) throw gone();
  return found;
}

const gone = (): AppError =>
  new AppError("not_found", "The invitation is unknown, used, revoked or has expired");
