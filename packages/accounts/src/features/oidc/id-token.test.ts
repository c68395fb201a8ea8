import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IdTokenError, verifyIdToken } from "./id-token.rules.ts";

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

const CLAIMS = { iss: "https://id", aud: "us", nonce: "n", sub: "ada", iat: 1000, exp: 2000 };

const KINDS = [
  ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
  ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
  ["EdDSA", generateKeyPairSync("ed25519")],
] as const;

function signed(alg: string, [, { privateKey: key }]: (typeof KINDS)[number]): string {
  const data = `${encoded({ alg, kid: "k" })}.${encoded(CLAIMS)}`;
  const bytes = Buffer.from(data);
  const signature =
    alg === "EdDSA"
      ? sign(null, bytes, key)
      : sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  return `${data}.${signature.toString("base64url")}`;
}

describe.each(KINDS.map((kind) => ({ alg: kind[0], kind })))("a token by $alg", ({ alg, kind }) => {
  const keys = [{ ...kind[1].publicKey.export({ format: "jwk" }), kid: "k" }];
  const expected = { issuer: "https://id", clientId: "us", nonce: "n", nowSeconds: 1500, keys };
  const token = signed(alg, kind);

  test("is taken as it was signed", () => {
    expect(verifyIdToken(token, expected)).toEqual(CLAIMS);
  });

  test("is refused with any one character changed, left out or added", () => {
    const change = fc.record({
      at: fc.nat({ max: token.length - 1 }),
      taken: fc.constantFrom(0, 1),
      put: fc.constantFrom("", "A", "z", "_", ".", "=", "é", " "),
    });
    fc.assert(
      fc.property(change, ({ at, taken, put }) => {
        const changed = token.slice(0, at) + put + token.slice(at + taken);
        fc.pre(changed !== token);
        expect(() => verifyIdToken(changed, expected)).toThrow(IdTokenError);
      }),
      { numRuns: 300 },
    );
  });

  test("is refused when anything at all is sent in its place", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(() => verifyIdToken(text, expected)).toThrow(IdTokenError);
      }),
    );
  });

  test("is refused with a key that is for something else, too short or broken", () => {
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
    const others = [
      { ...keys[0], use: "enc" },
      { ...keys[0], alg: "RS512" },
      { ...keys[0], kid: "another" },
      { kty: keys[0]?.kty, crv: keys[0]?.crv, n: "AA", e: "AQAB", x: "AA", y: "AA", kid: "k" },
      ...(alg === "RS256" ? [{ ...short.export({ format: "jwk" }), kid: "k" }] : []),
    ];
    for (const key of others)
      expect(() => verifyIdToken(token, { ...expected, keys: [key] as typeof keys })).toThrow(
        IdTokenError,
      );
    const twice = [...keys, ...keys];
    expect(() => verifyIdToken(token, { ...expected, keys: twice })).toThrow(IdTokenError);
  });
});
