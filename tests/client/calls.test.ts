// Real calls of many kinds: what the types promise is what the server takes and gives.
import { ApiError, createClient, createUptimeClient } from "@orchestrator/client/node";
import { expect, test } from "vitest";
import { startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PASSWORD = "a-password-for-tests";

test("calls of many kinds are taken and answered as their types say", async () => {
  await using folder = await temporaryFolder();
  const env = { UPTIME_PASSWORD: PASSWORD, ORCHESTRATOR_SERVER_CSRF_PROTECTION_ENABLED: "true" };
  await using server = await startReadyServer({ home: `${folder.path}/data`, env });
  const client = createClient({
    env: { ORCHESTRATOR_HOME: folder.path, ORCHESTRATOR_API_URL: `${server.url}/api/` },
  });

  await client.workPools.create({ name: "pool", type: "process" });
  await client.workQueues.createInPool("pool", { name: "urgent", priority: 1 });
  expect((await client.workQueues.listInPool("pool")).map(({ name }) => name)).toContain("urgent");
  expect(await client.workers.heartbeat("pool", { name: "w" })).toBeUndefined();
  const id = await client.workers.heartbeat("pool", { name: "w", return_id: true });
  expect(id === undefined || /^[0-9a-f-]{36}$/.test(id)).toBe(true);
  expect((await client.workers.list("pool")).map(({ name }) => name)).toEqual(["w"]);

  const flow = await client.flows.create({ name: "calls" });
  const deployment = await client.deployments.create({
    name: "daily",
    flow_id: flow.id,
    work_pool_name: "pool",
    schedules: [{ schedule: { interval: 3600 } }],
  });
  const preview = await client.deployments.previewSchedules(deployment.id, { limit: 3 });
  expect(preview.times).toHaveLength(3);
  const key = { idempotency_key: "once" };
  const first = await client.deployments.createFlowRun(deployment.id, key);
  const second = await client.deployments.createFlowRun(deployment.id, key);
  expect(second.id).toBe(first.id);
  const bulk = await client.deployments.createFlowRuns(deployment.id, [{}, { name: "named" }]);
  expect(bulk.results.map(({ status }) => status)).toEqual(["CREATED", "CREATED"]);
  const due = await client.workPools.poll("pool", { limit: 10, wait_seconds: 1 });
  expect(due.map(({ flow_run }) => flow_run.name)).toContain("named");
  expect(await client.deployments.pause(deployment.id)).toBeFalsy();

  await client.variables.create({ name: "region", value: { code: "eu" }, tags: ["a"] });
  await client.variables.updateByName("region", { value: ["eu", "us"] });
  expect((await client.variables.readByName("region")).value).toEqual(["eu", "us"]);

  await client.concurrencyLimits.create({ name: "db", limit: 1 });
  const lease = await client.concurrencyLimits.lease({ names: ["db"], slots: 1 });
  const full = await client.concurrencyLimits
    .increment({ names: ["db"], slots: 1 })
    .catch((error: unknown) => error);
  expect(full).toBeInstanceOf(ApiError);
  expect(full).toMatchObject({ status: 423, retryAfterMs: expect.any(Number) });
  await client.concurrencyLimits.renewLease(lease.lease_id);
  await client.concurrencyLimits.endLease({ lease_id: lease.lease_id });
  expect((await client.concurrencyLimits.read("db")).active_slots).toBe(0);

  await client.artifacts.create({ key: "report", type: "markdown", data: "# Hello" });
  expect((await client.artifacts.readLatest("report")).data).toBe("# Hello");
  await client.blockTypes.installSystemTypes();
  expect((await client.blockTypes.list()).length).toBeGreaterThan(0);

  const { id: hook, token } = await client.webhooks.create({
    name: "orders",
    template: '{"event": "shop.{{ body.kind }}", "resource": {"orchestrator.resource.id": "shop"}}',
  });
  const made = await client.webhooks.preview(hook, { body: { kind: "sold" } });
  expect(made.event).toBe("shop.sold");
  const sent = await client.webhooks.send(token.replace(/^whk_/, ""), { kind: "bought" });
  expect(sent?.event).toBe("shop.bought");
  expect(await client.events.countBy("event", { filter: {} })).not.toEqual([]);

  const explanation = await client.flowRuns.explain(first.id);
  expect(explanation).toBeTypeOf("object");
  expect(await client.flowRuns.delete(first.id)).toBeUndefined();
  await expect(client.flowRuns.read(first.id)).rejects.toMatchObject({ status: 404 });

  const uptime = createUptimeClient({
    url: `${server.url}/uptime/api`,
    basic: { username: "admin", password: PASSWORD },
  });
  const monitor = await uptime.monitors.create({ name: "api", url: `${server.url}/api/health` });
  expect((await uptime.monitors.check(monitor.id)).status).toBe("up");
  for (let i = 0; i < 3; i += 1) await uptime.monitors.check(monitor.id);
  const seen: string[] = [];
  for await (const { id: result } of uptime.results.each(monitor.id)) seen.push(result);
  expect(new Set(seen).size).toBeGreaterThanOrEqual(4);
  expect(seen).toHaveLength(new Set(seen).size);
  const exported = await uptime.documents.export();
  expect(await uptime.documents.import(exported, { dry_run: true })).toBeTypeOf("object");
  const csv = await uptime.reports.downloadSla();
  expect(await new Response(csv).text()).toContain("api");
  await expect(
    createUptimeClient({ url: uptime.url, retries: 0 }).monitors.list(),
  ).rejects.toMatchObject({ status: 401 });
});
