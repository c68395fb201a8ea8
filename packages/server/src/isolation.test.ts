// Made of the documents of the server: a new operation is tried as soon as it is described.
import { expect, test, vi } from "vitest";
import {
  type AccountsServer,
  type Answer,
  accountsServer,
  describeEachEngine,
} from "./testing/guarded-server.ts";
import {
  documentedOperations,
  filledPath,
  forEachOperation,
  MARK,
  type Operation,
  plant,
} from "./testing/planted-workspace.ts";

const NIL = "00000000-0000-0000-0000-000000000000";
const UNKNOWN = `orc_${"x".repeat(43)}`;
const PATIENCE = { timeout: 25_000, interval: 100 };

interface Tenant {
  readonly key: string;
  readonly accountId: string;
  readonly workspaceId: string;
}

/** Another account on the same server, which has nothing to do with the first. */
async function anotherTenant({ call, ownerKey: key }: AccountsServer): Promise<Tenant> {
  const body = { name: "Other", handle: "other" };
  const made = (await call("POST", "/api/accounts/", { key, body })).body as {
    readonly account: { readonly id: string };
    readonly workspace: { readonly id: string };
    readonly api_key: { readonly key: string };
  };
  return { key: made.api_key.key, accountId: made.account.id, workspaceId: made.workspace.id };
}

async function keyOf(server: AccountsServer, wanted: object): Promise<string> {
  const path = `/api/accounts/${server.accountId}/api_keys`;
  const body = { name: "k", ...wanted };
  const made = await server.call("POST", path, { key: server.ownerKey, body });
  expect(made.status).toBe(201);
  return (made.body as { readonly key: string }).key;
}

/** The same path, below a workspace. What is about accounts stands below none. */
const below = (path: string, account: string, workspace: string): string | null =>
  /^\/api\/(me|accounts)\b/.test(path)
    ? null
    : path.replace(
        /^(\/uptime)?\/api/,
        (api) => `${api}/accounts/${account}/workspaces/${workspace}`,
      );

const bodyFor = ({ method }: Operation) =>
  method === "GET" || method === "DELETE" ? {} : { body: {} };

const shows = ({ body, headers }: Answer): boolean =>
  JSON.stringify([body, [...headers]]).includes(MARK);

describeEachEngine("every documented operation", (engine) => {
  test("is refused without a key, and with one that is unknown or has expired", async () => {
    await using server = await accountsServer(engine);
    const expires = new Date(Date.now() + 1500).toISOString();
    const expired = await keyOf(server, { expires });
    await vi.waitFor(async () => {
      expect((await server.call("GET", "/api/me", { key: expired })).status).toBe(401);
    }, PATIENCE);
    const operations = await documentedOperations(server);
    expect(operations.length).toBeGreaterThan(200);
    const wrong: string[] = [];
    const guarded = operations.filter(({ isPublic }) => !isPublic);
    await forEachOperation(guarded, async (operation) => {
      const path = operation.path.replaceAll(/\{\w+\}/g, NIL);
      for (const key of [undefined, UNKNOWN, expired]) {
        const call = { ...bodyFor(operation), ...(key === undefined ? {} : { key }) };
        const { status } = await server.call(operation.method, path, call);
        if (status !== 401) wrong.push(`${operation.method} ${path} with ${key}: ${status}`);
      }
    });
    expect(wrong).toEqual([]);
  }, 300_000);

  test("shows nothing of another workspace, and changes nothing there", async () => {
    await using server = await accountsServer(engine);
    const planted = await plant(server);
    const other = await anotherTenant(server);
    const { key } = other;
    const before = await contents(server);
    const wrong: string[] = [];
    const tryOut = async (operation: Operation): Promise<void> => {
      const { method } = operation;
      const path = filledPath(operation.path, planted, server.accountId);
      const own = filledPath(operation.path, planted, other.accountId);
      const strange = below(path, server.accountId, NIL);
      const answers = [
        [own, await server.call(method, own, { key, ...bodyFor(operation) })],
        [path, await server.call(method, path, { key, ...bodyFor(operation) })],
      ] as [string, Answer][];
      if (strange !== null) {
        const answer = await server.call(method, strange, { key, ...bodyFor(operation) });
        answers.push([strange, answer]);
        if (answer.status !== 404 && !operation.isPublic)
          wrong.push(`${method} ${strange}: ${answer.status}`);
      }
      for (const [asked, answer] of answers) {
        // A refusal may repeat what was asked for.
        if (answer.status < 400 && shows(answer)) wrong.push(`${method} ${asked}: shows a row`);
        if (answer.status >= 500) wrong.push(`${method} ${asked}: ${answer.status}`);
        const counts = asked.endsWith("/count") && answer.status === 200;
        if (counts && /[1-9]/.test(JSON.stringify(answer.body)))
          wrong.push(`${method} ${asked}: counts ${JSON.stringify(answer.body)}`);
      }
    };
    // Some of the others make something where the asker is at home.
    const operations = await documentedOperations(server);
    const isCount = ({ path }: Operation) => path.endsWith("/count");
    await forEachOperation(operations.filter(isCount), tryOut);
    await forEachOperation(
      operations.filter((operation) => !isCount(operation)),
      tryOut,
    );
    expect(wrong).toEqual([]);
    expect(await contents(server)).toEqual(before);
  }, 300_000);

  test("is joined by sockets that hear nothing of another workspace", async () => {
    await using server = await accountsServer(engine);
    await plant(server);
    const { key } = await anotherTenant(server);
    await using events = await server.socket("/api/events/out", key);
    await using logs = await server.socket("/api/logs/out", key);
    for (const [socket, filter] of [
      [events, { event: { name: [MARK, "x.own"] } }],
      [logs, {}],
    ] as const) {
      expect(await socket.next()).toEqual({ type: "auth_success" });
      socket.send({ type: "filter", filter });
      await socket.ping();
    }
    const at = new Date().toISOString();
    const resource = { "prefect.resource.id": "own" };
    const id = "33333333-3333-4333-8333-333333333333";
    const event = { id, event: "x.own", resource, occurred: at };
    const line = { name: "x", level: 20, message: "own", timestamp: at };
    for (const asker of [server.ownerKey, key]) {
      const words = asker === key ? {} : { message: MARK };
      await server.call("POST", "/api/logs/", { key: asker, body: [{ ...line, ...words }] });
    }
    await server.call("POST", "/api/events", { key, body: [event] });
    expect(await events.next()).toMatchObject({ event: { event: "x.own" } });
    expect(await logs.next()).toMatchObject({ log: { message: "own" } });
  });

  test("is done or refused as the role says, and looking changes nothing", async () => {
    await using server = await accountsServer(engine);
    const planted = await plant(server);
    const before = await contents(server);
    const operations = await documentedOperations(server);
    const refused: Record<string, string[]> = {};
    for (const role of ["viewer", "runner", "developer", "admin", "owner"]) {
      const key = await keyOf(server, { role, name: role });
      const here: string[] = [];
      refused[role] = here;
      // A path that names nothing, so that whoever may do it finds nothing to do it to.
      const nowhere = { ids: {}, names: planted.names };
      await forEachOperation(operations, async (operation) => {
        const used = role === "viewer" ? planted : { ...nowhere, ids: { flow_runs: NIL } };
        const path = filledPath(operation.path, used, server.accountId);
        if (role !== "viewer" && operation.method === "DELETE" && path.includes(MARK)) return;
        const { status } = await server.call(operation.method, path, {
          key,
          ...bodyFor(operation),
        });
        expect(status, `${operation.method} ${path}`).not.toBe(401);
        if (status === 403) here.push(`${operation.method} ${operation.path}`);
      });
      if (role === "viewer") expect(await contents(server)).toEqual(before);
    }
    expect(refused["owner"]).toEqual([]);
    expect(refused["admin"]?.toSorted()).toEqual([
      "GET /api/admin/settings",
      "PATCH /api/accounts/{account_id}",
      "POST /api/accounts/",
    ]);
    for (const [less, more] of [
      ["admin", "developer"],
      ["developer", "runner"],
      ["runner", "viewer"],
    ] as const)
      expect(refused[more]).toEqual(expect.arrayContaining(refused[less] ?? []));
    expect(refused["runner"]).toContain("POST /api/variables/");
    expect(refused["runner"]).not.toContain("POST /api/flow_runs/{id}/set_state");
    expect(refused["viewer"]).toContain("POST /api/flow_runs/{id}/set_state");
    expect(refused["viewer"]).not.toContain("POST /api/flow_runs/filter");
  }, 300_000);
});

/** What the first workspace holds, as its owner sees it. */
async function contents({ call, ownerKey: key }: AccountsServer): Promise<unknown> {
  const lists = [
    "flows",
    "deployments",
    "flow_runs",
    "task_runs",
    "logs",
    "artifacts",
    "variables",
    "work_pools",
  ];
  const more = [
    "block_documents",
    "block_types",
    "automations",
    "webhooks",
    "v2/concurrency_limits",
  ];
  const held: Record<string, unknown> = {};
  for (const list of [...lists, ...more]) {
    const answer = await call("POST", `/api/${list}/filter`, { key, body: {} });
    expect(answer.status, list).toBe(200);
    held[list] = stable(answer.body);
  }
  const monitors = await call("GET", "/uptime/api/monitors", { key });
  held["monitors"] = (monitors.body as readonly { readonly name: string }[]).map(
    ({ name }) => name,
  );
  return held;
}

/** Without what changes by itself as time goes by. */
function stable(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value: unknown) =>
    /^(estimated_|total_run_time|updated|status|last_polled)/.test(name) ? undefined : value,
  );
  return JSON.parse(text);
}
