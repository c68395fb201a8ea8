import { AppError } from "@orchestrator/kernel/pure";
import { safeEqual } from "@orchestrator/kernel/secrets";
import type { UptimeContext } from "../context.ts";
import type { UptimeAccountRow } from "../db/tables/accounts.table.ts";
import { findUptimeAccount } from "./accounts.store.ts";
import { verifyPassword } from "./password-hash.ts";

export interface LoginCredentials {
  readonly username: string;
  readonly password: string;
  /** Where they come from. */
  readonly address: string;
}

/**
 * The account that the credentials are of, or `unauthorized`; takes as long for a user that there
 * is not.
 */
export async function logIn(
  ctx: UptimeContext,
  workspaceId: string,
  credentials: LoginCredentials,
): Promise<UptimeAccountRow> {
  const { username, password } = credentials;
  const account = await findUptimeAccount(ctx.db.in(workspaceId));
  if (account === null) throw unauthorized();
  const { password_hash: hash } = account;
  const isRight = await ctx.logins.verify({ ...credentials, hash }, async () => {
    const isPassword = await verifyPassword(password, hash);
    return safeEqual(username, account.username) && isPassword;
  });
  if (!isRight) throw unauthorized();
  return account;
}

export function unauthorized(): AppError {
  return new AppError("unauthorized", "Credentials are missing or wrong");
}
