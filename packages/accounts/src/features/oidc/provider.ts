import { type OutboundAnswer, OutboundError, sendRequest } from "@orchestrator/kernel";
import type { AccountsSettings } from "../../settings.ts";
import { type IdClaims, IdTokenError, type PublishedKey, verifyIdToken } from "./id-token.rules.ts";

const TIMEOUT_MS = 10_000;
const DOCUMENT_FOR_MS = 3_600_000;
/** A provider that does not answer, or has no such key, is not asked again at once. */
const RETRY_AFTER_MS = 10_000;
const MAX_KEYS = 100;
/** Whoever runs the server has chosen the provider, which may well be in their own network. */
const POLICY = { allowPrivate: true, allowed: [] };

/** What the provider says about itself. */
interface ProviderDocument {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint: string | null;
  readonly takesBasic: boolean;
}

/** The provider could not be asked, or did not answer as it should; the message is for the log. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
}

export interface CodeExchange {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

/** An OpenID provider, as this server knows it. */
export class OidcProvider {
  readonly #settings: AccountsSettings["oidc"];
  #document: { readonly at: number; readonly read: Promise<ProviderDocument> } | null = null;
  #keys: { readonly at: number; readonly read: Promise<readonly PublishedKey[]> } | null = null;
  #keysNotBefore = 0;

  constructor(settings: AccountsSettings["oidc"]) {
    this.#settings = settings;
  }

  /** Where somebody signs in. */
  async authorizationUrl(parameters: Readonly<Record<string, string>>): Promise<string> {
    const url = new URL((await this.#about()).authorization_endpoint);
    const { clientId, scopes } = this.#settings;
    const all = {
      response_type: "code",
      client_id: clientId ?? "",
      scope: scopes,
      code_challenge_method: "S256",
      ...parameters,
    };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Who has signed in. Throws a `ProviderError` or an `IdTokenError`. */
  async redeem(exchange: CodeExchange, nowSeconds: number): Promise<IdClaims> {
    const about = await this.#about();
    const { id_token: token, access_token: access } = await this.#tokens(about, exchange);
    if (typeof token !== "string") throw new ProviderError("it has sent no ID token");
    const clientId = this.#settings.clientId ?? "";
    const expected = { issuer: about.issuer, clientId, nonce: exchange.nonce, nowSeconds };
    const claims = await this.#verified(about, token, expected);
    if (claims.email !== undefined || about.userinfo_endpoint === null) return claims;
    if (typeof access !== "string") return claims;
    const { email, email_verified, name } = await userInfo(about, access, claims);
    return { ...claims, email, email_verified, name: claims.name ?? name };
  }

  /** A key that is not known may be a new one. */
  async #verified(
    about: ProviderDocument,
    token: string,
    expected: Omit<Parameters<typeof verifyIdToken>[1], "keys">,
  ): Promise<IdClaims> {
    try {
      return verifyIdToken(token, { ...expected, keys: await this.#keysOf(about) });
    } catch (error) {
      const lacksKey = error instanceof IdTokenError && error.lacksKey;
      if (!lacksKey || performance.now() < this.#keysNotBefore) throw error;
      this.#keysNotBefore = performance.now() + RETRY_AFTER_MS;
      this.#keys = null;
      return verifyIdToken(token, { ...expected, keys: await this.#keysOf(about) });
    }
  }

  #about(): Promise<ProviderDocument> {
    const known = this.#document;
    if (known !== null && performance.now() - known.at < DOCUMENT_FOR_MS) return known.read;
    const read = readDocument(this.#settings.issuer ?? "");
    this.#document = { at: performance.now(), read };
    read.catch(() => {
      // Not asked again at once, and not left alone for as long as if it had answered.
      this.#document = { at: performance.now() - DOCUMENT_FOR_MS + RETRY_AFTER_MS, read };
    });
    return read;
  }

  #keysOf(about: ProviderDocument): Promise<readonly PublishedKey[]> {
    const known = this.#keys;
    if (known !== null && performance.now() - known.at < DOCUMENT_FOR_MS) return known.read;
    const read = readKeys(about);
    this.#keys = { at: performance.now(), read };
    read.catch(() => {
      this.#keys = null;
    });
    return read;
  }

  async #tokens(
    { token_endpoint, takesBasic }: ProviderDocument,
    { code, codeVerifier, redirectUri }: CodeExchange,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { clientId, clientSecret: secret } = this.#settings;
    const id = clientId ?? "";
    const isBasic = secret !== null && takesBasic;
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
      ...(isBasic ? {} : { client_id: id }),
      ...(secret !== null && !isBasic ? { client_secret: secret } : {}),
    });
    const headers = {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(isBasic ? { authorization: basic(id, secret) } : {}),
    };
    const answer = await ask({
      method: "POST",
      url: token_endpoint,
      headers,
      body: body.toString(),
    });
    return jsonOf(answer, "it does not take the code");
  }
}

/** Both are encoded as in a form first. */
function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => new URLSearchParams({ "": part }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(":")).toString("base64")}`;
}

async function readDocument(issuer: string): Promise<ProviderDocument> {
  const url = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  const given = jsonOf(await ask({ method: "GET", url }), "it has no document about itself");
  const about = given["issuer"];
  if (typeof about !== "string" || bare(about) !== bare(issuer))
    throw new ProviderError("it calls itself something else than the settings do");
  const methods = given["token_endpoint_auth_methods_supported"];
  const endpoint = (name: string): string => endpointOf(given[name], { name, issuer });
  return {
    issuer: about,
    authorization_endpoint: endpoint("authorization_endpoint"),
    token_endpoint: endpoint("token_endpoint"),
    jwks_uri: endpoint("jwks_uri"),
    userinfo_endpoint:
      given["userinfo_endpoint"] === undefined ? null : endpoint("userinfo_endpoint"),
    takesBasic: !Array.isArray(methods) || methods.includes("client_secret_basic"),
  };
}

const bare = (address: string): string => address.replace(/\/$/, "");

function endpointOf(
  given: unknown,
  { name, issuer }: { readonly name: string; readonly issuer: string },
): string {
  const isUrl = typeof given === "string" && URL.canParse(given);
  // What is encrypted to begin with stays so.
  const isSafe = isUrl && (given.startsWith("https:") || issuer.startsWith("http:"));
  if (!isSafe) throw new ProviderError(`its ${name} is missing or not safe`);
  return given;
}

async function readKeys({ jwks_uri: url }: ProviderDocument): Promise<readonly PublishedKey[]> {
  const { keys } = jsonOf(await ask({ method: "GET", url }), "it has no keys");
  if (!Array.isArray(keys)) throw new ProviderError("its keys cannot be read");
  const isKey = (key: unknown): key is PublishedKey => typeof key === "object" && key !== null;
  return keys.filter(isKey).slice(0, MAX_KEYS);
}

async function userInfo(
  { userinfo_endpoint: url }: ProviderDocument,
  accessToken: string,
  { sub }: IdClaims,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await ask({ method: "GET", url: url ?? "", headers });
  const info = jsonOf(answer, "it does not say more about somebody");
  if (info["sub"] !== sub) throw new ProviderError("it speaks of somebody else");
  return info;
}

interface Asking {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function ask({ method, url, headers = {}, body }: Asking): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const request = { method, url, headers, body: body ?? null, verify: true };
  try {
    return await sendRequest(request, { policy: POLICY, signal });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ProviderError(error.message, { cause: error });
  }
}

function jsonOf(
  { status, body }: OutboundAnswer,
  problem: string,
): Readonly<Record<string, unknown>> {
  if (status !== 200) throw new ProviderError(`${problem} (${status})`);
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new ProviderError(`${problem} that can be read`);
}
