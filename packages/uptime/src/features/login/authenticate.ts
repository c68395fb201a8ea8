import { AppError, openScope, type Scope } from "@orchestrator/kernel";
import type { FastifyRequest } from "fastify";
import type { UptimeContext } from "../../context.ts";
import { hasOtherBody, isFromElsewhere } from "./cross-site.rules.ts";
import { logIn, unauthorized } from "./login.service.ts";
import { SESSION_COOKIE, sessionTokenOf } from "./session-cookie.ts";
import { useSession } from "./sessions.service.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the route answers without credentials. */
    readonly isPublic?: boolean;
  }
}

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Says who asks: by Basic credentials or by the cookie of a session. */
export function authenticate(
  ctx: UptimeContext,
): (request: FastifyRequest) => Scope | Promise<Scope> {
  return (request) => {
    const open = openScope(request.id);
    if (request.routeOptions.config.isPublic === true) return open;
    return callerOf(ctx, request, open.workspaceId).then((id) => ({
      ...open,
      caller: { kind: "user", id },
    }));
  };
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
  const session = token === null ? null : await useSession(ctx, workspaceId, token);
  if (session === null) throw unauthorized();
  if (!READS.has(request.method)) refuseForged(request);
  return session.username;
}

/** A write with a cookie must be meant by whoever has it. */
function refuseForged({ headers }: FastifyRequest): void {
  if (isFromElsewhere(headers))
    throw new AppError("forbidden", "The request comes from another site");
  if (hasOtherBody(headers))
    throw new AppError("forbidden", "A session is good for JSON only, send application/json");
}

const BASIC = /^basic +([A-Za-z0-9+/_-]+=*) *$/i;

function basicCredentials(header = "") {
  const [, encoded] = BASIC.exec(header) ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon === -1) return null;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** A browser answers a challenge with a dialogue of its own, which the pages of a UI do not want. */
export function challenge(request: FastifyRequest): string | undefined {
  const { headers } = request;
  const mode = headers["sec-fetch-mode"];
  const isPage =
    (mode !== undefined && mode !== "navigate") ||
    headers["x-requested-with"] !== undefined ||
    headers.cookie?.includes(`${SESSION_COOKIE}=`) === true;
  return isPage ? undefined : 'Basic realm="uptime"';
}
