import { refuseForged } from "@orchestrator/kernel/http";
import { basicText, bearerToken, type Gate, type Scope } from "@orchestrator/kernel/scope";
import type { FastifyRequest } from "fastify";
import type { UptimeContext } from "../context.ts";
import { logIn, unauthorized } from "./login.service.ts";
import { SESSION_COOKIE, sessionTokenOf } from "./session-cookie.ts";
import { useLoginSession } from "./sessions.service.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Says who asks: by Basic credentials or by the cookie of a session; where there are accounts, also
 * by an API key or a session of theirs.
 */
export function authenticate(
  ctx: UptimeContext,
): (request: FastifyRequest) => Scope | Promise<Scope> {
  const { gate } = ctx;
  return (request) => {
    if (request.routeOptions.config.isPublic === true) return gate.pass(request);
    return gate.mode === "accounts" && isOfAccounts(gate, request)
      ? gate.enter(request)
      : identify(ctx, request);
  };
}

function isOfAccounts(gate: Gate, request: FastifyRequest): boolean {
  const { authorization } = request.headers;
  return authorization === undefined
    ? gate.hasSession(request)
    : bearerToken(authorization) !== null;
}

async function identify(ctx: UptimeContext, request: FastifyRequest): Promise<Scope> {
  const open = await ctx.gate.pass(request);
  const id = await callerOf(ctx, request, open.workspaceId);
  return { ...open, caller: { kind: "user", id } };
}

/** The name of the account: people see it where somebody has done something. */
async function callerOf(
  ctx: UptimeContext,
  request: FastifyRequest,
  workspaceId: string,
): Promise<string> {
  const basic = basicCredentials(request.headers.authorization);
  if (basic !== null) {
    const { username } = await logIn(ctx, workspaceId, { ...basic, address: request.ip });
    return username;
  }
  const token = sessionTokenOf(request);
  const session = token === null ? null : await useLoginSession(ctx, workspaceId, token);
  if (session === null) throw unauthorized();
  if (!READS.has(request.method)) refuseForged(request.headers);
  return session.username;
}

function basicCredentials(header: string | undefined) {
  const text = basicText(header);
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon === -1) return null;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * A browser answers a challenge with a dialogue of its own, which the pages of a UI do not want.
 */
export function uptimeChallenge(request: FastifyRequest): string | undefined {
  const { headers } = request;
  const mode = headers["sec-fetch-mode"];
  const isPage =
    (mode !== undefined && mode !== "navigate") ||
    headers["x-requested-with"] !== undefined ||
    headers.cookie?.includes(`${SESSION_COOKIE}=`) === true;
  return isPage ? undefined : 'Basic realm="uptime"';
}
