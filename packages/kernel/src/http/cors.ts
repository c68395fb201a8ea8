import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Which web pages may use the API besides the server's own: all, or those of the listed origins. */
export type CorsOrigins = "*" | readonly string[];

/** Which web pages are let in. */
export interface PageRules {
  readonly origins: CorsOrigins;
  /**
   * Whether only this machine reaches the server, and it asks nobody who they are. Then the name by which a page reaches it must be
   * one that nobody else can give to this machine.
   */
  readonly isLocal: boolean;
  /** The origin by which people are told to open the server's own pages, if any: nobody else has that name. */
  readonly ownOrigin: string | null;
}

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

export function createCors(rules: PageRules): Cors {
  const { origins } = rules;
  const listed = origins === "*" ? undefined : new Set(origins);
  return {
    refuses: (origin, { method, headers }) => !SAFE.has(method) && !mayAct(origin, headers, rules),
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
export function mayAct(origin: string, headers: IncomingHttpHeaders, rules: PageRules): boolean {
  const { origins, ownOrigin, isLocal } = rules;
  if (origins === "*" || origins.includes(origin) || origin === ownOrigin) return true;
  return isOwn(origin, headers, isLocal);
}

/**
 * Whether the page came from this server. Whoever has a domain can let its name lead here once their page is loaded (DNS rebinding), which
 * then asks under its own name. This server speaks no TLS: what says to come from a page over TLS comes by a proxy in front of it, or from a
 * form of such a page, which can send nothing that is read.
 */
function isOwn(origin: string, headers: IncomingHttpHeaders, isLocal: boolean): boolean {
  if (headers["sec-fetch-site"] === "same-origin") return true;
  if (!URL.canParse(origin)) return false;
  const { host, hostname, protocol } = new URL(origin);
  if (host !== headers.host) return false;
  return !isLocal || protocol === "https:" || isFixedName(hostname);
}

/** An address, or a name that browsers look up nowhere. */
const isFixedName = (name: string): boolean =>
  isIP(name.replace(/^\[|\]$/g, "")) !== 0 || name === "localhost" || name.endsWith(".localhost");

// With credentials the wildcard would be taken literally, so the headers pages need are named.
const EXPOSED = "Link, Location, Retry-After, X-Next-Cursor, X-Request-Id";

function allowAsked(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("access-control-allow-methods", METHODS);
  reply.header("access-control-max-age", PREFLIGHT_SECONDS);
  const asked = request.headers["access-control-request-headers"];
  if (asked !== undefined) reply.header("access-control-allow-headers", asked);
}
