import { describe, expect, test, vi } from "vitest";
import { type Browser, browserOf } from "./testing/browser.ts";
import type { ServerAccount } from "./testing/guarded-server.ts";
import { describeEachServer, newAccount } from "./testing/shared-server.ts";

const PASSWORD = "a long enough password";
const PATIENCE = { timeout: 25_000, interval: 50 };

interface Created {
  readonly id: string;
  readonly token: string;
  readonly link: string;
}

async function invite(server: ServerAccount, email: string, role: string): Promise<Created> {
  const path = `/api/accounts/${server.accountId}/invitations`;
  const body = { email, role };
  const made = await server.call("POST", path, { key: server.ownerKey, body });
  expect(made).toMatchObject({ status: 201, body: { email: email.toLowerCase(), role } });
  return made.body as Created;
}

function accept(browser: Browser, body: object) {
  return browser.call("POST", "/api/auth/invitations/accept", { body });
}

/** Everybody on the server is known by an email of their own. */
const emailOf = ({ handle }: ServerAccount, name: string): string => `${name}@${handle}.example`;

/** Somebody who was invited and came. */
async function member(server: ServerAccount, name: string, role: string): Promise<Browser> {
  const { token } = await invite(server, emailOf(server, name), role);
  const browser = browserOf(server);
  const joined = await accept(browser, { token, name, password: PASSWORD });
  expect(joined).toMatchObject({ status: 200, body: { name, role } });
  return browser;
}

const userIdOf = async (browser: Browser): Promise<string> =>
  ((await browser.call("GET", "/api/me")).body as { readonly id: string }).id;

const statusOf = async (browser: Browser): Promise<number> =>
  (await browser.call("GET", "/api/me")).status;

describeEachServer("accounts with several people", (shared, engine) => {
  describe("an invitation", () => {
    test("makes a member of whoever accepts it, once", async () => {
      const server = await shared.account();
      const { token, link } = await invite(
        server,
        emailOf(server, "bob").toUpperCase(),
        "developer",
      );
      expect(link).toBe(`https://orchestrator.example/invitation?token=${token}`);
      const browser = browserOf(server);
      const look = () => browser.call("POST", "/api/auth/invitations/look", { body: { token } });
      expect(await look()).toMatchObject({
        status: 200,
        body: {
          email: emailOf(server, "bob"),
          account_name: server.handle,
          role: "developer",
          accepted_by: "new_user",
          accepted_as: null,
        },
      });
      expect((await accept(browser, { token })).status).toBe(422);
      expect((await accept(browser, { token, name: "Bob", password: "short" })).status).toBe(422);
      const answer = await accept(browser, { token, name: "Bob", password: PASSWORD });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          name: "Bob",
          email: emailOf(server, "bob"),
          role: "developer",
          session_id: expect.any(String),
        },
      });
      expect((await browser.call("POST", "/api/flows/", { body: { name: "f" } })).status).toBe(201);
      const admin = `/api/accounts/${server.accountId}/members`;
      expect((await browser.call("GET", admin)).status).toBe(403);
      expect((await look()).status).toBe(404);
      const again = await accept(browserOf(server), { token, name: "Eve", password: PASSWORD });
      expect(again.status).toBe(404);
      const login = { email: emailOf(server, "bob"), password: PASSWORD };
      expect((await browserOf(server).logIn(login)).status).toBe(200);
      const list = await server.call("GET", admin, { key: server.ownerKey });
      expect(list.body).toMatchObject([
        { name: "owner", email: null, role: "owner" },
        { name: "Bob", email: emailOf(server, "bob"), role: "developer" },
      ]);
    });

    test("can be revoked, and is replaced by another for the same email", async () => {
      const server = await shared.account();
      const { call, ownerKey: key, accountId } = server;
      const path = `/api/accounts/${accountId}/invitations`;
      const first = await invite(server, emailOf(server, "bob"), "viewer");
      const second = await invite(server, emailOf(server, "BOB"), "runner");
      const list = await call("GET", path, { key });
      expect(list.body).toMatchObject([{ id: second.id, role: "runner" }]);
      expect(JSON.stringify(list.body)).not.toContain(second.token);
      const browser = browserOf(server);
      const body = { name: "Bob", password: PASSWORD };
      expect((await accept(browser, { ...body, token: first.token })).status).toBe(404);
      expect((await call("DELETE", `${path}/${second.id}`, { key })).status).toBe(204);
      expect((await accept(browser, { ...body, token: second.token })).status).toBe(404);
      expect((await call("DELETE", `${path}/${second.id}`, { key })).status).toBe(404);
    });

    test("goes no further than whoever invites", async () => {
      const server = await shared.account();
      const admin = await member(server, "ann", "admin");
      const path = `/api/accounts/${server.accountId}/invitations`;
      const ask = async (role: string, email = emailOf(server, "x")) =>
        (await admin.call("POST", path, { body: { email, role } })).status;
      expect(await ask("owner")).toBe(403);
      expect(await ask("admin")).toBe(201);
      expect(await ask("viewer", emailOf(server, "ANN"))).toBe(409);
      expect(await ask("viewer", "no email")).toBe(422);
      const developer = await member(server, "dev", "developer");
      const body = { email: emailOf(server, "y"), role: "viewer" };
      expect((await developer.call("POST", path, { body })).status).toBe(403);
    });

    test("to another account is accepted by who is signed in or knows the password, and by nobody else", async () => {
      const server = await shared.account();
      const { call } = server;
      const bob = await member(server, "bob", "developer");
      const other = await newAccount(server, "other");
      const path = `/api/accounts/${other.accountId}/invitations`;
      const inviteAgain = async (role: string): Promise<string> => {
        const body = { email: emailOf(server, "bob"), role };
        const made = await call("POST", path, { key: other.ownerKey, body });
        expect(made.status).toBe(201);
        return (made.body as Created).token;
      };
      const token = await inviteAgain("viewer");
      const stranger = browserOf(server);
      const body = { token, name: "Bob", password: "not his password" };
      const looks = (browser: Browser) =>
        browser.call("POST", "/api/auth/invitations/look", { body: { token } });
      expect((await looks(stranger)).body).toMatchObject({
        accepted_by: "password",
        accepted_as: null,
      });
      expect((await looks(bob)).body).toMatchObject({
        accepted_as: { email: emailOf(server, "bob") },
      });
      expect((await accept(stranger, body)).status).toBe(401);
      expect((await accept(stranger, { token })).status).toBe(422);
      expect((await bob.call("GET", `/api/accounts/${other.accountId}`)).status).toBe(404);
      expect(await accept(bob, { token })).toMatchObject({ status: 200 });
      const accounts = await bob.call("GET", "/api/me/accounts");
      expect(accounts.body).toMatchObject([
        { account_id: server.accountId, role: "developer" },
        { account_id: other.accountId, role: "viewer" },
      ]);
      expect((await bob.call("GET", "/api/me/workspaces")).body).toHaveLength(2);
      const there = `/api/accounts/${other.accountId}`;
      expect((await bob.call("GET", there)).status).toBe(200);
      const [, { workspace_id = "" } = {}] = (await bob.call("GET", "/api/me/workspaces"))
        .body as readonly { readonly workspace_id?: string }[];
      const below = `${there}/workspaces/${workspace_id}`;
      expect((await bob.call("POST", `${below}/flows/filter`, { body: {} })).status).toBe(200);
      expect((await bob.call("POST", `${below}/flows/`, { body: { name: "f" } })).status).toBe(403);
      const mixed = `/api/accounts/${server.accountId}/workspaces/${workspace_id}`;
      expect((await bob.call("POST", `${mixed}/flows/filter`, { body: {} })).status).toBe(404);
      await call("DELETE", `${there}/members/${await userIdOf(bob)}`, { key: other.ownerKey });
      const known = { token: await inviteAgain("runner"), password: PASSWORD };
      expect((await accept(browserOf(server), known)).status).toBe(200);
      expect((await bob.call("GET", there)).status).toBe(200);
    });
  });

  describe("a member", () => {
    test("who is removed is shut out at once, on every replica, with their sockets and keys", async () => {
      const server = await shared.account();
      await using replica = engine === "postgres" ? await server.replica() : null;
      const { call, ownerKey: key, accountId } = server;
      const bob = await member(server, "bob", "developer");
      const keys = `/api/accounts/${accountId}/api_keys`;
      const made = await bob.call("POST", keys, { body: { name: "mine" } });
      expect(made.status).toBe(201);
      const { key: own } = made.body as { readonly key: string };
      const headers = { cookie: bob.cookies() };
      const servers = replica === null ? [server] : [server, replica];
      for (const each of servers)
        expect((await each.call("GET", "/api/me", { headers })).status).toBe(200);
      await using socket = await server.socket("/api/events/out", own);
      expect(await socket.next()).toEqual({ type: "auth_success" });
      const path = `/api/accounts/${accountId}/members/${await userIdOf(bob)}`;
      expect((await call("DELETE", path, { key })).status).toBe(204);
      expect(await statusOf(bob)).toBe(401);
      expect((await call("GET", "/api/me", { key: own })).status).toBe(401);
      await vi.waitFor(async () => {
        for (const each of servers)
          expect((await each.call("GET", "/api/me", { headers })).status).toBe(401);
      }, PATIENCE);
      expect(await socket.closed).toMatchObject({ code: 1008 });
      expect((await call("DELETE", path, { key })).status).toBe(404);
      const login = { email: emailOf(server, "bob"), password: PASSWORD };
      expect((await browserOf(server).logIn(login)).status).toBe(401);
      expect(await statusOf(await member(server, "bob", "viewer"))).toBe(200);
    });

    test("has the role that was given last, at once", async () => {
      const server = await shared.account();
      const { call, ownerKey: key, accountId } = server;
      const bob = await member(server, "bob", "viewer");
      const flow = { body: { name: "f" } };
      expect((await bob.call("POST", "/api/flows/", flow)).status).toBe(403);
      const path = `/api/accounts/${accountId}/members/${await userIdOf(bob)}`;
      const change = (role: string) => call("PATCH", path, { key, body: { role } });
      expect((await change("developer")).status).toBe(204);
      expect((await bob.call("POST", "/api/flows/", flow)).status).toBe(201);
      expect((await change("viewer")).status).toBe(204);
      expect((await bob.call("POST", "/api/flows/", flow)).status).toBe(403);
      expect((await change("king")).status).toBe(422);
      expect((await bob.call("PATCH", path, { body: { role: "owner" } })).status).toBe(403);
    });

    test("revokes keys of a role that they had once, and admins do too", async () => {
      const server = await shared.account();
      const { call, ownerKey: key, accountId } = server;
      const keys = `/api/accounts/${accountId}/api_keys`;
      const bob = await member(server, "bob", "owner");
      const made = async (role: string) =>
        (await bob.call("POST", keys, { body: { name: role, role } })).body as {
          readonly id: string;
          readonly key: string;
        };
      const [first, second, lesser] = [
        await made("owner"),
        await made("owner"),
        await made("viewer"),
      ];
      const admin = await member(server, "ann", "admin");
      expect((await admin.call("DELETE", `${keys}/${first.id}`)).status).toBe(403);
      const path = `/api/accounts/${accountId}/members/${await userIdOf(bob)}`;
      expect((await call("PATCH", path, { key, body: { role: "developer" } })).status).toBe(204);
      const withLesser = await call("DELETE", `${keys}/${first.id}`, { key: lesser.key });
      expect(withLesser.status).toBe(403);
      expect((await bob.call("DELETE", `${keys}/${first.id}`)).status).toBe(204);
      expect((await admin.call("DELETE", `${keys}/${second.id}`)).status).toBe(204);
    });

    test("who is the last owner stays one", async () => {
      const server = await shared.account();
      const { call, ownerKey: key, accountId } = server;
      const members = `/api/accounts/${accountId}/members`;
      const [owner] = (await call("GET", members, { key })).body as readonly {
        readonly user_id: string;
      }[];
      const path = `${members}/${owner?.user_id ?? ""}`;
      const admin = await member(server, "ann", "admin");
      expect((await admin.call("DELETE", path)).status).toBe(403);
      expect((await call("PATCH", path, { key, body: { role: "admin" } })).status).toBe(409);
      expect((await call("DELETE", path, { key })).status).toBe(409);
      const second = await member(server, "bob", "owner");
      expect((await second.call("PATCH", path, { body: { role: "admin" } })).status).toBe(204);
      expect((await call("GET", "/api/me", { key })).body).toMatchObject({ role: "admin" });
      const own = `${members}/${await userIdOf(second)}`;
      expect((await second.call("DELETE", own)).status).toBe(409);
    });

    test("cannot take the email of another", async () => {
      const server = await shared.account();
      const { call, ownerKey: key } = server;
      await member(server, "bob", "viewer");
      const body = { email: emailOf(server, "BOB") };
      expect((await call("PATCH", "/api/me", { key, body })).status).toBe(409);
    });

    test("cannot take an email that somebody else may be invited under, and is invited under a new one", async () => {
      const server = await shared.account();
      const { call, ownerKey: key } = server;
      const bob = await member(server, "bob", "viewer");
      const change = (email: string) => bob.call("PATCH", "/api/me", { body: { email } });
      expect(await change(emailOf(server, "ann"))).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining("invited under the other email") },
      });
      expect((await change(emailOf(server, "BOB"))).status).toBe(200);
      expect((await bob.call("PATCH", "/api/me", { body: { name: "Bob" } })).status).toBe(200);
      const { token } = await invite(server, emailOf(server, "ann"), "viewer");
      const taken = await call("PATCH", "/api/me", {
        key,
        body: { email: emailOf(server, "ann") },
      });
      expect(taken).toMatchObject({
        status: 409,
        body: { detail: "Somebody is invited under this email: accept the invitation" },
      });
      const ann = browserOf(server);
      expect((await accept(ann, { token, name: "ann", password: PASSWORD })).status).toBe(200);

      const id = await userIdOf(bob);
      const again = await invite(server, emailOf(server, "robert"), "viewer");
      const look = { body: { token: again.token } };
      expect((await bob.call("POST", "/api/auth/invitations/look", look)).body).toMatchObject({
        accepted_by: "new_user",
        accepted_as: { name: "Bob", email: emailOf(server, "bob") },
      });
      expect((await accept(bob, { token: again.token })).status).toBe(200);
      expect((await bob.call("GET", "/api/me")).body).toMatchObject({
        id,
        name: "Bob",
        email: emailOf(server, "robert"),
      });
      const login = { email: emailOf(server, "robert"), password: PASSWORD };
      expect((await browserOf(server).logIn(login)).status).toBe(200);
      expect(
        (await browserOf(server).logIn({ ...login, email: emailOf(server, "bob") })).status,
      ).toBe(401);
    });
  });
});
