import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { createContext } from "../create-context.ts";
import { describeEachUptimeApi, type UptimeApi } from "../testing.ts";
import { ensureAccount } from "./accounts.service.ts";
import { findUptimeAccount } from "./accounts.store.ts";
import { logIn as checkCredentials } from "./login.service.ts";
import { deleteExpiredSessions } from "./sessions.service.ts";

const PASSWORD = "a password for tests";
const MONITOR = { name: "Shop", url: "https://shop.example.com" };
const HOUR_MS = 3_600_000;
const HOST = "uptime.example.com";

const basic = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
});

function logIn(api: UptimeApi, body: unknown = { username: "admin", password: PASSWORD }) {
  return api.request("POST", "/login", { isAnonymous: true, body });
}

/** What a browser sends along after a login. */
async function cookieOf(api: UptimeApi): Promise<string> {
  const { headers, status } = await logIn(api);
  expect(status).toBe(200);
  return String(headers["set-cookie"]).split(";")[0] ?? "";
}

function ask(api: UptimeApi, headers: Readonly<Record<string, string>>) {
  return api.request("GET", "/monitors", { isAnonymous: true, headers });
}

function write(api: UptimeApi, headers: Readonly<Record<string, string>>, body: unknown = MONITOR) {
  return api.request("POST", "/monitors", {
    isAnonymous: true,
    headers: { host: HOST, ...headers },
    body,
  });
}

describeEachUptimeApi("without credentials", (open) => {
  const ASKED = [
    ["GET", "/monitors"],
    ["POST", "/monitors"],
    ["GET", "/monitors/0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55"],
    ["DELETE", "/monitors/0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55"],
    ["GET", "/tags"],
    ["GET", "/session"],
    ["POST", "/logout"],
  ] as const;
  test.each(ASKED)("%s %s is refused with a challenge", async (method, path) => {
    await using api = await open();
    const answer = await api.request(method, path, { isAnonymous: true });
    expect(answer).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
    expect(answer.headers["www-authenticate"]).toMatch(/^Basic realm="uptime"/);
  });

  test("the pages of a browser are refused without a challenge, which would open a dialogue", async () => {
    await using api = await open();
    for (const headers of [
      { "sec-fetch-mode": "cors" },
      { "x-requested-with": "XMLHttpRequest" },
      { cookie: "uptime_session=over" },
    ]) {
      const answer = await ask(api, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers).not.toHaveProperty("www-authenticate");
    }
  });

  test("health, the document and the page over it are answered", async () => {
    await using api = await open();
    for (const path of ["/health", "/openapi.json", "/docs"])
      expect(await api.request("GET", path, { isAnonymous: true })).toMatchObject({ status: 200 });
  });
});

describeEachUptimeApi("Basic credentials", (open) => {
  test("let in who has them, and nobody else", async () => {
    await using api = await open();
    expect(await ask(api, basic("admin", PASSWORD))).toMatchObject({ status: 200 });
    const WRONG = [
      basic("admin", "wrong"),
      basic("nobody", PASSWORD),
      basic("admin", `${PASSWORD} `),
      { authorization: "Basic !!!" },
      { authorization: `Basic ${Buffer.from("admin").toString("base64")}` },
      { authorization: `Bearer ${PASSWORD}` },
    ];
    for (const headers of WRONG) expect(await ask(api, headers)).toMatchObject({ status: 401 });
  });

  test("may hold any characters", async () => {
    await using api = await open({ settings: { username: "jürgen", password: "a:b ñ✓" } });
    expect(await ask(api, basic("jürgen", "a:b ñ✓"))).toMatchObject({ status: 200 });
  });

  test("need no page of origin: scripts send none", async () => {
    await using api = await open();
    const headers = { ...basic("admin", PASSWORD), origin: "https://elsewhere.example.com" };
    expect(await write(api, headers)).toMatchObject({ status: 201 });
  });

  test("are refused for a while after some failures, for one user from one address", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    for (let n = 0; n < 5; n += 1)
      expect(await ask(api, basic("admin", `guess ${n}`))).toMatchObject({ status: 401 });
    const refused = await ask(api, basic("admin", PASSWORD));
    expect(refused).toMatchObject({ status: 429, body: { detail: expect.any(String) } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(await logIn(api)).toMatchObject({ status: 429 });
    expect(await ask(api, basic("somebody", "guess"))).toMatchObject({ status: 401 });
    clock.advanceMs(2000);
    expect(await ask(api, basic("admin", PASSWORD))).toMatchObject({ status: 200 });
    expect(await ask(api, basic("admin", "guess"))).toMatchObject({ status: 401 });
  });

  test("that were right a moment ago pass while others guess, and so do sessions", async () => {
    await using api = await open();
    const cookie = await cookieOf(api);
    expect(await ask(api, basic("admin", PASSWORD))).toMatchObject({ status: 200 });
    for (let n = 0; n < 8; n += 1) await ask(api, basic("admin", `guess ${n}`));
    expect(await ask(api, basic("admin", "guess"))).toMatchObject({ status: 429 });
    expect(await ask(api, basic("admin", PASSWORD))).toMatchObject({ status: 200 });
    expect(await ask(api, { cookie })).toMatchObject({ status: 200 });
  });

  test("pass when many requests begin at once", async () => {
    await using api = await open();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ask(api, basic("admin", PASSWORD))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("cannot be guessed by many requests at once", async () => {
    await using api = await open();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => ask(api, basic("admin", `guess ${n}`))),
    );
    const tried = answers.filter(({ status }) => status === 401);
    expect(tried).toHaveLength(5);
  });
});

describeEachUptimeApi("a session", (open) => {
  test("begins with a login and lets its cookie in", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const answer = await logIn(api);
    expect(answer).toMatchObject({ status: 200, body: { username: "admin" } });
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie).toMatch(
      /^uptime_session=[A-Za-z0-9_-]{43}; Path=\/uptime; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const headers = { cookie: `theme=dark; ${cookie.split(";")[0]}` };
    expect(await ask(api, headers)).toMatchObject({ status: 200 });
    expect(await api.request("GET", "/session", { isAnonymous: true, headers })).toMatchObject({
      status: 200,
      body: answer.body,
    });
    expect(await api.get("/session")).toMatchObject({
      body: { username: "admin", expires_at: null },
    });
  });

  test("is begun by a form, too", async () => {
    await using api = await open();
    const form = (body: string) =>
      api.request("POST", "/login", {
        isAnonymous: true,
        body,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    const right = new URLSearchParams({ username: "admin", password: PASSWORD });
    expect(await form(right.toString())).toMatchObject({ status: 200 });
    expect(await form("username=admin&password=wrong")).toMatchObject({ status: 401 });
    expect(await form("username=admin")).toMatchObject({ status: 422 });
    const headers = {
      ...basic("admin", PASSWORD),
      "content-type": "application/x-www-form-urlencoded",
    };
    expect(await write(api, headers, "name=Shop")).toMatchObject({ status: 415 });
  });

  test("does not begin with wrong credentials, which are not repeated", async () => {
    await using api = await open();
    for (const body of [
      { username: "admin", password: "wrong" },
      { username: "nobody", password: PASSWORD },
    ]) {
      const answer = await logIn(api, body);
      expect(answer).toMatchObject({ status: 401 });
      expect(answer.headers).not.toHaveProperty("set-cookie");
    }
    const answer = await logIn(api, { username: 5, password: "hunter2" });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).not.toContain("hunter2");
    expect(await logIn(api, {})).toMatchObject({ status: 422 });
  });

  test("has a secure cookie where HTTPS is spoken", async () => {
    await using api = await open();
    const answer = await api.request("POST", "/login", {
      isAnonymous: true,
      body: { username: "admin", password: PASSWORD },
      headers: { "x-forwarded-proto": "https" },
    });
    expect(answer.headers["set-cookie"]).toMatch(/; Secure$/);
  });

  test("ends with a logout", async () => {
    await using api = await open();
    const cookie = await cookieOf(api);
    const headers = { cookie };
    const answer = await api.request("POST", "/logout", { isAnonymous: true, headers });
    expect(answer.status).toBe(204);
    expect(answer.headers["set-cookie"]).toMatch(/^uptime_session=; .*Max-Age=0/);
    expect(await ask(api, headers)).toMatchObject({ status: 401 });
  });

  test("ends when another one begins in the same browser", async () => {
    await using api = await open();
    const cookie = await cookieOf(api);
    const again = { username: "admin", password: PASSWORD };
    const options = { isAnonymous: true, body: again, headers: { cookie } };
    expect(await api.request("POST", "/login", options)).toMatchObject({ status: 200 });
    expect(await ask(api, { cookie })).toMatchObject({ status: 401 });
  });

  test("ends when nobody uses it for a day, and after thirty days in any case", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const cookie = await cookieOf(api);
    for (let hours = 0; hours < 30 * 24 - 20; hours += 20) {
      expect(await ask(api, { cookie }), `after ${hours} h`).toMatchObject({ status: 200 });
      clock.advanceMs(20 * HOUR_MS);
    }
    clock.advanceMs(20 * HOUR_MS);
    expect(await ask(api, { cookie })).toMatchObject({ status: 401 });
    const idle = await cookieOf(api);
    clock.advanceMs(24 * HOUR_MS);
    expect(await ask(api, { cookie: idle })).toMatchObject({ status: 401 });
    expect(await deleteExpiredSessions(api.ctx)).toBe(2);
    expect(await deleteExpiredSessions(api.ctx)).toBe(0);
  });

  test("cannot be made up", async () => {
    await using api = await open();
    for (const token of ["", "x", "A".repeat(43), "' or 1=1 --"])
      expect(await ask(api, { cookie: `uptime_session=${token}` })).toMatchObject({ status: 401 });
  });
});

describeEachUptimeApi("a write with the cookie of a session", (open) => {
  const MEANT = [
    {},
    { "sec-fetch-site": "same-origin" },
    { origin: `https://${HOST}` },
    { origin: `http://${HOST}` },
    { "content-type": "application/json; charset=utf-8" },
  ];
  test.each(MEANT)("is done with the headers %j", async (headers) => {
    await using api = await open();
    const cookie = await cookieOf(api);
    expect(await write(api, { cookie, ...headers })).toMatchObject({ status: 201 });
  });

  const FORGED = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example.com" },
    { origin: `https://${HOST}.evil.example.com` },
    { origin: "null" },
    { "content-type": "text/plain" },
    { "content-type": "application/x-www-form-urlencoded" },
  ];
  test.each(FORGED)("is refused with the headers %j", async (headers) => {
    await using api = await open();
    const cookie = await cookieOf(api);
    expect(await write(api, { cookie, ...headers })).toMatchObject({ status: 403 });
    expect((await api.get("/monitors")).body).toEqual([]);
  });

  test("may be without a body", async () => {
    await using api = await open();
    const cookie = await cookieOf(api);
    const { body } = await write(api, { cookie });
    const path = `/monitors/${(body as { id: string }).id}`;
    const forged = { cookie, origin: "https://evil.example.com", host: HOST };
    const refused = await api.request("DELETE", path, { isAnonymous: true, headers: forged });
    expect(refused).toMatchObject({ status: 403 });
    const meant = { isAnonymous: true, headers: { cookie } };
    expect(await api.request("DELETE", path, meant)).toMatchObject({ status: 204 });
  });

  test("a login from a page of others is refused, too", async () => {
    await using api = await open();
    const answer = await api.request("POST", "/login", {
      isAnonymous: true,
      body: { username: "admin", password: PASSWORD },
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(answer).toMatchObject({ status: 403 });
  });
});

describeEachUptimeApi("the account", (open) => {
  /** Another start of the service on the same database. */
  const restart = (api: UptimeApi, settings: { username?: string; password: string | null }) => {
    const ctx = createContext(api.ctx, {
      settings: { ...api.ctx.settings, ...settings },
      hearing: api.ctx.hearing,
      passwordCost: 2,
    });
    return ensureAccount(ctx, api.workspaceId);
  };

  test("has a made-up password at the first start without one, told once", async () => {
    await using api = await open({ settings: { password: null } });
    const fresh = api.ctx.ids.uuid4();
    const credentials = await ensureAccount(api.ctx, fresh);
    expect(credentials).toEqual({
      username: "admin",
      password: expect.stringMatching(/^[A-Za-z0-9_-]{24}$/),
    });
    expect(await ensureAccount(api.ctx, fresh)).toBeNull();
    const address = "192.0.2.1";
    const right = { username: "admin", password: credentials?.password ?? "", address };
    expect(await checkCredentials(api.ctx, fresh, right)).toMatchObject({ username: "admin" });
    for (const password of ["", "admin", "password"])
      await expect(
        checkCredentials(api.ctx, fresh, { username: "admin", password, address }),
      ).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("is made up by one of two that start at the same time", async () => {
    await using api = await open({ settings: { password: null } });
    const fresh = api.ctx.ids.uuid4();
    const both = [ensureAccount(api.ctx, fresh), ensureAccount(api.ctx, fresh)];
    const told = (await Promise.all(both)).filter((credentials) => credentials !== null);
    expect(told).toHaveLength(1);
  });

  test("keeps its password and its sessions over a start with the same settings", async () => {
    await using api = await open();
    const cookie = await cookieOf(api);
    expect(await restart(api, { password: PASSWORD })).toBeNull();
    expect(await restart(api, { password: null })).toBeNull();
    expect(await ask(api, { cookie })).toMatchObject({ status: 200 });
    expect(await ask(api, basic("admin", PASSWORD))).toMatchObject({ status: 200 });
  });

  test("takes another password or name from the settings, which ends all sessions", async () => {
    await using api = await open();
    const cookie = await cookieOf(api);
    await restart(api, { password: "another" });
    expect(await ask(api, { cookie })).toMatchObject({ status: 401 });
    expect(await ask(api, basic("admin", PASSWORD))).toMatchObject({ status: 401 });
    expect(await ask(api, basic("admin", "another"))).toMatchObject({ status: 200 });
    await restart(api, { username: "root", password: "another" });
    expect(await ask(api, basic("admin", "another"))).toMatchObject({ status: 401 });
    expect(await ask(api, basic("root", "another"))).toMatchObject({ status: 200 });
  });

  test("is stored without its password", async () => {
    await using api = await open();
    const row = await findUptimeAccount(api.ctx.db.in(api.workspaceId));
    expect(row?.password_hash).toMatch(/^scrypt:2:/);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
  });
});
