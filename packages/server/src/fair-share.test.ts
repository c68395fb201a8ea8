import { expect, test } from "vitest";
import {
  type AccountsServer,
  accountsServer,
  guardedServer,
  type ServerResponse,
} from "./testing/guarded-server.ts";
import { anotherWorkspace } from "./testing/tenants.ts";

type Env = Readonly<Record<string, string>>;

const SMALL: Env = {
  ORCHESTRATOR_FAIR_SHARE_PER_KEY: "2",
  ORCHESTRATOR_FAIR_SHARE_PER_WORKSPACE: "4",
};

/** Asks until the answer is a refusal, or as often as a test has patience for. */
async function untilRefused(
  ask: () => Promise<ServerResponse>,
  most = 500,
): Promise<ServerResponse> {
  let last = await ask();
  for (let n = 1; n < most && last.status !== 429; n += 1) last = await ask();
  return last;
}

async function aKey({ call, accountId, ownerKey }: AccountsServer): Promise<string> {
  const body = { name: `k${crypto.randomUUID()}`, role: "viewer" };
  const path = `/api/accounts/${accountId}/api_keys`;
  return ((await call("POST", path, { key: ownerKey, body })).body as { key: string }).key;
}

test("a key that takes more than its share is refused, and other keys of the workspace are served", async () => {
  await using server = await accountsServer("sqlite", SMALL);
  const look = (key: string) => server.call("POST", "/api/flows/filter", { key, body: {} });
  const [greedy, other] = [await aKey(server), await aKey(server)];
  const refused = await untilRefused(() => look(greedy));
  expect(refused).toMatchObject({
    status: 429,
    body: { detail: expect.stringContaining("ORCHESTRATOR_FAIR_SHARE_PER_KEY") },
  });
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await look(other)).status).toBe(200);
});

test("a workspace whose keys take more than its share together is refused, and other workspaces are served", async () => {
  await using server = await accountsServer("sqlite", {
    ...SMALL,
    ORCHESTRATOR_FAIR_SHARE_PER_WORKSPACE: "1",
  });
  const elsewhere = await anotherWorkspace(server, "elsewhere");
  const look = (path: string, key: string) => server.call("POST", path, { key, body: {} });
  const greedy = await aKey(server);
  const refused = await untilRefused(() => look("/api/flows/filter", greedy));
  expect(refused.body).toMatchObject({ detail: expect.stringContaining("This workspace") });
  const there = `/api/accounts/${elsewhere.accountId}/workspaces/${elsewhere.workspaceId}/flows/filter`;
  expect((await look(there, elsewhere.key)).status).toBe(200);
});

test("signing in once more gives a user no second share", async () => {
  await using server = await accountsServer("sqlite", SMALL);
  const signIn = async () => {
    const answer = await server.call("POST", "/api/auth/login", { body: { key: server.ownerKey } });
    return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  const look = (cookie: string) =>
    server.call("GET", "/api/variables/name/none", { headers: { cookie } });
  const [first, second] = [await signIn(), await signIn()];
  expect((await untilRefused(() => look(first))).status).toBe(429);
  // A share of its own would let it in 60 times.
  expect((await untilRefused(() => look(second), 20)).status).toBe(429);
});

test("callers that share a password have shares by address, and probes are always answered", async () => {
  await using server = await guardedServer({
    ...SMALL,
    ORCHESTRATOR_SERVER_AUTH_STRING: "user:password",
    ORCHESTRATOR_SERVER_TRUSTED_PROXIES: "127.0.0.1",
  });
  const look = (from: string) =>
    server.call("POST", "/api/flows/filter", {
      key: "user:password",
      body: {},
      headers: { "x-forwarded-for": from },
    });
  expect((await untilRefused(() => look("192.0.2.1"))).status).toBe(429);
  expect((await look("192.0.2.2")).status).toBe(200);
  for (const path of ["/api/health", "/api/ready"])
    expect((await server.call("GET", path)).status).toBe(200);
});

test("mode open has no fair shares", async () => {
  await using server = await guardedServer(SMALL);
  const look = () => server.call("POST", "/api/flows/filter", { body: {} });
  expect((await untilRefused(look, 200)).status).toBe(200);
});

test("the default shares admit hundreds of concurrent requests", async () => {
  await using server = await accountsServer();
  const { call, ownerKey: key } = server;
  for (let n = 0; n < 5; n += 1) {
    const looks = Array.from({ length: 100 }, () =>
      call("GET", "/api/variables/name/none", { key }),
    );
    for (const { status } of await Promise.all(looks)) expect(status).toBe(404);
  }
});
