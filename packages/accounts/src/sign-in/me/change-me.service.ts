import type { MeUpdate, PasswordChange } from "@orchestrator/contract";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import { accessChanged } from "../../access/access.store.ts";
import type { KeyAccess } from "../../access/key-cache.ts";
import { mayDo } from "../../access/permissions.rules.ts";
import type { AccountsContext } from "../../context.ts";
import type { UserRow } from "../../db/tables.ts";
import { listInvitationsByEmail } from "../../users/invitations/invitations.store.ts";
import { findMember } from "../../users/members/members.store.ts";
import { hashPassword, verifyPassword } from "../../users/password-hash.ts";
import { normalEmail } from "../../users/users.service.ts";
import { findUser, setPasswordHash, updateUser } from "../../users/users.store.ts";
import { removeSessionsOf } from "../sessions/sessions.store.ts";

/** Changes the given fields only. */
export async function updateMe(
  ctx: AccountsContext,
  { access, accesses }: { readonly access: KeyAccess; readonly accesses: readonly KeyAccess[] },
  { name, email }: MeUpdate,
): Promise<void> {
  const user = await wholeUser(ctx, access);
  const isOther = email !== undefined && normalEmail(email) !== user.email;
  if (isOther && user.email !== null && !accesses.some(mayInvite))
    throw new AppError(
      "forbidden",
      "Have yourself invited under the other email, and accept that while you are signed in",
    );
  const after = {
    id: user.id,
    updated: ctx.clock.now(),
    name: name ?? user.name,
    email: email === undefined ? user.email : normalEmail(email),
  };
  if (isOther) await assertNobodyInvited(ctx, normalEmail(email));
  await ctx.db
    .writeSystem(async (tx) => {
      await updateUser(tx, after);
      await accessChanged(tx);
    })
    .catch(emailTaken);
}

/**
 * Nobody sends mail to find out whose an email is: it is given by those who may invite, and kept
 * for who is invited.
 */
const mayInvite = ({ role }: KeyAccess): boolean => mayDo(role, "manage");

async function assertNobodyInvited({ db, clock }: AccountsContext, email: string): Promise<void> {
  const invited = await listInvitationsByEmail(db.system, { email, now: clock.now() });
  if (invited.length > 0)
    throw new AppError("conflict", "Somebody is invited under this email: accept the invitation");
}

/** Ends all sessions but the one it is done with. */
export async function changePassword(
  ctx: AccountsContext,
  access: KeyAccess,
  { address, ...change }: PasswordChange & { readonly address: string },
): Promise<void> {
  const user = await wholeUser(ctx, access);
  await assertCurrent(ctx, user, { address, password: change.current_password ?? null });
  const password_hash = await hashPassword(change.new_password);
  const updated = ctx.clock.now();
  await ctx.db.writeSystem(async (tx) => {
    await setPasswordHash(tx, { id: user.id, updated, password_hash });
    await removeSessionsOf(tx, { user_id: user.id, but: access.sessionId });
    await accessChanged(tx);
  });
}

/** Where there is a password it must be known; the first one may be chosen freely. */
async function assertCurrent(
  ctx: AccountsContext,
  { id, password_hash: hash }: UserRow,
  { address, password }: { readonly address: string; readonly password: string | null },
): Promise<void> {
  if (hash === null) return;
  if (password === null)
    throw new AppError("invalid", "There is a password already: send it as current_password");
  const attempt = { address, username: id, password, hash };
  if (await ctx.logins.verify(attempt, () => verifyPassword(password, hash))) return;
  throw new AppError("forbidden", "The current password is wrong");
}

/**
 * Whoever can log in as a user may do all that the user may, so a lesser key must not decide about
 * that: it would open more than it was made for.
 */
async function wholeUser(ctx: AccountsContext, access: KeyAccess): Promise<UserRow> {
  const { actor, accountId, keyId, role, isWhole, expiresMicros } = access;
  const user = actor.kind === "user" ? await findUser(ctx.db.system, actor.id) : null;
  if (user === null) throw new AppError("forbidden", "A service account has keys and nothing else");
  if (keyId === null) return user;
  const member = await findMember(ctx.db.system, { account_id: accountId, user_id: user.id });
  if (isWhole && member?.role === role && expiresMicros === Number.POSITIVE_INFINITY) return user;
  throw new AppError(
    "forbidden",
    "A key that opens less than its user may does not change the user",
  );
}

function emailTaken(error: unknown): never {
  throw isAppError(error, "conflict")
    ? new AppError("conflict", "Another user has this email")
    : error;
}
