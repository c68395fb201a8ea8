import { AppError } from "@orchestrator/kernel/pure";
import { safeEqual } from "@orchestrator/kernel/secrets";
import type { UptimeContext } from "../context.ts";
import type { AccountRow } from "../db/tables/accounts.table.ts";
import { findAccount } from "./accounts.store.ts";
import { verifyPassword } from "./password-hash.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
  /** Where they come from. */
  readonly address: string;
}

/** The account that the credentials are of, or `unauthorized`; takes as long for a user that there is not. */
export async function logIn(
  ctx: UptimeContext,
  workspaceId: string,
  credentials: Credentials,
): Promise<AccountRow> {
  const { username, password } = credentials;
  const account = await findAccount(ctx.db.in(workspaceId));
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
