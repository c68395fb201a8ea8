import { randomBytes } from "node:crypto";
import type { UptimeContext } from "../context.ts";
import type { UptimeAccountRow } from "../db/tables/accounts.table.ts";
import {
  deleteLoginSessionsOf,
  findUptimeAccount,
  insertUptimeAccount,
  updateUptimeAccount,
} from "./accounts.store.ts";
import { hashPassword, verifyPassword } from "./password-hash.ts";

/** 144 bits, as 24 characters. */
const PASSWORD_BYTES = 18;

export interface MadeUpCredentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Sees to it that there is somebody who may log in. A password in the settings is the one that
 * counts, and ends all sessions when it is another one than before. Without it one is made up at
 * the first start, and told only then.
 */
export async function ensureAccount(
  ctx: UptimeContext,
  workspaceId: string,
): Promise<MadeUpCredentials | null> {
  const { username, password } = ctx.settings;
  const account = await findUptimeAccount(ctx.db.in(workspaceId));
  if (password !== null) {
    await adoptPassword(ctx, workspaceId, { account, username, password });
    return null;
  }
  if (account !== null) return null;
  const madeUp = randomBytes(PASSWORD_BYTES).toString("base64url");
  const row = await newAccount(ctx, username, madeUp);
  const isFirst = await ctx.db.write(workspaceId, (tx) => insertUptimeAccount(tx, row));
  return isFirst ? { username, password: madeUp } : null;
}

async function adoptPassword(
  ctx: UptimeContext,
  workspaceId: string,
  given: MadeUpCredentials & { readonly account: UptimeAccountRow | null },
): Promise<void> {
  const { account, username, password } = given;
  const isKnown =
    account !== null &&
    account.username === username &&
    (await verifyPassword(password, account.password_hash));
  if (isKnown) return;
  const row = await newAccount(ctx, username, password);
  await ctx.db.write(workspaceId, async (tx) => {
    if (await insertUptimeAccount(tx, row)) return;
    // Another replica may have been first, also with another password: this one is later.
    const present = await findUptimeAccount(tx);
    if (present === null) return;
    await updateUptimeAccount(tx, { ...row, id: present.id });
    await deleteLoginSessionsOf(tx, present.id);
  });
}

async function newAccount(
  ctx: UptimeContext,
  username: string,
  password: string,
): Promise<UptimeAccountRow> {
  const now = ctx.clock.now();
  const password_hash = await hashPassword(password, ctx.passwordCost);
  return { id: ctx.ids.uuid7(), created_at: now, updated_at: now, username, password_hash };
}
