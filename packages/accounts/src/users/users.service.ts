import { AppError } from "@orchestrator/kernel/pure";
import type { AccountsContext } from "../context.ts";
import type { UserRow } from "../db/tables.ts";
import { standInHash, verifyPassword } from "./password-hash.ts";
import { findUserByEmail } from "./users.store.ts";

/** Two emails that differ in case only are the same. */
export const normalEmail = (email: string): string => email.toLowerCase();

export interface PasswordCredentials {
  readonly email: string;
  readonly password: string;
  /** Where they come from. */
  readonly address: string;
}

/**
 * The user that the credentials are of, or `unauthorized`; takes as long for a user that there is
 * not.
 */
export async function checkCredentials(
  ctx: AccountsContext,
  { email: given, password, address }: PasswordCredentials,
): Promise<UserRow> {
  const email = normalEmail(given);
  const user = await findUserByEmail(ctx.db.system, email);
  const known = user?.password_hash ?? null;
  const hash = known ?? (await standInHash());
  const attempt = { address, username: email, password, hash };
  const isRight = await ctx.logins.verify(attempt, () => verifyPassword(password, hash));
  if (user === null || known === null || !isRight)
    throw new AppError("unauthorized", "The email or the password is wrong");
  return user;
}
