import { generateKeyPairSync } from "node:crypto";
import { expect, test, vi } from "vitest";
import { browserOf } from "./testing/browser.ts";
import { describeEachEngine } from "./testing/guarded-server.ts";
import {
  type OpenIdProvider,
  openIdProvider,
  signWith,
  signWithSecret,
  type TokenDraft,
} from "./testing/openid-provider.ts";
import { serverWith, signInWithOpenId } from "./testing/openid-sign-in.ts";

// Whole servers start here, several at a time.
vi.setConfig({ testTimeout: 120_000 });

interface Lie {
  readonly name: string;
  readonly twist: (draft: TokenDraft, provider: OpenIdProvider) => TokenDraft;
}

const claiming = (changes: object) => (draft: TokenDraft) => ({
  ...draft,
  claims: { ...draft.claims, ...changes },
});

const { privateKey: foreignKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const now = (): number => Math.floor(Date.now() / 1000);

const LIES: readonly Lie[] = [
  { name: "another nonce", twist: claiming({ nonce: "x".repeat(43) }) },
  { name: "no nonce", twist: claiming({ nonce: undefined }) },
  { name: "another audience", twist: claiming({ aud: "somebody-else" }) },
  {
    name: "several audiences, and nothing about who asked",
    twist: (draft, { clientId }) => claiming({ aud: [clientId, "somebody-else"] })(draft),
  },
  { name: "another who asked", twist: claiming({ azp: "somebody-else" }) },
  { name: "another issuer", twist: claiming({ iss: "https://evil.example.com" }) },
  { name: "a time that is over", twist: (draft) => claiming({ exp: now() - 61 })(draft) },
  { name: "no end", twist: claiming({ exp: undefined }) },
  { name: "a time to come", twist: (draft) => claiming({ iat: now() + 600 })(draft) },
  { name: "a beginning to come", twist: (draft) => claiming({ nbf: now() + 600 })(draft) },
  { name: "nobody", twist: claiming({ sub: "" }) },
  {
    name: "no signature",
    twist: (draft) => ({ ...draft, header: { alg: "none" }, sign: () => Buffer.alloc(0) }),
  },
  {
    name: "an empty signature",
    twist: (draft) => ({ ...draft, sign: () => Buffer.alloc(0) }),
  },
  {
    name: "a signature by a shared secret",
    twist: (draft, { clientSecret }) => ({
      ...draft,
      header: { ...draft.header, alg: "HS256" },
      sign: signWithSecret(clientSecret),
    }),
  },
  {
    name: "a key id that is not theirs",
    twist: (draft) => ({
      ...draft,
      header: { ...draft.header, kid: "foreign" },
      sign: signWith("RS256", foreignKey),
    }),
  },
  {
    name: "their key id over a signature of somebody else",
    twist: (draft) => ({ ...draft, sign: signWith("RS256", foreignKey) }),
  },
  {
    name: "the algorithm of another of their keys",
    twist: (draft) => ({ ...draft, header: { ...draft.header, alg: "ES256" } }),
  },
  {
    name: "a demand that is not understood",
    twist: (draft) => ({ ...draft, header: { ...draft.header, crit: ["b64"], b64: false } }),
  },
  {
    name: "a signature over something else",
    twist: (draft) => ({ ...draft, sign: (data) => draft.sign(`${data}x`) }),
  },
];

describeEachEngine("a token of an OpenID provider", (engine) => {
  test("is refused where anything about it is not as it must be", async () => {
    await using provider = await openIdProvider();
    await using server = await serverWith(provider, engine);
    for (const { name, twist } of LIES) {
      provider.twist = (draft) => twist(draft, provider);
      const browser = browserOf(server);
      expect(await signInWithOpenId(browser, provider), name).toBe("/login?problem=token");
      expect(browser.cookies(), name).toBe("");
    }
    // Keys that are not there are not looked for again and again.
    expect(provider.asked.get("/jwks")).toBeLessThanOrEqual(2);
    provider.twist = (draft) => draft;
    expect(await signInWithOpenId(browserOf(server), provider)).toBe("/");
    const { clientId } = provider;
    provider.twist = claiming({ aud: [clientId, "somebody-else"], azp: clientId });
    expect(await signInWithOpenId(browserOf(server), provider)).toBe("/");
  });
});
