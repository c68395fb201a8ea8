import { expect, test } from "vitest";
import { recordResult } from "../results/record-result.service.ts";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type UptimeApi } from "../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

interface MonitorBody {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tags: readonly string[];
  readonly enabled: boolean;
}

async function create(api: UptimeApi, body: Readonly<Record<string, unknown>> = {}) {
  const answer = await api.post("/monitors", {
    name: "Shop",
    url: "https://shop.example.com",
    ...body,
  });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body as MonitorBody;
}

async function names(api: UptimeApi, query: string): Promise<string[]> {
  const answer = await api.get(`/monitors${query}`);
  expect(answer.status).toBe(200);
  return (answer.body as MonitorBody[]).map(({ name }) => name);
}

describeEachUptimeApi("monitors", (open) => {
  test("keep every digit of the numbers that they compare with", async () => {
    await using api = await open();
    const pipeline = [{ type: "http", json: [{ path: "id", value: 1763110800123456789n }] }];
    const { id } = await create(api, { pipeline });
    expect((await api.get(`/monitors/${id}`)).body).toMatchObject({ pipeline });
    expect((await api.get("/monitors")).body).toMatchObject([{ pipeline }]);
  });

  test("are created with 201, their address and every field", async () => {
    await using api = await open();
    const answer = await api.post("/monitors", {
      name: "  Shop ",
      url: "https://shop.example.com",
      pipeline: [{ type: "http", headers: { Accept: "text/html" } }],
      interval: 300,
      schedule: "*/5 * * * *",
      enabled: true,
      tags: [" web ", "prod", "web", ""],
    });
    expect(answer.status).toBe(201);
    const { id, created_at } = answer.body as MonitorBody;
    expect(answer.headers["location"]).toBe(`/uptime/api/monitors/${id}`);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Shop",
      url: "https://shop.example.com",
      pipeline: [{ type: "http", headers: { Accept: "text/html" } }],
      interval: 300,
      schedule: "*/5 * * * *",
      timezone: "UTC",
      enabled: true,
      tags: ["web", "prod"],
      confirm_down: 1,
      confirm_up: 1,
      parents: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      updated_at: created_at,
      last_check: null,
      last_status: null,
      next_check: null,
    });
    expect(await api.get(`/monitors/${id}`)).toMatchObject({ status: 200, body: answer.body });
  });

  test("need a name and an address only; the rest has defaults", async () => {
    await using api = await open();
    const monitor = await create(api, { url: "shop.example.com:8443/health" });
    expect(monitor).toMatchObject({
      url: "https://shop.example.com:8443/health",
      pipeline: [{ type: "http" }],
      interval: 60,
      schedule: null,
      enabled: true,
      tags: [],
    });
    const empty = { pipeline: [], interval: null, schedule: null, tags: null, enabled: null };
    expect(await create(api, empty)).toMatchObject({ pipeline: [], interval: 60, enabled: true });
  });

  test("may have the same name", async () => {
    await using api = await open();
    const [first, second] = [await create(api), await create(api)];
    expect(second.id).not.toBe(first.id);
  });

  const CHECKS = [
    { type: "http", method: "POST", body: "{}", expected_status: [200, "300-399"] },
    { type: "http", contains: ["ok", { text: "fine", severity: "warn" }], not_contains: "error" },
    { type: "http", json: [{ path: "$.status", comparison: "==", value: "up" }] },
    { type: "http", timeout_ms: 5000, retries: 0, follow_redirects: false, verify_tls: false },
    { type: "instance", username: "watch", path: "/dhis/api/system/info" },
    { type: "tcp", port: 5432, host: "db.lan" },
    { type: "dns", record: "MX", expected: ["mail.example.com"] },
    { type: "tls", tls_warn_days: 14 },
    { type: "ping", count: 3 },
    { type: "heartbeat", period: 3600, token: "abcdefghijklmnopqrstuvwx" },
  ];
  test.each(CHECKS)("keep the check %j as it is", async (check) => {
    await using api = await open();
    expect(await create(api, { pipeline: [check] })).toMatchObject({ pipeline: [check] });
  });

  const REFUSED = [
    { name: "   " },
    { name: "x".repeat(101) },
    { name: 5 },
    { url: "" },
    { url: "ftp://files.example.com" },
    { url: "https://" },
    { url: "https://exa mple.com" },
    { url: "https://host\\@evil.example.com" },
    { url: `https://${"x".repeat(2050)}` },
    { interval: 9 },
    { interval: 2_678_401 },
    { interval: 12.5 },
    { schedule: "61 * * * *" },
    { schedule: "every day" },
    { schedule: "0 0 30 2 *" },
    { timezone: "Moon/Crater" },
    { enabled: "maybe" },
    { tags: "web" },
    { tags: ["x".repeat(51)] },
    { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) },
    { confirm_down: 0 },
    { colour: "red" },
    { pipeline: [{ type: "carrier-pigeon" }] },
    { pipeline: [{ headers: {} }] },
    { pipeline: [{ type: "http", contians: "ok" }] },
    { pipeline: [{ type: "http", headers: { "bad name": "x" } }] },
    { pipeline: [{ type: "http", headers: { A: "x\r\nB: y" } }] },
    { pipeline: [{ type: "http", headers: { A: "x", a: "y" } }] },
    { pipeline: [{ type: "http", expected_status: ["399-200"] }] },
    { pipeline: [{ type: "instance", path: "//evil.example.com/" }] },
    { pipeline: Array.from({ length: 21 }, () => ({ type: "http" })) },
  ];
  test.each(REFUSED)("are refused with %j", async (wrong) => {
    await using api = await open();
    const body = { name: "Shop", url: "https://shop.example.com", ...wrong };
    expect(await api.post("/monitors", body)).toMatchObject({
      status: 422,
      body: { detail: expect.any(String), exception_detail: expect.any(Array) },
    });
    const { id } = await create(api);
    expect(await api.put(`/monitors/${id}`, wrong)).toMatchObject({ status: 422 });
  });

  test("are refused without a name or an address, and when the body is no JSON", async () => {
    await using api = await open();
    expect(await api.post("/monitors", { name: "Shop" })).toMatchObject({ status: 422 });
    expect(await api.post("/monitors", { url: "https://a.example" })).toMatchObject({
      status: 422,
    });
    expect(await api.post("/monitors", "{")).toMatchObject({ status: 400 });
    expect(
      await api.request("POST", "/monitors", {
        body: "name=Shop",
        headers: { "content-type": "text/plain" },
      }),
    ).toMatchObject({ status: 415 });
  });

  test("are changed by any subset of their fields, by PUT and by PATCH", async () => {
    await using api = await open();
    const monitor = await create(api, { tags: ["web"], schedule: "@hourly" });
    const renamed = await api.put(`/monitors/${monitor.id}`, { name: "Store", schedule: null });
    expect(renamed).toMatchObject({
      status: 200,
      body: { ...monitor, name: "Store", schedule: null, updated_at: expect.any(String) },
    });
    const tagged = await api.patch(`/monitors/${monitor.id}`, { tags: ["a", "b"], interval: 30 });
    expect(tagged).toMatchObject({ status: 200, body: { name: "Store", tags: ["a", "b"] } });
    expect(await api.get(`/monitors/${monitor.id}`)).toMatchObject({ body: tagged.body });
  });

  test("can be sent back as they were read", async () => {
    await using api = await open();
    const monitor = await create(api, { tags: ["web"] });
    const answer = await api.put(`/monitors/${monitor.id}`, { ...monitor, name: "Store" });
    expect(answer).toMatchObject({ status: 200, body: { name: "Store", tags: ["web"] } });
    const copy = await api.post("/monitors", monitor);
    expect(copy).toMatchObject({ status: 201, body: { name: "Shop" } });
    expect((copy.body as MonitorBody).id).not.toBe(monitor.id);
  });

  test("stay as they are when an update changes nothing", async () => {
    await using api = await open();
    const monitor = await create(api);
    expect(await api.put(`/monitors/${monitor.id}`, { name: "Shop", tags: null })).toMatchObject({
      status: 200,
      body: monitor,
    });
    expect(await api.events()).toHaveLength(1);
  });

  test("keep what results have written when they are changed, and are found by it", async () => {
    await using api = await open();
    const { id } = await create(api);
    await create(api, { name: "Unchecked" });
    const checkedAt = api.ctx.clock.now();
    await recordResult(api.ctx, {
      workspaceId: api.workspaceId,
      monitorId: id,
      outcome: anOutcome("down"),
      checkedAt,
      trigger: "schedule",
    });
    const sent = { last_check: null, last_status: "up", name: "Store" };
    expect(await api.put(`/monitors/${id}`, sent)).toMatchObject({
      status: 200,
      body: { name: "Store", last_check: checkedAt, last_status: "down" },
    });
    expect(await names(api, "?status=down")).toEqual(["Store"]);
    expect(await names(api, "?status=up&status=down")).toEqual(["Store"]);
    expect(await names(api, "?status=up")).toEqual([]);
  });

  test("are deleted with 204, and are gone then", async () => {
    await using api = await open();
    const { id } = await create(api);
    expect(await api.delete(`/monitors/${id}`)).toMatchObject({ status: 204, body: undefined });
    for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
      const body = method === "PUT" || method === "PATCH" ? { body: {} } : {};
      expect(await api.request(method, `/monitors/${id}`, body)).toMatchObject({
        status: 404,
        body: { detail: "Monitor not found" },
      });
    }
  });

  test("are not found by an id that is unknown or none", async () => {
    await using api = await open();
    for (const id of [UNKNOWN_ID, "17", "x"]) {
      expect(await api.get(`/monitors/${id}`)).toMatchObject({
        status: 404,
        body: { detail: "Monitor not found" },
      });
      expect(await api.put(`/monitors/${id}`, {})).toMatchObject({ status: 404 });
      expect(await api.delete(`/monitors/${id}`)).toMatchObject({ status: 404 });
    }
  });

  test("take an address with a slash at the end", async () => {
    await using api = await open();
    const { id } = await create(api);
    expect(await api.get(`/monitors/${id}/`)).toMatchObject({ status: 200 });
    expect(await names(api, "/")).toEqual(["Shop"]);
  });

  test("are listed oldest first, all of them unless a limit is given", async () => {
    await using api = await open();
    const made = Array.from({ length: 5 }, (_, n) => `m${n}`);
    for (const name of made) await create(api, { name });
    expect(await names(api, "")).toEqual(made);
    expect(await names(api, "?limit=2")).toEqual(["m0", "m1"]);
    expect(await names(api, "?limit=2&offset=4")).toEqual(["m4"]);
    expect(await names(api, "?offset=3&colour=red")).toEqual(["m3", "m4"]);
    for (const query of ["limit=0", "limit=x", "offset=-1", "enabled=maybe", "status=gone"])
      expect(await api.get(`/monitors?${query}`), query).toMatchObject({ status: 422 });
  });

  test("are found by tags, all of them, by text and by whether they run", async () => {
    await using api = await open();
    await create(api, { name: "A 100%", tags: ["web", "prod"] });
    await create(api, { name: "B", tags: ["web"], enabled: false, url: "https://B.example.org/x" });
    await create(api, { name: "C" });
    expect(await names(api, "?tag=web")).toEqual(["A 100%", "B"]);
    expect(await names(api, "?tag=web&tag=prod")).toEqual(["A 100%"]);
    expect(await names(api, "?tag=we")).toEqual([]);
    expect(await names(api, "?enabled=false")).toEqual(["B"]);
    expect(await names(api, "?enabled=true&tag=web")).toEqual(["A 100%"]);
    expect(await names(api, "?q=b.EXAMPLE")).toEqual(["B"]);
    expect(await names(api, "?q=100%25")).toEqual(["A 100%"]);
    expect(await names(api, "?q=10_%25")).toEqual([]);
  });

  test("tell of what becomes of them, each change once", async () => {
    await using api = await open();
    const { id } = await create(api, { tags: ["web"] });
    await api.put(`/monitors/${id}`, { name: "Store" });
    await api.put(`/monitors/${id}`, { enabled: false });
    await api.put(`/monitors/${id}`, { enabled: true, interval: 30 });
    await api.delete(`/monitors/${id}`);
    const events = await api.events();
    expect(events.map(({ event }) => event.replace("orchestrator.monitor.", ""))).toEqual([
      "Created",
      "Updated",
      "Paused",
      "Updated",
      "Resumed",
      "Deleted",
    ]);
    expect(events[1]).toMatchObject({
      resource: {
        "orchestrator.resource.id": `orchestrator.monitor.${id}`,
        "orchestrator.resource.name": "Store",
        "orchestrator.monitor.url": "https://shop.example.com",
      },
      related: [
        { "orchestrator.resource.id": "orchestrator.tag.web", "orchestrator.resource.role": "tag" },
      ],
      payload: { name: "Store", changed: ["name"] },
    });
  });

  test("wake up whoever plans them, at every change", async () => {
    await using api = await open();
    let calls = 0;
    const stop = api.ctx.db.wakeUps.on("monitors", () => {
      calls += 1;
    });
    const { id } = await create(api);
    await api.put(`/monitors/${id}`, { interval: 30 });
    await api.delete(`/monitors/${id}`);
    stop();
    expect(calls).toBeGreaterThanOrEqual(3);
  });

  test("with a heartbeat have a token that stays", async () => {
    await using api = await open();
    const monitor = await create(api, { pipeline: [{ type: "heartbeat", period: 60 }] });
    const token = expect.stringMatching(/^[A-Za-z0-9_-]{32}$/);
    expect(monitor).toMatchObject({ pipeline: [{ type: "heartbeat", period: 60, token }] });
    const changed = { pipeline: [{ type: "http" }, { type: "heartbeat" }] };
    const answer = await api.put(`/monitors/${monitor.id}`, changed);
    const [first] = (monitor as unknown as { pipeline: { token: string }[] }).pipeline;
    expect(answer.body).toMatchObject({
      pipeline: [{ type: "http" }, { type: "heartbeat", token: first?.token }],
    });
  });
});

describeEachUptimeApi("tags of monitors", (open) => {
  test("are listed once and in order at both addresses", async () => {
    await using api = await open();
    expect(await api.get("/tags")).toMatchObject({ status: 200, body: [] });
    await create(api, { tags: ["web", "prod"] });
    const { id } = await create(api, { tags: ["prod", "Alpha", "über"] });
    for (const path of ["/tags", "/monitors/tags"])
      expect(await api.get(path)).toMatchObject({
        status: 200,
        body: ["Alpha", "prod", "web", "über"],
      });
    await api.delete(`/monitors/${id}`);
    expect(await api.get("/tags")).toMatchObject({ body: ["prod", "web"] });
  });
});
