import { createHash, randomBytes } from "node:crypto";
import type { LoginSession } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { UptimeContext } from "../context.ts";
import type { UptimeAccountRow } from "../db/tables/accounts.table.ts";
import {
  deleteExpiredLoginSessions,
  deleteLoginSession,
  extendSession,
  type FoundLoginSession,
  findSession,
  insertLoginSession,
} from "./accounts.store.ts";

const TOKEN_BYTES = 32;
/**
 * The end of a session is moved when at least this part of its idle time is gone, not with every
 * request.
 */
const EXTEND_AFTER = 1 / 24;

export interface StartedSession {
  readonly token: string;
  readonly session: LoginSession;
}

/** Begins a session with a token of its own; the one that the browser had before is over. */
export async function startLoginSession(
  ctx: UptimeContext,
  workspaceId: string,
  { account, earlier }: { readonly account: UptimeAccountRow; readonly earlier: string | null },
): Promise<StartedSession> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const now = ctx.clock.nowMicros();
  const ends = now + ctx.settings.sessionLifetime * 1000;
  const expires_at = formatMicros(Math.min(now + ctx.settings.sessionIdle * 1000, ends));
  const row = {
    id: ctx.ids.uuid7(),
    account_id: account.id,
    token_hash: hashOf(token),
    created_at: formatMicros(now),
    expires_at,
    ends_at: formatMicros(ends),
  };
  await ctx.db.write(workspaceId, async (tx) => {
    if (earlier !== null) await deleteLoginSession(tx, hashOf(earlier));
    await insertLoginSession(tx, row);
  });
  return { token, session: { username: account.username, expires_at } };
}

/** The session of a token, used by this look; null when there is none or it is over. */
export async function useLoginSession(
  ctx: UptimeContext,
  workspaceId: string,
  token: string,
): Promise<FoundLoginSession | null> {
  const session = await findSession(ctx.db.in(workspaceId), hashOf(token));
  const now = ctx.clock.nowMicros();
  if (session === null || parseMicros(session.expires_at) <= now) return null;
  const idle = ctx.settings.sessionIdle * 1000;
  const extended = Math.min(now + idle, parseMicros(session.ends_at));
  if (extended - parseMicros(session.expires_at) < idle * EXTEND_AFTER) return session;
  const expires_at = formatMicros(extended);
  await ctx.db.write(workspaceId, (tx) => extendSession(tx, { id: session.id, expires_at }));
  return { ...session, expires_at };
}

export async function endLoginSession(
  ctx: UptimeContext,
  workspaceId: string,
  token: string,
): Promise<void> {
  await ctx.db.write(workspaceId, (tx) => deleteLoginSession(tx, hashOf(token)));
}

/** Tells how many sessions were over. */
export function deleteExpiredSessions({ db, clock }: UptimeContext): Promise<number> {
  return db.writeSystem((tx) => tx.run(deleteExpiredLoginSessions, { now: clock.now() }));
}

/** The token has 256 random bits, so that a plain hash tells nothing about it. */
function hashOf(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("base64url");
}
