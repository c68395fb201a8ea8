import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type AccountsServer,
  accountsServer,
  type ServerAccount,
} from "./testing/guarded-server.ts";
import { newAccount } from "./testing/shared-server.ts";

interface Made {
  readonly id: string;
  readonly key: string;
}

const limited = (env: Readonly<Record<string, string>>): Promise<AccountsServer> =>
  accountsServer("sqlite", env);

/** For tests of what a key says of itself, by an account each. */
let shared: AccountsServer;
beforeAll(async () => {
  shared = await limited({});
});
afterAll(() => shared[Symbol.asyncDispose]());

const look = async ({ call }: ServerAccount, key: string) =>
  call("POST", "/api/flows/filter", { key, body: {} });

async function aKey(server: ServerAccount, wanted: object, key = server.ownerKey) {
  const path = `/api/accounts/${server.accountId}/api_keys`;
  return server.call("POST", path, { key, body: { name: "k", ...wanted } });
}

test("a key that asks too often is told when it may ask again, and others are not held up", async () => {
  await using server = await limited({
    ORCHESTRATOR_RATE_LIMIT_PER_MINUTE: "60",
    ORCHESTRATOR_RATE_LIMIT_BURST: "20",
  });
  const { key } = (await aKey(server, { role: "viewer" })).body as Made;
  const first = await look(server, key);
  expect(first.status).toBe(200);
  expect(first.headers.get("ratelimit-policy")).toBe('"key";q=60;w=60, "burst";q=20');
  expect(first.headers.get("ratelimit")).toBe('"key";r=19;t=0');
  let last = first;
  for (let n = 0; n < 40 && last.status === 200; n += 1) last = await look(server, key);
  expect(last.status).toBe(429);
  expect(last.headers.get("retry-after")).toBe("1");
  expect(last.headers.get("ratelimit")).toBe('"key";r=0;t=1');
  expect(last.body).toMatchObject({ detail: expect.stringContaining("60 times a minute") });
  expect((await look(server, server.ownerKey)).status).toBe(200);
});

test("nobody is held to a number unless a setting or the key says so", async () => {
  const server = await newAccount(shared);
  const { call, ownerKey, accountId } = server;
  const free = await look(server, ownerKey);
  expect(free.headers.get("ratelimit")).toBeNull();
  const { key, id } = (await aKey(server, { role: "viewer", requests_per_minute: 2 })).body as Made;
  const answers = [];
  for (let n = 0; n < 3; n += 1) answers.push((await look(server, key)).status);
  expect(answers).toEqual([200, 200, 429]);
  const path = `/api/accounts/${accountId}/api_keys/${id}`;
  const body = { requests_per_minute: 0 };
  expect((await call("PATCH", path, { key: ownerKey, body })).status).toBe(204);
  expect((await look(server, key)).headers.get("ratelimit")).toBeNull();
});

test("a socket of a key that asks too often is to come back, and one of a bad key is not", async () => {
  const server = await newAccount(shared);
  const { key } = (await aKey(server, { role: "viewer", requests_per_minute: 1 })).body as Made;
  expect((await look(server, key)).status).toBe(200);
  await using early = await server.socket("/api/events/out", key);
  expect(await early.closed).toMatchObject({ code: 1011 });
  await using bad = await server.socket("/api/events/out", `orc_${"x".repeat(43)}`);
  expect(await bad.closed).toMatchObject({ code: 1008 });
});

test("a key that may ask so often makes none that may ask more often", async () => {
  const server = await newAccount(shared);
  const wanted = { role: "developer", requests_per_minute: 1000 };
  const { key } = (await aKey(server, wanted)).body as Made;
  const child = await aKey(server, { role: "viewer" }, key);
  expect(child.body).toMatchObject({ requests_per_minute: 1000 });
  expect((await aKey(server, { requests_per_minute: 0 }, key)).status).toBe(403);
});

test("an address that nobody knows is answered 429 after a while, and a good key from there is let in", async () => {
  await using server = await limited({ ORCHESTRATOR_RATE_LIMIT_REFUSALS_PER_MINUTE: "30" });
  const bad = `orc_${"x".repeat(43)}`;
  const statuses = [];
  for (let n = 0; n < 40; n += 1) statuses.push((await look(server, bad)).status);
  expect(statuses.slice(0, 30)).toEqual(statuses.slice(0, 30).map(() => 401));
  const refused = await look(server, bad);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await look(server, server.ownerKey)).status).toBe(200);
});
