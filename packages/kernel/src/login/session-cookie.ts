import type { FastifyRequest } from "fastify";

export interface CookieKind {
  readonly name: string;
  /** The addresses that it is sent to: this one and what is below it. */
  readonly path: string;
}

export interface SecretCookie {
  /** What a request brings along, if it may be one. */
  readonly read: (request: FastifyRequest) => string | null;
  /**
   * Hidden from scripts, not sent along by pages of others, and only over HTTPS where that is in
   * use.
   */
  readonly write: (request: FastifyRequest, token: string, maxAgeSeconds: number) => string;
}

/** A cookie that holds 256 random bits, in base64url. */
export function secretCookie({ name, path }: CookieKind): SecretCookie {
  const given = new RegExp(`(?:^|;)\\s*${name}=([A-Za-z0-9_-]{43})\\s*(?:;|$)`);
  return {
    read: ({ headers: { cookie } }) =>
      cookie === undefined ? null : (given.exec(cookie)?.[1] ?? null),
    write(request, token, maxAgeSeconds) {
      const secure = isHttps(request) ? "; Secure" : "";
      return `${name}=${token}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
    },
  };
}

/**
 * A proxy in front may be the one that speaks HTTPS. Whoever only claims so loses nothing but their
 * own cookie.
 */
function isHttps({ protocol, headers }: FastifyRequest): boolean {
  return (
    protocol === "https" ||
    headers["x-forwarded-proto"] === "https" ||
    headers.origin?.startsWith("https://") === true
  );
}
