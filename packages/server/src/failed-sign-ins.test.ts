// Who could not sign in is in the audit log, also where nobody knows who it was.
import { afterAll, expect, test, vi } from "vitest";
import { browserOf } from "./testing/browser.ts";
import type { ServerAccount } from "./testing/guarded-server.ts";
import { type OpenIdProvider, openIdProvider } from "./testing/openid-provider.ts";
import { serverWith, signInWithOpenId } from "./testing/openid-sign-in.ts";
import { describeEachServer } from "./testing/shared-server.ts";
import { anotherAccount } from "./testing/tenants.ts";

const PATIENCE = { timeout: 15_000, interval: 100 };
const PASSWORD = "a wrong password that nobody may see";

async function refused({ call, ownerKey: key, accountId }: ServerAccount, operation: string) {
  const body = { operation, result: "refused" };
  const answer = await call("POST", `/api/accounts/${accountId}/audit/filter`, { key, body });
  return (answer.body as { readonly entries: Readonly<Record<string, unknown>>[] }).entries;
}

let provider: OpenIdProvider;

// What is known of nobody is noted in the account that the server began with.
describeEachServer(
  "a sign-in that fails",
  (shared) => {
    afterAll(() => provider[Symbol.asyncDispose]());

    test("of somebody nobody knows is noted in the first account, with as much as tells them apart", async () => {
      const server = shared.firstAccount();
      const other = await anotherAccount(server);
      const browser = browserOf(server);
      const unknownKey = `orc_${"x".repeat(43)}`;
      for (const login of [
        { email: "mallory@example.com", password: PASSWORD },
        { email: PASSWORD, password: "mallory@example.com" },
        { key: unknownKey },
      ])
        expect((await browser.logIn(login)).status).toBeGreaterThanOrEqual(401);
      await vi.waitFor(async () => {
        const entries = await refused(server, "logInToAccount");
        expect(entries).toContainEqual(
          expect.objectContaining({
            actor_kind: "unknown",
            actor_id: null,
            actor_name: "ma…@example.com",
            status: 401,
            address: "127.0.0.1",
            user_agent: "Browser/1",
          }),
        );
        expect(entries).toContainEqual(
          expect.objectContaining({ actor_kind: "unknown", api_key_prefix: expect.any(String) }),
        );
      }, PATIENCE);
      const text = JSON.stringify(await refused(server, "logInToAccount"));
      for (const secret of [PASSWORD, unknownKey, "mallory"]) expect(text).not.toContain(secret);
      const elsewhere = await server.call("POST", `/api/accounts/${other.accountId}/audit/filter`, {
        key: other.key,
        body: { operation: "logInToAccount" },
      });
      expect(elsewhere.body).toMatchObject({ entries: [] });
    });

    test("through a provider is noted with what was wrong", async () => {
      const server = shared.firstAccount();
      expect(await signInWithOpenId(browserOf(server), provider)).toBe(
        "/login?problem=not_invited",
      );
      const astray = await server.call("GET", "/api/auth/oidc/callback?code=x&state=y");
      expect(astray.headers.get("location")).toBe("/login?problem=expired");
      await vi.waitFor(async () => {
        expect(await refused(server, "signInThroughProvider")).toMatchObject([
          { actor_kind: "unknown", actor_name: "", resource: { problem: "expired" }, status: 302 },
          {
            actor_kind: "unknown",
            actor_name: "ad…@example.com",
            resource: { problem: "not_invited" },
          },
        ]);
      }, PATIENCE);
    });
  },
  async (engine) => {
    provider = await openIdProvider();
    return serverWith(provider, engine, { ORCHESTRATOR_AUTH_OIDC_NEW_USERS: "invited" });
  },
);
