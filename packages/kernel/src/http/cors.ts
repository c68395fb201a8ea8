import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Which web pages may use the API besides the server's own: all, or those of the listed origins.
 */
export type CorsOrigins = "*" | readonly string[];

/** Which web pages are let in. */
export interface PageRules {
  readonly origins: CorsOrigins;
  /** The origins by which people are told to open the server's own pages. */
  readonly ownOrigins: readonly string[];
}

export const FOREIGN_PAGE =
  "Web pages of this origin may not do this: if it is the server's own, set ORCHESTRATOR_UI_URL to it; ORCHESTRATOR_SERVER_CORS_ORIGINS names others that may";

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export interface Cors {
  /**
   * Whether a page from elsewhere asks for something that may change things. Browsers send some of
   * those without asking first, and a page that anybody has open on this machine could have its
   * workers run what it likes.
   */
  readonly refuses: (origin: string, request: FastifyRequest) => boolean;
  /** Called for requests that name their origin. True when it was a preflight and is answered. */
  readonly apply: (origin: string, request: FastifyRequest, reply: FastifyReply) => boolean;
}

const METHODS = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";
const PREFLIGHT_SECONDS = "600";

export function createCors(rules: PageRules): Cors {
  const { origins } = rules;
  const listed = origins === "*" ? undefined : new Set(origins);
  return {
    refuses: (origin, request) => !SAFE.has(request.method) && !mayAct(origin, request, rules),
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

/** Whether pages of the origin may change things, and open websockets. */
export function mayAct(origin: string, request: FastifyRequest, rules: PageRules): boolean {
  const { origins, ownOrigins } = rules;
  if (origins === "*" || origins.includes(origin) || ownOrigins.includes(origin)) return true;
  return isOwn(origin, request);
}

/**
 * Whether the page came from this server. This server speaks no TLS, so a page over TLS is its own
 * only if the browser says so or a trusted proxy does: the same name may belong to another program.
 */
function isOwn(origin: string, request: FastifyRequest): boolean {
  if (request.headers["sec-fetch-site"] === "same-origin") return true;
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  return host === request.host && protocol === `${request.protocol}:`;
}

// With credentials the wildcard would be taken literally, so the headers pages need are named.
const EXPOSED = "Link, Location, Retry-After, X-Next-Cursor, X-Request-Id";

function allowAsked(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("access-control-allow-methods", METHODS);
  reply.header("access-control-max-age", PREFLIGHT_SECONDS);
  const asked = request.headers["access-control-request-headers"];
  if (asked !== undefined) reply.header("access-control-allow-headers", asked);
}
