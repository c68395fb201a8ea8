// A small OpenID provider, for tests: a real server that signs real tokens, and lies when it is
// told to.
import {
  createHash,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Claims = Record<string, unknown>;
export type SigningAlgorithm = "RS256" | "ES256" | "EdDSA";

/** What a token is made of, before it is signed. */
export interface TokenDraft {
  readonly header: Claims;
  readonly claims: Claims;
  readonly sign: (data: string) => Buffer;
}

export interface OpenIdProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in. */
  person: Claims;
  algorithm: SigningAlgorithm;
  /** Changes the next tokens. */
  twist: (draft: TokenDraft, own: TokenDraft["claims"]) => TokenDraft;
  /** Claims that are told by the userinfo endpoint only. */
  userInfo: Claims | null;
  /** Changes what it says about itself. */
  document: Claims;
  /** Signs with a key that it has not published before. */
  readonly rotate: () => void;
  /** How often each path was asked for. */
  readonly asked: Map<string, number>;
  /** Sends a browser back as if somebody had signed in: where to. */
  readonly signIn: (location: string) => Promise<string>;
}

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

interface Key {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const makeKeys = (): Record<SigningAlgorithm, Key> => ({
  RS256: { kid: randomUUID(), ...generateKeyPairSync("rsa", { modulusLength: 2048 }) },
  ES256: { kid: randomUUID(), ...generateKeyPairSync("ec", { namedCurve: "P-256" }) },
  EdDSA: { kid: randomUUID(), ...generateKeyPairSync("ed25519") },
});

export function signWith(alg: string, key: KeyObject): (data: string) => Buffer {
  return (data) => {
    const bytes = Buffer.from(data);
    if (alg === "EdDSA") return sign(null, bytes, key);
    return sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  };
}

export const signWithSecret =
  (secret: string | Buffer): TokenDraft["sign"] =>
  (data) =>
    createHmac("sha256", secret).update(data).digest();

export async function openIdProvider(): Promise<OpenIdProvider> {
  let keys = makeKeys();
  const grants = new Map<string, Grant>();
  const accessTokens = new Set<string>();
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", provider.issuer);
    asked.set(url.pathname, (asked.get(url.pathname) ?? 0) + 1);
    void answer(url, request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider: OpenIdProvider = {
    issuer,
    clientId: "orchestrator",
    clientSecret: "s3cret: with/odd characters",
    person: { sub: "ada", email: "Ada@example.com", email_verified: true, name: "Ada" },
    algorithm: "RS256",
    twist: (draft) => draft,
    userInfo: null,
    document: {},
    rotate() {
      keys = makeKeys();
    },
    asked,
    async signIn(location) {
      const back = await fetch(location, { redirect: "manual" });
      if (back.status !== 302) throw new Error(`${back.status} ${await back.text()}`);
      return back.headers.get("location") ?? "";
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };

  const answer = async (
    { pathname, searchParams }: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    if (pathname === "/.well-known/openid-configuration") return sendJson(response, document());
    if (pathname === "/jwks") return sendJson(response, { keys: published() });
    if (pathname === "/authorize") return authorize(searchParams, response);
    if (pathname === "/token") return token(request, response);
    if (pathname === "/userinfo") return userInfo(request, response);
    sendJson(response, { error: "not_found" }, 404);
  };

  const document = (): Claims => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize?theme=dark`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: Object.keys(keys),
    ...provider.document,
  });

  const published = (): Claims[] =>
    Object.entries(keys).map(([alg, { kid, publicKey }]) => ({
      ...publicKey.export({ format: "jwk" }),
      kid,
      alg,
      use: "sig",
    }));

  const authorize = (asking: URLSearchParams, response: ServerResponse): void => {
    const given = (name: string): string => asking.get(name) ?? "";
    const isRight =
      given("response_type") === "code" &&
      given("client_id") === provider.clientId &&
      given("code_challenge_method") === "S256" &&
      given("scope").split(" ").includes("openid") &&
      given("theme") === "dark";
    if (!isRight) return sendJson(response, { error: "invalid_request" }, 400);
    const code = randomUUID();
    grants.set(code, {
      nonce: given("nonce"),
      challenge: given("code_challenge"),
      redirectUri: given("redirect_uri"),
    });
    const back = new URL(given("redirect_uri"));
    back.searchParams.set("code", code);
    back.searchParams.set("state", given("state"));
    response.writeHead(302, { location: back.href }).end();
  };

  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await textOf(request));
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const isRight =
      isClient(request, form, provider) &&
      grant !== undefined &&
      form.get("grant_type") === "authorization_code" &&
      form.get("redirect_uri") === grant.redirectUri &&
      createHash("sha256").update(verifier).digest("base64url") === grant.challenge;
    if (!isRight) return sendJson(response, { error: "invalid_grant" }, 400);
    const access_token = randomUUID();
    accessTokens.add(access_token);
    sendJson(response, { token_type: "Bearer", access_token, id_token: idToken(grant.nonce) });
  };

  const idToken = (nonce: string): string => {
    const alg = provider.algorithm;
    const { kid, privateKey } = keys[alg];
    const now = Math.floor(Date.now() / 1000);
    const own = { iss: issuer, aud: provider.clientId, iat: now, exp: now + 300, nonce };
    const claims = { ...own, ...provider.person };
    const draft = { header: { alg, kid, typ: "JWT" }, claims, sign: signWith(alg, privateKey) };
    const { header, claims: said, sign: signed } = provider.twist(draft, own);
    const data = `${encoded(header)}.${encoded(said)}`;
    return `${data}.${signed(data).toString("base64url")}`;
  };

  const userInfo = (request: IncomingMessage, response: ServerResponse): void => {
    const [, given = ""] = (request.headers.authorization ?? "").split(" ");
    if (!accessTokens.has(given) || provider.userInfo === null)
      return sendJson(response, { error: "invalid_token" }, 401);
    sendJson(response, provider.userInfo);
  };

  return provider;
}

function isClient(
  { headers }: IncomingMessage,
  form: URLSearchParams,
  { clientId, clientSecret, document }: OpenIdProvider,
): boolean {
  const methods = document["token_endpoint_auth_methods_supported"];
  if (Array.isArray(methods) && !methods.includes("client_secret_basic"))
    return form.get("client_id") === clientId && form.get("client_secret") === clientSecret;
  const [, given = ""] = (headers.authorization ?? "").split(" ");
  const [id = "", secret = ""] = Buffer.from(given, "base64").toString("utf8").split(":");
  const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
  return decoded.get("id") === clientId && decoded.get("secret") === clientSecret;
}

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
