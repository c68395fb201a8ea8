import { createHash } from "node:crypto";
import { AppError, formatMicros } from "@orchestrator/kernel/pure";
import { hashSessionToken, makeSessionToken } from "../../access/session-token.rules.ts";
import type { AccountsContext } from "../../context.ts";
import {
  countAttempts,
  insertAttempt,
  removeOldAttempts,
  type TakenAttempt,
  takeAttempt,
} from "./oidc-attempts.store.ts";
import { SignInRefused } from "./oidc-users.service.ts";
import { type IdClaims, IdTokenError, type OidcProvider, ProviderError } from "./provider.ts";

const ATTEMPT_SECONDS = 600;
const MAX_ATTEMPTS = 100_000;

export interface OidcStartRequest {
  /** Where the callback will be. */
  readonly redirectUri: string;
  readonly returnTo: string;
  /** The session of whoever wants to be known by the provider from now on. */
  readonly sessionId: string | null;
}

export interface OidcRedirect {
  readonly location: string;
  /** What the browser has to bring along when it comes back. */
  readonly browserToken: string;
  readonly maxAgeSeconds: number;
}

/** Sends somebody to the provider. */
export async function startOidcSignIn(
  ctx: AccountsContext,
  provider: OidcProvider,
  { redirectUri, returnTo, sessionId }: OidcStartRequest,
): Promise<OidcRedirect> {
  const [state, nonce, verifier, browserToken] = [
    makeSessionToken(),
    makeSessionToken(),
    makeSessionToken(),
    makeSessionToken(),
  ];
  const location = await provider
    .authorizationUrl({
      redirect_uri: redirectUri,
      state,
      nonce,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    })
    .catch(refused(ctx));
  const row = {
    state_hash: hashSessionToken(state),
    browser_hash: hashSessionToken(browserToken),
    expires: formatMicros(ctx.clock.nowMicros() + ATTEMPT_SECONDS * 1_000_000),
    nonce,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    return_to: ownPath(returnTo),
    session_id: sessionId,
  };
  await ctx.db.writeSystem(async (tx) => {
    if ((await countAttempts(tx)) >= MAX_ATTEMPTS)
      throw new AppError("unavailable", "Too many are signing in", { retryAfterSeconds: 60 });
    await insertAttempt(tx, row);
  });
  return { location, browserToken, maxAgeSeconds: ATTEMPT_SECONDS };
}

export interface OidcReturn {
  readonly state: string;
  /** The query of the callback as the provider sent it. */
  readonly callback: URLSearchParams;
  readonly browserToken: string;
}

export interface OidcIdentity {
  readonly claims: IdClaims;
  readonly attempt: TakenAttempt;
}

/** Who has come back from the provider. */
export async function completeOidcSignIn(
  ctx: AccountsContext,
  provider: OidcProvider,
  { state, callback, browserToken }: OidcReturn,
): Promise<OidcIdentity> {
  const asked = {
    state_hash: hashSessionToken(state),
    browser_hash: hashSessionToken(browserToken),
    now: ctx.clock.now(),
  };
  const attempt = await ctx.db.writeSystem((tx) => takeAttempt(tx, asked));
  if (attempt === null) throw new SignInRefused("expired");
  const exchange = {
    callback,
    state,
    codeVerifier: attempt.code_verifier,
    redirectUri: attempt.redirect_uri,
    nonce: attempt.nonce,
  };
  const nowSeconds = ctx.clock.nowMicros() / 1_000_000;
  return { attempt, claims: await provider.redeem(exchange, nowSeconds).catch(refused(ctx)) };
}

/** Whoever signs in learns which kind of thing went wrong, the log what it was. */
function refused({ log }: AccountsContext): (error: unknown) => never {
  return (error) => {
    if (error instanceof IdTokenError) {
      log.warn(`The ID token of the OpenID provider is refused: ${error.message}`);
      throw new SignInRefused("token");
    }
    if (error instanceof ProviderError) {
      log.warn(`The OpenID provider cannot be used: ${error.message}`);
      throw new SignInRefused("provider");
    }
    throw error;
  };
}

const ANYWHERE = "http://anywhere.invalid";

/** A path of this server; whatever would lead elsewhere leads to the beginning. */
function ownPath(given: string): string {
  if (!given.startsWith("/") || !URL.canParse(given, ANYWHERE)) return "/";
  const { origin, pathname, search, hash } = new URL(given, ANYWHERE);
  // A path with two slashes in front names a host.
  return origin === ANYWHERE && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** Tells how many were never finished. */
export function deleteOldAttempts({ db, clock }: AccountsContext): Promise<number> {
  return db.writeSystem((tx) => removeOldAttempts(tx, clock.now()));
}
