import type { FastifyRequest } from "fastify";

export const SESSION_COOKIE = "uptime_session";

const GIVEN = new RegExp(`(?:^|;)\\s*${SESSION_COOKIE}=([A-Za-z0-9_-]{43})\\s*(?:;|$)`);

/** The session that a request brings along, if it may be one. */
export function sessionTokenOf({ headers }: FastifyRequest): string | null {
  return GIVEN.exec(headers.cookie ?? "")?.[1] ?? null;
}

/** Hidden from scripts, not sent along by pages of others, and only over HTTPS where that is in use. */
export function sessionCookie(
  request: FastifyRequest,
  token: string,
  maxAgeSeconds: number,
): string {
  const secure = isHttps(request) ? "; Secure" : "";
  return `${SESSION_COOKIE}=${token}; Path=/uptime; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** A proxy in front may be the one that speaks HTTPS. Whoever only claims so loses nothing but their own cookie. */
function isHttps({ protocol, headers }: FastifyRequest): boolean {
  return (
    protocol === "https" ||
    headers["x-forwarded-proto"] === "https" ||
    headers.origin?.startsWith("https://") === true
  );
}
