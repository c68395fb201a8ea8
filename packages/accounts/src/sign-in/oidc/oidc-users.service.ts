import type { SignInProblem } from "@orchestrator/contract";
import { isAppError } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import { accessChanged } from "../../access/access.store.ts";
import { findAccountByHandle, insertMember, insertUser } from "../../accounts/accounts.store.ts";
import type { AccountsContext } from "../../context.ts";
import type { UserRow } from "../../db/tables.ts";
import { findUserIdOf, insertIdentity } from "../../users/identities.store.ts";
import { joinAccount } from "../../users/invitations/accept-invitation.service.ts";
import { listInvitationsByEmail } from "../../users/invitations/invitations.store.ts";
import { normalEmail } from "../../users/users.service.ts";
import { findUserByEmail } from "../../users/users.store.ts";
import type { IdClaims } from "./provider.ts";

/** A sign-in through the provider that leads nowhere. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem) {
    super(problem);
    this.problem = problem;
  }
}

const MAX_EMAIL = 254;
const MAX_NAME = 255;

export interface Admitted {
  readonly userId: string;
  /** The accounts that the user has become a member of just now. */
  readonly joined: readonly string[];
}

/**
 * The user whom the provider has let in: one it is known for, or a new one where those may come in.
 */
export async function admitIdentity(ctx: AccountsContext, claims: IdClaims): Promise<Admitted> {
  const email = verifiedEmail(ctx, claims);
  const admit = (): Promise<Admitted> =>
    ctx.db.writeSystem(async (tx) => {
      const userId = await findUserIdOf(tx, identityOf(ctx, claims));
      if (userId === null) return addUser(ctx, tx, claims);
      const joined = email === null ? [] : await joinInvited(ctx, tx, { email, userId });
      return { userId, joined };
    });
  try {
    return await admit();
  } catch (error) {
    // Two windows for the first time at once: whoever is second is known by now.
    if (isAppError(error, "conflict")) return admit();
    throw error;
  }
}

/** Lets a user who is signed in sign in through the provider from now on. */
export async function connectIdentity(
  ctx: AccountsContext,
  userId: string,
  claims: IdClaims,
): Promise<void> {
  const identity = identityOf(ctx, claims);
  await ctx.db.writeSystem(async (tx) => {
    const known = await findUserIdOf(tx, identity);
    if (known === userId) return;
    if (known !== null) throw new SignInRefused("identity_taken");
    await insertIdentity(tx, { ...identity, user_id: userId, created: ctx.clock.now() });
  });
}

/**
 * Nobody becomes a user who is there already because of an email: a user may have given themselves
 * any that is free. They sign in as before and connect.
 */
async function addUser(
  ctx: AccountsContext,
  tx: SystemTransaction,
  claims: IdClaims,
): Promise<Admitted> {
  const email = verifiedEmail(ctx, claims);
  if (email === null) throw new SignInRefused("email_unverified");
  if ((await findUserByEmail(tx, email)) !== null) throw new SignInRefused("email_taken");
  const now = ctx.clock.now();
  const name = nameOf(claims, email);
  const id = ctx.ids.uuid7();
  const user: UserRow = { id, created: now, updated: now, name, email, password_hash: null };
  await insertUser(tx, user);
  await insertIdentity(tx, { ...identityOf(ctx, claims), user_id: id, created: now });
  const invited = await joinInvited(ctx, tx, { email, userId: id });
  return { userId: id, joined: invited.length > 0 ? invited : [await joinByPolicy(ctx, tx, id)] };
}

/** Returns the accounts that the email is invited to. */
async function joinInvited(
  ctx: AccountsContext,
  tx: SystemTransaction,
  { email, userId }: { readonly email: string; readonly userId: string },
): Promise<string[]> {
  const invitations = await listInvitationsByEmail(tx, { email, now: ctx.clock.now() });
  for (const invitation of invitations) await joinAccount(ctx, tx, { invitation, userId });
  return invitations.map(({ account_id }) => account_id);
}

async function joinByPolicy(
  ctx: AccountsContext,
  tx: SystemTransaction,
  user_id: string,
): Promise<string> {
  const { newUsers, account: handle, role } = ctx.settings.oidc;
  if (newUsers === "invited") throw new SignInRefused("not_invited");
  const account = await findAccountByHandle(tx, handle);
  if (account === null) {
    ctx.log.warn({ handle }, "there is no account for new users of the OpenID provider");
    throw new SignInRefused("not_invited");
  }
  await insertMember(tx, { account_id: account.id, user_id, created: ctx.clock.now(), role });
  await accessChanged(tx);
  return account.id;
}

const identityOf = ({ settings: { oidc } }: AccountsContext, { sub }: IdClaims) => ({
  issuer: oidc.issuer ?? "",
  subject: sub,
});

/**
 * Some providers write it as a word; others say nothing, which counts only where the settings say
 * so.
 */
function verifiedEmail(
  { settings: { oidc } }: AccountsContext,
  { email, email_verified: given }: IdClaims,
): string | null {
  const isVerified = given === true || given === "true" || (given === undefined && oidc.trustEmail);
  if (!isVerified || typeof email !== "string") return null;
  return /^[^@\s]+@[^@\s]+$/.test(email) && email.length <= MAX_EMAIL ? normalEmail(email) : null;
}

/** As a name may be written here. */
function nameOf({ name, preferred_username: other }: IdClaims, email: string): string {
  const given = [name, other, email].find((text) => typeof text === "string" && text.trim() !== "");
  return (
    String(given)
      .replaceAll(/[/%&><]/g, " ")
      .trim()
      .slice(0, MAX_NAME) || email
  );
}
