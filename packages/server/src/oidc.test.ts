import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Browser, browserOf } from "./testing/browser.ts";
import { type Claims, type OpenIdProvider, openIdProvider } from "./testing/openid-provider.ts";
import {
  OIDC_START_PATH,
  redirectToProvider,
  returnFromProvider,
  serverWith,
  signInWithOpenId,
} from "./testing/openid-sign-in.ts";
import { describeEachServer } from "./testing/shared-server.ts";

let provider: OpenIdProvider;
let count = 0;

/** Somebody that the server has not seen yet. */
function somebody(): Claims & { readonly email: string } {
  count += 1;
  const email = `ada-${count}@example.com`;
  return { sub: `ada-${count}`, email, email_verified: true, name: "Ada" };
}

const me = async (browser: Browser) => (await browser.call("GET", "/api/me")).body;

describeEachServer(
  "with an OpenID provider",
  (shared, engine) => {
    beforeEach(() => {
      Object.assign(provider, {
        person: somebody(),
        algorithm: "RS256",
        twist: <T>(draft: T): T => draft,
        userInfo: null,
        document: {},
      });
    });
    afterAll(() => provider[Symbol.asyncDispose]());

    describe("signing in", () => {
      test("makes a user of somebody new where anybody may come in, and knows them again", async () => {
        const server = shared.firstAccount();
        expect((await server.call("GET", "/api/auth/methods")).body).toEqual({
          password: true,
          oidc: { name: "Example ID" },
        });
        const { email } = somebody();
        provider.person = { ...provider.person, email: email.toUpperCase() };
        const ids = new Set<unknown>();
        const keysAskedFor = () => provider.asked.get("/jwks") ?? 0;
        const before = keysAskedFor();
        for (const algorithm of ["RS256", "ES256", "EdDSA"] as const) {
          provider.algorithm = algorithm;
          const browser = browserOf(server);
          expect(await signInWithOpenId(browser, provider, "?return_to=/flows%3Fx=1")).toBe(
            "/flows?x=1",
          );
          const { id, ...rest } = (await me(browser)) as { readonly id: string };
          expect(rest).toMatchObject({
            name: "Ada",
            email,
            role: "developer",
            account_id: server.accountId,
            has_password: false,
            has_identity: true,
          });
          ids.add(id);
          expect(browser.cookies()).toMatch(/^orchestrator_session=[\w-]{43}$/);
          provider.person = { ...provider.person, email: "new@example.com", email_verified: false };
        }
        expect(ids.size).toBe(1);
        // What others have asked for is known to all.
        expect(keysAskedFor() - before).toBeLessThanOrEqual(1);
        expect(provider.asked.get("/.well-known/openid-configuration")).toBe(1);
      });

      test("lets in only who is invited, as what they are invited, unless it is said otherwise", async () => {
        // Settings of its own.
        const env = { ORCHESTRATOR_AUTH_OIDC_NEW_USERS: "invited" };
        await using server = await serverWith(provider, engine, env);
        const { call, ownerKey: key, accountId } = server;
        const browser = browserOf(server);
        expect(await signInWithOpenId(browser, provider)).toBe("/login?problem=not_invited");
        expect((await browser.call("GET", "/api/me")).status).toBe(401);
        const path = `/api/accounts/${accountId}/invitations`;
        const { email } = provider.person as { readonly email: string };
        const body = { email: email.replace("example", "EXAMPLE"), role: "runner" };
        const made = await call("POST", path, { key, body });
        provider.person = { ...provider.person, email_verified: false };
        expect(await signInWithOpenId(browser, provider)).toBe("/login?problem=email_unverified");
        provider.person = { ...provider.person, email_verified: "true" };
        expect(await signInWithOpenId(browser, provider)).toBe("/");
        expect(await me(browser)).toMatchObject({ role: "runner", email });
        const { token } = made.body as { readonly token: string };
        const look = { body: { token } };
        expect((await call("POST", "/api/auth/invitations/look", look)).status).toBe(404);
      });

      test("believes an email that is not said to be verified only where the settings say so", async () => {
        const { sub, email } = somebody();
        provider.person = { sub, email };
        expect(await signInWithOpenId(browserOf(shared.firstAccount()), provider)).toBe(
          "/login?problem=email_unverified",
        );
        const env = { ORCHESTRATOR_AUTH_OIDC_TRUST_EMAIL: "true" };
        // Settings of its own.
        await using trusting = await serverWith(provider, engine, env);
        const browser = browserOf(trusting);
        expect(await signInWithOpenId(browser, provider)).toBe("/");
        expect(await me(browser)).toMatchObject({ name: email });
        provider.person = { sub: "bob", email: "bob@example.com", email_verified: false };
        expect(await signInWithOpenId(browser, provider)).toBe("/login?problem=email_unverified");
      });

      test("asks the provider for the email where the token does not have it", async () => {
        provider.person = { sub: "ada" };
        provider.document = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
        // A server of its own, which has not read the document yet.
        await using server = await serverWith(provider, engine);
        const browser = browserOf(server);
        provider.userInfo = { sub: "eve", email: "ada@example.com", email_verified: true };
        expect(await signInWithOpenId(browser, provider)).toBe("/login?problem=provider");
        provider.userInfo = {
          sub: "ada",
          email: "ada@example.com",
          email_verified: true,
          name: "A/da",
        };
        expect(await signInWithOpenId(browser, provider)).toBe("/");
        expect(await me(browser)).toMatchObject({ name: "A da", email: "ada@example.com" });
      });

      test("never takes over a user by an email; whoever is signed in can connect", async () => {
        const server = shared.firstAccount();
        const { call, ownerKey: key } = server;
        const { email } = provider.person as { readonly email: string };
        await call("PATCH", "/api/me", { key, body: { email } });
        const password = "a long enough password";
        await call("POST", "/api/me/password", { key, body: { new_password: password } });
        const stranger = browserOf(server);
        expect(await signInWithOpenId(stranger, provider)).toBe("/login?problem=email_taken");
        expect(await redirectToProvider(stranger, "?connect=true")).toBe("/login?problem=expired");
        const browser = browserOf(server);
        await browser.logIn({ email, password });
        const connect = "?connect=true&return_to=/me";
        const forged = { headers: { "sec-fetch-site": "cross-site" } };
        const refused = await browser.call("GET", OIDC_START_PATH + connect, forged);
        expect(refused.headers.get("location")).toBe("/login?problem=expired");
        expect(await signInWithOpenId(browser, provider, connect)).toBe("/me");
        expect(await me(browser)).toMatchObject({ has_identity: true, role: "owner" });
        expect(await signInWithOpenId(stranger, provider)).toBe("/");
        expect(await me(stranger)).toMatchObject({ role: "owner", email });
        provider.person = { sub: "bob", email: "bob@example.com", email_verified: true };
        const bob = browserOf(server);
        expect(await signInWithOpenId(bob, provider)).toBe("/");
        expect(await signInWithOpenId(browser, provider, connect)).toBe(
          "/login?problem=identity_taken",
        );
      });

      test("takes a key that the provider has begun to use", async () => {
        const server = shared.firstAccount();
        expect(await signInWithOpenId(browserOf(server), provider)).toBe("/");
        provider.rotate();
        expect(await signInWithOpenId(browserOf(server), provider)).toBe("/");
      });
    });

    describe("coming back", () => {
      test("is possible once, for the browser that was sent, with the state it was sent with", async () => {
        const server = shared.firstAccount();
        const browser = browserOf(server);
        const address = await provider.signIn(await redirectToProvider(browser));
        expect(address).toMatch(/^https:\/\/orchestrator\.example\/api\/auth\/oidc\/callback\?/);
        const victim = browserOf(server);
        await redirectToProvider(victim);
        expect(await returnFromProvider(victim, address)).toBe("/login?problem=expired");
        expect(await returnFromProvider(browserOf(server), address)).toBe("/login?problem=expired");
        const other = address.replace(/state=[\w-]+/, `state=${"x".repeat(43)}`);
        const cookie = browser.cookies();
        expect(await returnFromProvider(browser, other)).toBe("/login?problem=expired");
        const kept = { headers: { cookie } };
        const { pathname, search } = new URL(address);
        const first = await server.call("GET", pathname + search, kept);
        expect(first.headers.get("location")).toBe("/");
        expect(first.headers.getSetCookie().join()).toContain("orchestrator_session=");
        const replayed = await server.call("GET", pathname + search, kept);
        expect(replayed.headers.get("location")).toBe("/login?problem=expired");
        expect(replayed.headers.getSetCookie().join()).not.toContain("orchestrator_session=");
      });

      test("leads to a page of this server and nowhere else", async () => {
        const server = shared.firstAccount();
        for (const [asked, got] of [
          ["/runs?state=FAILED#top", "/runs?state=FAILED#top"],
          ["https://evil.example.com/", "/"],
          ["//evil.example.com/", "/"],
          ["/\\evil.example.com/", "/"],
          ["/\t/evil.example.com/", "/"],
          ["/.//evil.example.com/", "/"],
          ["javascript:alert(1)", "/"],
          ["", "/"],
        ] as const) {
          const query = `?return_to=${encodeURIComponent(asked)}`;
          expect(await signInWithOpenId(browserOf(server), provider, query), asked).toBe(got);
        }
      });

      test("is explained when the provider refuses, is not there, or is not who it should be", async () => {
        const server = shared.firstAccount();
        const browser = browserOf(server);
        const address = new URL(await provider.signIn(await redirectToProvider(browser)));
        const denied = `${server.url}/api/auth/oidc/callback?error=access_denied&state=${address.searchParams.get("state")}`;
        expect(await returnFromProvider(browser, denied)).toBe("/login?problem=refused");
        const used = await provider.signIn(await redirectToProvider(browser));
        await fetch(`${provider.issuer}/token`, {
          method: "POST",
          body: new URLSearchParams({ code: new URL(used).searchParams.get("code") ?? "" }),
        });
        expect(await returnFromProvider(browser, used)).toBe("/login?problem=provider");
        const mixedUp = `${await provider.signIn(await redirectToProvider(browser))}&iss=https://evil.example.com`;
        expect(await returnFromProvider(browser, mixedUp)).toBe("/login?problem=provider");
        provider.document = { issuer: "https://evil.example.com" };
        // Servers of their own, which have not read the document yet.
        await using other = await serverWith(provider, engine);
        expect(await redirectToProvider(browserOf(other))).toBe("/login?problem=provider");
        const env = { ORCHESTRATOR_AUTH_OIDC_ISSUER: "http://127.0.0.1:9" };
        await using lonely = await serverWith(provider, engine, env);
        expect(await redirectToProvider(browserOf(lonely))).toBe("/login?problem=provider");
      });
    });
  },
  async (engine) => {
    provider = await openIdProvider();
    return serverWith(provider, engine);
  },
);
