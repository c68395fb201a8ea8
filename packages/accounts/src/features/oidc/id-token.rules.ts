// What an OpenID provider says about somebody, and whether it is the provider who says it, to us, now, because we asked.

import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { safeEqual } from "@orchestrator/kernel";

/** A key as providers publish it. */
export interface PublishedKey extends JsonWebKey {
  readonly kid?: string;
  readonly use?: string;
  readonly alg?: string;
}

export interface IdClaims {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
  readonly preferred_username?: unknown;
}

export interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  readonly nowSeconds: number;
  readonly keys: readonly PublishedKey[];
}

/** Its message names what is wrong and repeats nothing of the token. */
export class IdTokenError extends Error {
  override readonly name = "IdTokenError";
  /** Whether the provider may have published a key since its keys were read. */
  readonly lacksKey: boolean;

  constructor(message: string, lacksKey = false) {
    super(message);
    this.lacksKey = lacksKey;
  }
}

interface Algorithm {
  readonly fits: (key: PublishedKey) => boolean;
  readonly isSigned: (key: KeyObject, data: Buffer, signature: Buffer) => boolean;
}

const MIN_RSA_BITS = 2048;

/** Those that are taken; `none` and those with a shared secret are not among them. */
const ALGORITHMS: ReadonlyMap<unknown, Algorithm> = new Map<unknown, Algorithm>([
  [
    "RS256",
    {
      fits: ({ kty }) => kty === "RSA",
      isSigned: (key, data, signature) =>
        (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS &&
        verify("sha256", data, key, signature),
    },
  ],
  [
    "ES256",
    {
      fits: ({ kty, crv }) => kty === "EC" && crv === "P-256",
      isSigned: (key, data, signature) =>
        verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, signature),
    },
  ],
  [
    "EdDSA",
    {
      fits: ({ kty, crv }) => kty === "OKP" && crv === "Ed25519",
      isSigned: (key, data, signature) => verify(null, data, key, signature),
    },
  ],
]);

/** Clocks differ. */
const LEEWAY_SECONDS = 60;
const MAX_SUBJECT = 255;
const TOKEN = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/** What the token says, or an `IdTokenError`. */
export function verifyIdToken(token: string, expected: Expected): IdClaims {
  const [, head = "", body = "", signature = ""] = TOKEN.exec(token) ?? [];
  assertSigned({ head, body, signature }, expected.keys);
  const claims = parsed(body);
  assertMeant(claims, expected);
  assertTimely(claims, expected.nowSeconds);
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "" || sub.length > MAX_SUBJECT)
    throw new IdTokenError("it does not say who somebody is");
  return { ...claims, sub };
}

interface Parts {
  readonly head: string;
  readonly body: string;
  readonly signature: string;
}

function assertSigned({ head, body, signature }: Parts, keys: readonly PublishedKey[]): void {
  const { alg, kid, crit } = parsed(head);
  const algorithm = ALGORITHMS.get(alg);
  if (algorithm === undefined) throw new IdTokenError("its algorithm is not accepted");
  if (crit !== undefined) throw new IdTokenError("it asks for something that is not known here");
  const fitting = keys.filter(
    (key) =>
      algorithm.fits(key) &&
      key.use !== "enc" &&
      (key.alg === undefined || key.alg === alg) &&
      (kid === undefined || key.kid === kid),
  );
  const [key, ...others] = fitting;
  if (key === undefined) throw new IdTokenError("it is signed with a key that is not theirs", true);
  if (others.length > 0) throw new IdTokenError("it does not say which key it is signed with");
  const data = Buffer.from(`${head}.${body}`, "ascii");
  const bytes = Buffer.from(signature, "base64url");
  // The same bytes can be written in several ways, of which one is right.
  const isRight =
    bytes.toString("base64url") === signature && algorithm.isSigned(publicKey(key), data, bytes);
  if (!isRight) throw new IdTokenError("its signature is wrong");
}

function publicKey({ kty, crv, n, e, x, y }: PublishedKey): KeyObject {
  const given = Object.entries({ kty, crv, n, e, x, y }).filter(([, part]) => part !== undefined);
  try {
    return createPublicKey({ key: Object.fromEntries(given) as JsonWebKey, format: "jwk" });
  } catch {
    throw new IdTokenError("the key it is signed with cannot be read");
  }
}

type Claims = Readonly<Record<string, unknown>>;

function assertMeant({ iss, aud, azp, nonce }: Claims, expected: Expected): void {
  if (iss !== expected.issuer) throw new IdTokenError("another provider has issued it");
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const isOurs = audience.includes(expected.clientId);
  const isAskedByUs = azp === undefined ? audience.length === 1 : azp === expected.clientId;
  if (!isOurs || !isAskedByUs) throw new IdTokenError("it is for somebody else");
  if (typeof nonce !== "string" || !safeEqual(nonce, expected.nonce))
    throw new IdTokenError("it answers another question");
}

function assertTimely({ exp, iat, nbf }: Claims, now: number): void {
  if (typeof exp !== "number" || exp + LEEWAY_SECONDS <= now)
    throw new IdTokenError("it has expired");
  if (typeof iat !== "number" || iat - LEEWAY_SECONDS > now)
    throw new IdTokenError("it was issued in the future");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf - LEEWAY_SECONDS <= now))
    throw new IdTokenError("it is not good yet");
}

function parsed(part: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Claims;
  } catch {
    // Said below.
  }
  throw new IdTokenError("it is not a token");
}
