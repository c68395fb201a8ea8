import { openSocket } from "@orchestrator/kernel/testing";
import { describe, expect, test, vi } from "vitest";
import { type Browser, browserOf } from "./testing/browser.ts";
import type { ServerAccount } from "./testing/guarded-server.ts";
import { describeEachServer } from "./testing/shared-server.ts";

const PASSWORD = "correct horse battery";
const PATIENCE = { timeout: 25_000, interval: 50 };

/** Everybody on the server is known by an email of their own. */
const emailOf = ({ handle }: ServerAccount): string => `Ada@${handle}.Example`;

/** An owner of the account alone, who has an email and a password. */
async function withPassword(server: ServerAccount): Promise<void> {
  const email = emailOf(server);
  const invited = await server.call("POST", `/api/accounts/${server.accountId}/invitations`, {
    key: server.ownerKey,
    body: { email, role: "owner" },
  });
  const { token } = invited.body as { readonly token: string };
  const browser = browserOf(server);
  const body = { token, name: "Ada", password: PASSWORD };
  const joined = await browser.call("POST", "/api/auth/invitations/accept", { body });
  expect(joined).toMatchObject({ status: 200, body: { email: email.toLowerCase() } });
  expect((await browser.call("POST", "/api/auth/logout")).status).toBe(204);
}

async function signedIn(server: ServerAccount, name?: string): Promise<Browser> {
  const browser = browserOf(server, name);
  const answer = await browser.logIn({ email: emailOf(server), password: PASSWORD });
  expect(answer).toMatchObject({ status: 200 });
  return browser;
}

const statusOf = async (browser: Browser): Promise<number> =>
  (await browser.call("GET", "/api/me")).status;

describeEachServer("people with passwords", (shared, engine) => {
  describe("signing in", () => {
    test("with an email and a password begins a session, which logging out ends", async () => {
      const server = await shared.account();
      expect(await server.call("GET", "/api/auth/methods")).toMatchObject({
        status: 200,
        body: { password: true, oidc: null },
      });
      expect((await server.call("GET", "/api/auth/oidc/start")).status).toBe(404);
      await withPassword(server);
      const browser = browserOf(server);
      const answer = await browser.logIn({
        email: emailOf(server).toUpperCase(),
        password: PASSWORD,
      });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          kind: "user",
          name: "Ada",
          email: emailOf(server).toLowerCase(),
          role: "owner",
          account_id: server.accountId,
          api_key_id: null,
          session_id: expect.any(String),
          has_password: true,
          has_identity: false,
        },
      });
      const [cookie = ""] = answer.headers.getSetCookie();
      expect(cookie).toMatch(
        /^orchestrator_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
      );
      expect((await browser.call("GET", "/api/me")).body).toEqual(answer.body);
      expect((await browser.call("POST", "/api/flows/filter", { body: {} })).status).toBe(200);
      expect((await browser.call("GET", "/uptime/api/monitors")).status).toBe(200);
      const named = `/api/accounts/${server.accountId}/workspaces`;
      expect((await browser.call("GET", named)).status).toBe(200);
      const kept = browser.cookies();
      expect((await browser.call("POST", "/api/auth/logout")).status).toBe(204);
      expect(browser.cookies()).toBe("");
      const again = { headers: { cookie: kept } };
      expect((await server.call("GET", "/api/me", again)).status).toBe(401);
      expect((await server.call("POST", "/api/auth/logout", again)).status).toBe(204);
    });

    test("is refused in the same words for a wrong password and for nobody, and soon not even tried", async () => {
      const server = await shared.account();
      await withPassword(server);
      const browser = browserOf(server);
      const wrong = await browser.logIn({ email: emailOf(server), password: "something else" });
      const nobody = await browser.logIn({ email: "bob@example.com", password: PASSWORD });
      expect(wrong).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
      expect(nobody).toMatchObject({ status: 401, body: wrong.body as object });
      expect(wrong.headers.has("www-authenticate")).toBe(false);
      // The waits double, so that some guess comes too soon however slow the machine is.
      let refused = wrong;
      for (let i = 0; i < 15 && refused.status !== 429; i += 1)
        refused = await browser.logIn({
          email: emailOf(server).toUpperCase(),
          password: `guess ${i}`,
        });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      for (const body of [{}, { email: emailOf(server) }, { password: PASSWORD }])
        expect((await browser.logIn(body)).status).toBe(422);
      expect((await browser.logIn({ key: `orc_${"x".repeat(43)}` })).status).toBe(401);
    });

    test("with a key opens what the key opens, as long as there is the key", async () => {
      const server = await shared.account();
      const { call, ownerKey, accountId } = server;
      const keys = `/api/accounts/${accountId}/api_keys`;
      const made = await call("POST", keys, {
        key: ownerKey,
        body: { name: "look", role: "viewer" },
      });
      const { id, key } = made.body as { readonly id: string; readonly key: string };
      const browser = browserOf(server);
      expect(await browser.logIn({ key })).toMatchObject({
        status: 200,
        body: { role: "viewer", api_key_id: id, session_id: expect.any(String) },
      });
      expect((await browser.call("POST", "/api/flows/filter", { body: {} })).status).toBe(200);
      expect((await browser.call("POST", "/api/flows/", { body: { name: "f" } })).status).toBe(403);
      const change = { body: { new_password: PASSWORD } };
      expect((await browser.call("POST", "/api/me/password", change)).status).toBe(403);
      expect(
        (await browser.call("PATCH", "/api/me", { body: { email: emailOf(server) } })).status,
      ).toBe(403);
      expect((await call("DELETE", `${keys}/${id}`, { key: ownerKey })).status).toBe(204);
      expect(await statusOf(browser)).toBe(401);
    });

    test("is refused where a page of others asks for it, and so is whatever it would change", async () => {
      const server = await shared.account();
      await withPassword(server);
      const browser = await signedIn(server);
      const flow = { body: { name: "f" } };
      const foreign = [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "", origin: "https://evil.example.com" },
      ];
      for (const headers of foreign) {
        const sent = { ...flow, headers };
        expect((await browser.call("POST", "/api/flows/", sent)).status).toBe(403);
        const login = { body: { email: emailOf(server), password: PASSWORD }, headers };
        expect((await browser.call("POST", "/api/auth/login", login)).status).toBe(403);
      }
      const form = { headers: { "content-type": "text/plain" }, body: { name: "f" } };
      expect((await browser.call("POST", "/api/flows/", form)).status).toBe(403);
      expect((await browser.call("POST", "/api/flows/", flow)).status).toBe(201);
      const url = `${server.url.replace("http", "ws")}/api/events/out`;
      const cookie = browser.cookies();
      await expect(
        openSocket(url, [], { cookie, origin: "https://evil.example.com" }),
      ).rejects.toThrow("403");
      await using own = await openSocket(url, ["prefect"], { cookie, origin: server.url });
      own.send({ type: "auth", token: null });
      expect(await own.next()).toEqual({ type: "auth_success" });
    });

    test("is in the audit log, and so is a wrong password for somebody who is there", async () => {
      const server = await shared.account();
      await withPassword(server);
      const browser = browserOf(server, "Audited/1");
      await browser.logIn({ email: emailOf(server), password: "something else" });
      await browser.logIn({ email: emailOf(server), password: PASSWORD });
      const path = `/api/accounts/${server.accountId}/audit/filter`;
      await vi.waitFor(async () => {
        const body = { operation: "logInToAccount" };
        const text = JSON.stringify((await browser.call("POST", path, { body })).body);
        expect(text).toContain("Audited/1");
        expect(text).not.toContain(PASSWORD);
        expect(text).toMatch(/"refused"[^]*401|401[^]*"refused"/);
        expect(text.match(/"done"/g)).toHaveLength(1);
      }, PATIENCE);
    });

    test("can be done in several browsers, each of which can be shut out", async () => {
      const server = await shared.account();
      await withPassword(server);
      const here = await signedIn(server, "Here/1");
      const there = await signedIn(server, "There/2");
      const list = (await here.call("GET", "/api/me/sessions")).body as readonly {
        readonly id: string;
        readonly user_agent: string;
        readonly is_current: boolean;
      }[];
      expect(list.map(({ user_agent, is_current }) => [user_agent, is_current])).toEqual([
        ["There/2", false],
        ["Here/1", true],
      ]);
      const path = `/api/me/sessions/${list[0]?.id ?? ""}`;
      expect((await here.call("DELETE", path)).status).toBe(204);
      expect((await here.call("DELETE", path)).status).toBe(404);
      expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401]);
    });
  });

  describe("a password", () => {
    test("that is changed ends all other sessions, on every replica, and their sockets", async () => {
      const server = await shared.account();
      await using replica = engine === "postgres" ? await server.replica() : null;
      await withPassword(server);
      const here = await signedIn(server);
      const other = await signedIn(server);
      const cookie = other.cookies();
      const servers = replica === null ? [server] : [server, replica];
      const there = (each: (typeof servers)[number]) =>
        each.call("GET", "/api/me", { headers: { cookie } });
      for (const each of servers) expect((await there(each)).status).toBe(200);
      const url = `${server.url.replace("http", "ws")}/api/events/out`;
      await using socket = await openSocket(url, ["prefect"], { cookie, origin: server.url });
      socket.send({ type: "auth", token: null });
      expect(await socket.next()).toEqual({ type: "auth_success" });
      const change = (current_password: string, new_password: string) =>
        here.call("POST", "/api/me/password", { body: { current_password, new_password } });
      expect((await change("not the password", "another password")).status).toBe(403);
      expect((await there(server)).status).toBe(200);
      expect((await change(PASSWORD, "short")).status).toBe(422);
      expect((await change(PASSWORD, "another password")).status).toBe(204);
      expect((await there(server)).status).toBe(401);
      await vi.waitFor(async () => {
        for (const each of servers) expect((await there(each)).status).toBe(401);
      }, PATIENCE);
      expect(await socket.closed).toMatchObject({ code: 1008 });
      expect(await statusOf(here)).toBe(200);
      const browser = browserOf(server);
      expect((await browser.logIn({ email: emailOf(server), password: PASSWORD })).status).toBe(
        401,
      );
      const login = { email: emailOf(server), password: "another password" };
      expect((await browser.logIn(login)).status).toBe(200);
    });

    test("is set for the first time with a key that opens all its user may, and then needs the one before", async () => {
      // Its owner came without an invitation, and so without a password.
      const server = shared.firstAccount();
      const { call, ownerKey: key, accountId } = server;
      const body = { new_password: PASSWORD };
      const lesser = [
        { role: "admin" },
        { workspace_ids: [server.workspaceId] },
        { expires: "2099-01-01T00:00:00Z" },
      ];
      for (const wanted of lesser) {
        const asked = { name: "k", ...wanted };
        const made = await call("POST", `/api/accounts/${accountId}/api_keys`, {
          key,
          body: asked,
        });
        const { key: less } = made.body as { readonly key: string };
        const refused = await call("POST", "/api/me/password", { key: less, body });
        expect(refused.status).toBe(403);
      }
      const named = { key, body: { email: emailOf(server), name: "Ada" } };
      expect(await call("PATCH", "/api/me", named)).toMatchObject({
        status: 200,
        body: { email: emailOf(server).toLowerCase(), name: "Ada" },
      });
      expect((await call("POST", "/api/me/password", { key, body })).status).toBe(204);
      expect(await call("GET", "/api/me", { key })).toMatchObject({ body: { has_password: true } });
      await signedIn(server);
      expect((await call("POST", "/api/me/password", { key, body })).status).toBe(422);
      const shown = JSON.stringify((await call("POST", "/api/me/password", { key, body })).body);
      expect(shown).not.toContain(PASSWORD);
    });
  });
});
