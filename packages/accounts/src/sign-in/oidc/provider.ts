import { OutboundError, sendRequest } from "@orchestrator/outbound";
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discoveryRequest,
  getValidatedIdTokenClaims,
  type IDToken,
  KEY_SELECTION,
  None,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processUserInfoResponse,
  ResponseBodyError,
  UnsupportedOperationError,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi";
import type { AccountsSettings } from "../../settings.ts";

const TIMEOUT_MS = 10_000;
const DISCOVERY_TTL_MS = 3_600_000;
/** Bounds how often a failing provider, or one that lacks the key of a token, is asked again. */
const RETRY_AFTER_MS = 10_000;
const CLOCK_TOLERANCE_SECONDS = 60;
const MAX_SUBJECT_LENGTH = 255;
/** The operator chose the provider, which may well be in their own network. */
const POLICY = { allowPrivate: true, allowed: [] };

/** The provider did not answer, or not as the protocol demands. The message is for the log. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
}

/** The ID token is not valid for this sign-in. The message repeats nothing of the token. */
export class IdTokenError extends Error {
  override readonly name = "IdTokenError";
}

export interface IdClaims {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
  readonly preferred_username?: unknown;
}

export interface CodeExchange {
  /** What the provider sent back through the browser: `code`, `state` and `iss`. */
  readonly callback: URLSearchParams;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

/** The OpenID provider of the settings: discovery, code exchange and the claims of a user. */
export class OidcProvider {
  readonly #settings: AccountsSettings["oidc"];
  readonly #client: Client;
  readonly #options: RequestOptions;
  #discovery: { readonly at: number; readonly read: Promise<AuthorizationServer> } | null = null;
  #keysNotBefore = 0;

  constructor(settings: AccountsSettings["oidc"]) {
    this.#settings = settings;
    this.#client = {
      client_id: settings.clientId ?? "",
      [clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    };
    this.#options = requestOptions(settings.issuer ?? "");
  }

  async authorizationUrl(parameters: Readonly<Record<string, string>>): Promise<string> {
    const url = new URL((await this.#discover()).authorization_endpoint ?? "");
    const all = {
      response_type: "code",
      client_id: this.#client.client_id,
      scope: this.#settings.scopes,
      code_challenge_method: "S256",
      ...parameters,
    };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Exchanges the code for the claims of the user. Throws `ProviderError` or `IdTokenError`. */
  async redeem(exchange: CodeExchange, nowSeconds: number): Promise<IdClaims> {
    const server = await this.#discover();
    const response = await this.#requestTokens(server, exchange);
    const { claims, accessToken } = await asIdTokenError(async () => {
      const tokens = await processAuthorizationCodeResponse(server, this.#client, response, {
        expectedNonce: exchange.nonce,
        requireIdToken: true,
      });
      await this.#verifySignature(server, response);
      const claims = this.#checkClaims(getValidatedIdTokenClaims(tokens), nowSeconds);
      return { claims, accessToken: tokens.access_token };
    });
    if (claims.email !== undefined || server.userinfo_endpoint === undefined) return claims;
    const { email, email_verified, name } = await this.#readUserInfo(server, accessToken, claims);
    return { ...claims, email, email_verified, name: claims.name ?? name };
  }

  #requestTokens(server: AuthorizationServer, exchange: CodeExchange): Promise<Response> {
    const { callback, state, redirectUri, codeVerifier } = exchange;
    return asProviderError("the code exchange failed", async () => {
      const checked = validateAuthResponse(server, this.#client, callback, state);
      const response = await authorizationCodeGrantRequest(
        server,
        this.#client,
        this.#authentication(server),
        checked,
        redirectUri,
        codeVerifier,
        this.#options,
      );
      if (!response.ok) throw new ProviderError(`the code exchange failed (${response.status})`);
      return response;
    });
  }

  /** An unknown key may have been published since the keys were cached. */
  async #verifySignature(server: AuthorizationServer, response: Response): Promise<void> {
    try {
      await validateApplicationLevelSignature(server, response, this.#options);
    } catch (error) {
      const lacksKey = error instanceof OperationProcessingError && error.code === KEY_SELECTION;
      if (!lacksKey || performance.now() < this.#keysNotBefore) throw error;
      this.#keysNotBefore = performance.now() + RETRY_AFTER_MS;
      // The keys are cached with the discovered server, so a new object has none.
      await validateApplicationLevelSignature({ ...server }, response, this.#options);
      this.#discovery = null;
    }
  }

  #checkClaims(claims: IDToken | undefined, nowSeconds: number): IdClaims {
    if (claims === undefined) throw new IdTokenError("there is none");
    const { azp, sub, ...rest } = claims;
    if (rest.iat > nowSeconds + CLOCK_TOLERANCE_SECONDS)
      throw new IdTokenError("it was issued in the future");
    if (azp !== undefined && azp !== this.#client.client_id)
      throw new IdTokenError("it was issued to another client");
    if (typeof sub !== "string" || sub === "" || sub.length > MAX_SUBJECT_LENGTH)
      throw new IdTokenError("its subject is empty or too long");
    return { ...rest, sub };
  }

  #readUserInfo(
    server: AuthorizationServer,
    accessToken: string,
    { sub }: IdClaims,
  ): Promise<Readonly<Record<string, unknown>>> {
    return asProviderError("the userinfo request failed", async () => {
      const response = await userInfoRequest(server, this.#client, accessToken, this.#options);
      return processUserInfoResponse(server, this.#client, sub, response);
    });
  }

  #authentication({
    token_endpoint_auth_methods_supported: methods,
  }: AuthorizationServer): ClientAuth {
    const { clientSecret } = this.#settings;
    if (clientSecret === null) return None();
    const takesBasic = methods === undefined || methods.includes("client_secret_basic");
    return takesBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret);
  }

  #discover(): Promise<AuthorizationServer> {
    const cached = this.#discovery;
    if (cached !== null && performance.now() - cached.at < DISCOVERY_TTL_MS) return cached.read;
    const read = this.#readDiscovery();
    this.#discovery = { at: performance.now(), read };
    read.catch(() => {
      this.#discovery = { at: performance.now() - DISCOVERY_TTL_MS + RETRY_AFTER_MS, read };
    });
    return read;
  }

  #readDiscovery(): Promise<AuthorizationServer> {
    return asProviderError("discovery failed", async () => {
      const issuer = new URL(this.#settings.issuer ?? "");
      const response = await discoveryRequest(issuer, { algorithm: "oidc", ...this.#options });
      const server = await processDiscoveryResponse(await spelledLike(issuer, response), response);
      for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
        requireSafe(server[name], { name, issuer });
      if (server.userinfo_endpoint !== undefined)
        requireSafe(server.userinfo_endpoint, { name: "userinfo_endpoint", issuer });
      return server;
    });
  }
}

/** Settings often differ from the provider's own name by a slash at the end. */
async function spelledLike(issuer: URL, response: Response): Promise<URL> {
  const document = (await response
    .clone()
    .json()
    .catch(() => null)) as { readonly issuer?: unknown } | null;
  const named = document?.issuer;
  const bare = (address: string): string => address.replace(/\/$/, "");
  const isSame = typeof named === "string" && bare(named) === bare(issuer.href);
  return isSame ? new URL(named) : issuer;
}

/** An encrypted sign-in stays encrypted, also for the browser. */
function requireSafe(
  endpoint: unknown,
  { name, issuer }: { readonly name: string; readonly issuer: URL },
): void {
  const isSafe =
    typeof endpoint === "string" &&
    URL.canParse(endpoint) &&
    (endpoint.startsWith("https:") || issuer.protocol === "http:");
  if (!isSafe) throw new ProviderError(`its ${name} is missing or is not an https address`);
}

type RequestOptions = ReturnType<typeof requestOptions>;

function requestOptions(issuer: string) {
  return {
    [customFetch]: guardedFetch,
    [allowInsecureRequests]: issuer.startsWith("http:"),
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
  };
}

interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: URLSearchParams | string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Like all outbound requests: no redirects, no proxies, and a bound on what is read. */
async function guardedFetch(
  url: string,
  { method, headers, body, signal }: FetchInit,
): Promise<Response> {
  const request = { method, url, headers, body: body?.toString() ?? null, verify: true };
  const answer = await sendRequest(request, {
    policy: POLICY,
    signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
  });
  // The Fetch API knows no status below 200, and no body with these.
  const isEmpty = [204, 205, 304].includes(answer.status);
  const status = answer.status < 200 ? 502 : answer.status;
  return new Response(isEmpty ? null : answer.body, { status, headers: answer.headers });
}

async function asProviderError<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isProtocolError(error) || error instanceof OutboundError)
      throw new ProviderError(`${step}: ${error.message}`, { cause: error });
    throw error;
  }
}

async function asIdTokenError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isProtocolError(error)) throw new IdTokenError(error.message, { cause: error });
    if (error instanceof OutboundError)
      throw new ProviderError(`its keys cannot be read: ${error.message}`, { cause: error });
    throw error;
  }
}

function isProtocolError(error: unknown): error is Error {
  return (
    error instanceof OperationProcessingError ||
    error instanceof UnsupportedOperationError ||
    error instanceof ResponseBodyError
  );
}
