import { OidcCallback, OidcStart } from "@orchestrator/contract";
import { type ApiInstance, secretCookie, TokenBuckets } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccountsContext } from "../../context.ts";
import { type Entrance, signInBrowser } from "../sign-in.service.ts";
import { auditEntrance, auditFailure } from "../sign-in-audit.service.ts";
import { readSignedInUser } from "../signed-in.service.ts";
import { completeOidcSignIn, type OidcIdentity, startOidcSignIn } from "./oidc.service.ts";
import { admitIdentity, connectIdentity, SignInRefused } from "./oidc-users.service.ts";
import { OidcProvider } from "./provider.ts";

/** Ties who comes back to who was sent. */
const attemptCookie = secretCookie({ name: "orchestrator_oidc", path: "/api/auth/oidc" });

/** How often one address may be sent to the provider. */
const DEPARTURES = { perMinute: 60, burst: 60 };
const MAX_ADDRESSES = 10_000;

/** Both are gone through by browsers, as pages: no client calls them. */
export function oidcRoutes(api: ApiInstance, ctx: AccountsContext): void {
  if (ctx.settings.oidc.issuer === null) return;
  const provider = new OidcProvider(ctx.settings.oidc);
  const departures = new TokenBuckets(MAX_ADDRESSES);
  const config = { isPublic: true };

  api.get(
    "/auth/oidc/start",
    { config, schema: { hide: true, querystring: OidcStart } },
    (request, reply) =>
      orExplained(reply, async () => {
        const { isTaken, waitMs } = departures.take(request.ip, DEPARTURES);
        if (!isTaken) throw tooMany(waitMs);
        const { return_to: returnTo = "/", connect = false } = request.query;
        const redirectUri = `${ctx.baseUrl}/api/auth/oidc/callback`;
        const sessionId = connect ? await connectingSession(ctx, request) : null;
        const departed = await startOidcSignIn(ctx, provider, { redirectUri, returnTo, sessionId });
        const { browserToken, maxAgeSeconds, location } = departed;
        reply.header("set-cookie", attemptCookie.write(request, browserToken, maxAgeSeconds));
        return location;
      }),
  );

  api.get(
    "/auth/oidc/callback",
    {
      config,
      schema: { hide: true, operationId: "signInThroughProvider", querystring: OidcCallback },
    },
    (request, reply) =>
      orExplained(reply, async () => {
        const { code, state, iss, error } = request.query;
        const browserToken = attemptCookie.read(request);
        reply.header("set-cookie", attemptCookie.write(request, "", 0));
        let email: string | undefined;
        try {
          if (error !== undefined) throw new SignInRefused("refused");
          if (code === undefined || state === undefined || browserToken === null)
            throw new SignInRefused("expired");
          const callback = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) });
          const returned = { state, callback, browserToken };
          const { claims, attempt } = await completeOidcSignIn(ctx, provider, returned);
          email = typeof claims.email === "string" ? claims.email : undefined;
          await enter(ctx, { request, reply }, { claims, attempt });
          return attempt.return_to;
        } catch (refusal) {
          if (refusal instanceof SignInRefused)
            auditFailure(ctx, request, {
              ...(email !== undefined && { email }),
              problem: refusal.problem,
              status: 302,
            });
          throw refusal;
        }
      }),
  );
}

/**
 * As whom the provider says it is; or, for somebody who is signed in and wants that, known by it
 * from now on.
 */
async function enter(
  ctx: AccountsContext,
  { request, reply }: Entrance,
  { claims, attempt }: OidcIdentity,
): Promise<void> {
  if (attempt.session_id === null) {
    const { userId: user_id, joined } = await admitIdentity(ctx, claims);
    await signInBrowser(ctx, { user_id, api_key_id: null }, { request, reply, joined });
    return;
  }
  const present = await readSignedInUser(ctx, request);
  if (present?.sessionId !== attempt.session_id) throw new SignInRefused("expired");
  await connectIdentity(ctx, present.actor.id, claims);
  await auditEntrance(ctx, request, [present]);
}

/** A page of somebody else could otherwise have the visitor of ours known by a stranger's name. */
async function connectingSession(ctx: AccountsContext, request: FastifyRequest): Promise<string> {
  const isOwnPage = request.headers["sec-fetch-site"] === "same-origin";
  const present = isOwnPage ? await readSignedInUser(ctx, request) : null;
  if (present?.sessionId == null) throw new SignInRefused("expired");
  return present.sessionId;
}

async function orExplained(reply: FastifyReply, go: () => Promise<string>): Promise<FastifyReply> {
  reply.header("referrer-policy", "no-referrer");
  try {
    return reply.redirect(await go(), 302);
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    return reply.redirect(`/login?problem=${error.problem}`, 302);
  }
}

function tooMany(waitMs: number): AppError {
  return new AppError("too_many_requests", "Too many sign-ins from this address", {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
