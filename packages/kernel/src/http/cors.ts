import type { FastifyReply, FastifyRequest } from "fastify";

/** Which web pages may use the API: all, or those of the listed origins. */
export type CorsOrigins = "*" | readonly string[];

export interface Cors {
  /** Called for requests that name their origin. True when it was a preflight and is answered. */
  readonly apply: (origin: string, request: FastifyRequest, reply: FastifyReply) => boolean;
}

const METHODS = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";
const PREFLIGHT_SECONDS = "600";

export function createCors(origins: CorsOrigins): Cors {
  const listed = origins === "*" ? undefined : new Set(origins);
  return {
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

// With credentials the wildcard would be taken literally, so the headers pages need are named.
const EXPOSED = "Link, Location, Retry-After, X-Next-Cursor, X-Request-Id";

function allowAsked(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("access-control-allow-methods", METHODS);
  reply.header("access-control-max-age", PREFLIGHT_SECONDS);
  const asked = request.headers["access-control-request-headers"];
  if (asked !== undefined) reply.header("access-control-allow-headers", asked);
}
