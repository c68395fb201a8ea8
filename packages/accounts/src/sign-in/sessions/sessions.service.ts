import type { UserSession } from "@orchestrator/contract";
import { AppError, formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { FastifyRequest } from "fastify";
import { accessChanged } from "../../access/access.store.ts";
import type { KeyAccess } from "../../access/key-cache.ts";
import {
  hashSessionToken,
  makeSessionToken,
  sessionCookie,
} from "../../access/session-token.rules.ts";
import type { AccountsContext } from "../../context.ts";
import type { SessionRow } from "../../db/tables.ts";
import {
  insertSession,
  listSessionsOf,
  removeOverSessions,
  removeOwnSession,
  removeSession,
} from "./sessions.store.ts";

/** Whoever begins more has the oldest ended. */
const MAX_SESSIONS = 100;
const MAX_USER_AGENT = 300;

/**
 * Whom a session is for: a user, or whoever has the key, to which it then goes no further than the
 * key.
 */
export type SessionHolder = Pick<SessionRow, "user_id" | "api_key_id">;

/** Begins a session with a token of its own; the one that the browser had before is over. */
export async function startSession(
  ctx: AccountsContext,
  holder: SessionHolder,
  request: FastifyRequest,
): Promise<string> {
  const token = makeSessionToken();
  const now = ctx.clock.nowMicros();
  const row: SessionRow = {
    id: ctx.ids.uuid7(),
    ...holder,
    token_hash: hashSessionToken(token),
    created: formatMicros(now),
    last_used: formatMicros(now),
    ends: formatMicros(now + ctx.settings.sessionLifetime * 1000),
    address: request.ip,
    user_agent: (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT),
  };
  const earlier = sessionCookie.read(request);
  await ctx.db.writeSystem(async (tx) => {
    const isReplaced = earlier !== null && (await removeSession(tx, hashSessionToken(earlier)));
    const { user_id } = holder;
    const known = user_id === null ? [] : await listSessionsOf(tx, user_id);
    const surplus = known.slice(MAX_SESSIONS - 1);
    for (const { id } of surplus) await removeOwnSession(tx, { user_id: user_id ?? "", id });
    await insertSession(tx, row);
    if (isReplaced || surplus.length > 0) await accessChanged(tx);
  });
  return token;
}

export async function endSession(ctx: AccountsContext, token: string): Promise<void> {
  await ctx.db.writeSystem(async (tx) => {
    if (await removeSession(tx, hashSessionToken(token))) await accessChanged(tx);
  });
}

/** Those of the user, newest first. */
export async function listSessions(
  ctx: AccountsContext,
  { actor, sessionId }: KeyAccess,
): Promise<UserSession[]> {
  const idle = ctx.settings.sessionIdle * 1000;
  const now = ctx.clock.nowMicros();
  const sessions = await listSessionsOf(ctx.db.system, actor.id);
  return sessions.flatMap(({ ends, ...session }) => {
    const expires = Math.min(parseMicros(session.last_used) + idle, parseMicros(ends));
    if (expires <= now) return [];
    return [{ ...session, expires: formatMicros(expires), is_current: session.id === sessionId }];
  });
}

export async function endOwnSession(
  ctx: AccountsContext,
  { actor }: KeyAccess,
  id: string,
): Promise<void> {
  await ctx.db.writeSystem(async (tx) => {
    if (!(await removeOwnSession(tx, { user_id: actor.id, id })))
      throw new AppError("not_found", `Session ${id} not found`);
    await accessChanged(tx);
  });
}

interface SessionCare extends Pick<AccountsContext, "db" | "clock"> {
  readonly settings: Pick<AccountsContext["settings"], "sessionIdle">;
}

/** Tells how many sessions were over. */
export function deleteOverSessions({ db, clock, settings }: SessionCare): Promise<number> {
  const now = clock.nowMicros();
  const unused_since = formatMicros(now - settings.sessionIdle * 1000);
  return db.writeSystem((tx) => removeOverSessions(tx, { now: formatMicros(now), unused_since }));
}
