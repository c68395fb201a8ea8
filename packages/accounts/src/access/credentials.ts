import { isFromElsewhere, refuseForged } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import { basicText, bearerToken } from "@orchestrator/kernel/scope";
import type { FastifyRequest } from "fastify";
import { hashKey, looksLikeKey } from "./key-text.rules.ts";
import { hashSessionToken, sessionCookie } from "./session-token.rules.ts";

/** What was sent to say who asks: a key, or the cookie of a session. */
export interface Credential {
  readonly isSession: boolean;
  readonly hash: string;
}

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The token of a socket's first message counts, then the header, then the cookie. */
export function credentialOf(request: FastifyRequest, token: string | null): Credential | null {
  const key = token ?? keyOf(request);
  if (key !== null) return looksLikeKey(key) ? { isSession: false, hash: hashKey(key) } : null;
  const session = sessionCookie.read(request);
  if (session === null) return null;
  refuseStrangers(request);
  return { isSession: true, hash: hashSessionToken(session) };
}

/**
 * A key comes as a bearer token; a browser asks for it in its own dialogue, where it is the
 * password.
 */
function keyOf({ headers: { authorization } }: FastifyRequest): string | null {
  if (authorization === undefined) return null;
  const bearer = bearerToken(authorization);
  if (bearer !== null) return bearer;
  const basic = basicText(authorization);
  return basic === null ? "" : basic.slice(basic.indexOf(":") + 1);
}

/** Browsers send the cookie along with what pages of others make them send. */
function refuseStrangers({ method, headers, raw }: FastifyRequest): void {
  if (!READS.has(method)) refuseForged(headers);
  else if (raw.headers.upgrade !== undefined && isFromElsewhere(headers))
    throw new AppError("forbidden", "Pages of other sites may not connect");
}

/**
 * A browser shows a dialogue of its own for what is opened in it directly; pages have their own way
 * to sign in.
 */
export function accountsChallenge({ headers }: FastifyRequest): string | undefined {
  return headers["sec-fetch-mode"] === "navigate" ? 'Basic realm="orchestrator"' : undefined;
}
