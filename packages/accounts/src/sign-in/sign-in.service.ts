import type { AuthMethods, Me, SessionLogin } from "@orchestrator/contract";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hashKey, keyPrefix, looksLikeKey } from "../access/key-text.rules.ts";
import { sessionCookie } from "../access/session-token.rules.ts";
import type { AccountsContext } from "../context.ts";
import { checkCredentials } from "../users/users.service.ts";
import { describeMe } from "./me/me.service.ts";
import { type SessionHolder, startSession } from "./sessions/sessions.service.ts";
import { auditEntrance, auditFailure } from "./sign-in-audit.service.ts";

export function offeredAuthMethods({ settings: { oidc } }: AccountsContext): AuthMethods {
  return { password: true, oidc: oidc.issuer === null ? null : { name: oidc.name } };
}

/** Whom the credentials are of, or `unauthorized`. */
export async function holderOf(
  ctx: AccountsContext,
  request: FastifyRequest,
  { email, password, key }: SessionLogin,
): Promise<SessionHolder> {
  if (key !== undefined) return holderOfKey(ctx, request, key);
  if (email === undefined || password === undefined)
    throw new AppError("invalid", "Send an email and a password, or a key");
  try {
    const { id } = await checkCredentials(ctx, { email, password, address: request.ip });
    return { user_id: id, api_key_id: null };
  } catch (error) {
    if (isAppError(error, "unauthorized")) auditFailure(ctx, request, { email, status: 401 });
    throw error;
  }
}

async function holderOfKey(ctx: AccountsContext, request: FastifyRequest, key: string) {
  const { keys } = ctx.gate;
  const access = looksLikeKey(key) ? await keys.find(hashKey(key)) : null;
  if (access === null || keys.isExpired(access)) {
    const prefix = looksLikeKey(key) ? keyPrefix(key) : null;
    auditFailure(ctx, request, { keyPrefix: prefix, status: 401 });
    throw new AppError("unauthorized", "The API key is not accepted");
  }
  const user_id = access.actor.kind === "user" ? access.actor.id : null;
  return { user_id, api_key_id: access.keyId };
}

export interface Entrance {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The accounts that somebody has become a member of just now. */
  readonly joined?: readonly string[];
}

/** Begins a session and gives the browser its cookie. */
export async function signInBrowser(
  ctx: AccountsContext,
  holder: SessionHolder,
  { request, reply, joined = [] }: Entrance,
): Promise<Me> {
  const token = await startSession(ctx, holder, request);
  const accesses = await ctx.gate.identifySession(token);
  const [access] = accesses;
  if (access === undefined) throw new AppError("unauthorized", "The user is in no account");
  const entered = accesses.filter(({ accountId }) => joined.includes(accountId));
  await auditEntrance(ctx, request, entered.length > 0 ? entered : [access]);
  const maxAge = Math.floor(ctx.settings.sessionLifetime / 1000);
  reply.header("set-cookie", sessionCookie.write(request, token, maxAge));
  return describeMe(ctx, access);
}
