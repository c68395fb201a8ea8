import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Which web pages may use the API besides the server's own: all, or those of the listed origins. */
export type CorsOrigins = "*" | readonly string[];

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export interface Cors {
  /**
   * Whether a page from elsewhere asks for something that may change things. Browsers send some of those without asking
   * first, and a page that anybody has open on this machine could have its workers run what it likes.
   */
  readonly refuses: (origin: string, request: FastifyRequest) => boolean;
  /** Called for requests that name their origin. True when it was a preflight and is answered. */
  readonly apply: (origin: string, request: FastifyRequest, reply: FastifyReply) => boolean;
}

const METHODS = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";
const PREFLIGHT_SECONDS = "600";

export function createCors(origins: CorsOrigins): Cors {
  const listed = origins === "*" ? undefined : new Set(origins);
  return {
    refuses: (origin, { method, headers }) =>
      listed !== undefined && !SAFE.has(method) && !listed.has(origin) && !isOwn(origin, headers),
    apply: (origin, request, reply) => {
      const isPreflight =
        request.method === "OPTIONS" &&
        request.headers["access-control-request-method"] !== undefined;
      if (listed !== undefined) reply.header("vary", "Origin");
      if (listed === undefined || listed.has(origin)) {
        reply.header("access-control-allow-origin", listed === undefined ? "*" : origin);
        if (listed !== undefined) reply.header("access-control-allow-credentials", "true");
        if (isPreflight) allowAsked(request, reply);
        else reply.header("access-control-expose-headers", EXPOSED);
      }
      if (isPreflight) reply.code(204).send();
      return isPreflight;
    },
  };
}

/** Whether the page came from this server. */
export function isOwn(origin: string, headers: IncomingHttpHeaders): boolean {
  if (headers["sec-fetch-site"] === "same-origin") return true;
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}

// With credentials the wildcard would be taken literally, so the headers pages need are named.
const EXPOSED = "Link, Location, Retry-After, X-Next-Cursor, X-Request-Id";

function allowAsked(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("access-control-allow-methods", METHODS);
  reply.header("access-control-max-age", PREFLIGHT_SECONDS);
  const asked = request.headers["access-control-request-headers"];
  if (asked !== undefined) reply.header("access-control-allow-headers", asked);
}
