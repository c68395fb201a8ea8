import type { ImportOutcome } from "@orchestrator/contract";
import { expect, test } from "vitest";
import type { UptimeDocument } from "../../models.ts";
import { findMonitorRow } from "../../monitors/monitors.store.ts";
import { openedMonitor } from "../../monitors/opened-monitor.ts";
import { describeEachUptimeApi, type UptimeApi } from "../../testing.ts";

const STORED = "$" + "{stored}";
const FROM_ENVIRONMENT = "$" + "{env:SHOP_PASSWORD}";

const SHOP = {
  name: "Shop",
  url: "https://me:s3cret-url@shop.example.com/a",
  tags: ["web", "prod"],
  interval: 300,
  pipeline: [
    { type: "http", headers: { Authorization: "Bearer s3cret-one", Accept: "text/html" } },
    { type: "instance", username: "watch", password: "s3cret-two", timeout_ms: 5000 },
  ],
};
const BACKUP = {
  name: "Backup",
  url: "https://backup.example.com",
  pipeline: [{ type: "heartbeat", period: 86_400 }],
};

async function create(api: UptimeApi, body: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await api.post("/monitors", body);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { readonly id: string }).id;
}

async function exported(api: UptimeApi): Promise<UptimeDocument> {
  const answer = await api.get("/export");
  expect(answer.status).toBe(200);
  return answer.body as UptimeDocument;
}

async function imported(api: UptimeApi, monitors: readonly unknown[], query = "") {
  const answer = await api.post(`/import${query}`, { version: 1, monitors });
  expect(answer).toMatchObject({ status: 200 });
  const outcome = answer.body as ImportOutcome;
  if (outcome.monitors === null) throw new Error("The document has no monitors");
  return outcome.monitors;
}

async function all(api: UptimeApi) {
  return (await api.get("/monitors")).body as { readonly id: string; readonly name: string }[];
}

async function secretsOf(api: UptimeApi, id: string) {
  const row = await findMonitorRow(api.ctx.db.in(api.workspaceId), id);
  if (row === null) throw new Error("The monitor is not there");
  return openedMonitor(api.ctx, row).pipeline;
}

describeEachUptimeApi("an export", (open) => {
  test("has every field that people decide, and no secret", async () => {
    await using api = await open();
    await create(api, SHOP);
    await create(api, BACKUP);
    const document = await exported(api);
    expect(document).toEqual({
      version: 1,
      monitors: [
        {
          name: "Shop",
          url: `https://me:${STORED}@shop.example.com/a`,
          tags: ["web", "prod"],
          enabled: true,
          interval: 300,
          schedule: null,
          timezone: "UTC",
          confirm_down: 1,
          confirm_up: 1,
          parents: [],
          pipeline: [
            { type: "http", headers: { Authorization: STORED, Accept: "text/html" } },
            { type: "instance", username: "watch", password: STORED, timeout_ms: 5000 },
          ],
        },
        expect.objectContaining({
          name: "Backup",
          pipeline: [{ type: "heartbeat", period: 86_400 }],
        }),
      ],
      maintenance: [],
      status_pages: [],
    });
    expect(JSON.stringify(document)).not.toMatch(/s3cret|\*\*\*/);
  });

  test("is YAML when asked for, and of some tags only", async () => {
    await using api = await open();
    await create(api, SHOP);
    await create(api, { name: "Other: one", url: "https://other.example.com", tags: ["web"] });
    const answer = await api.get("/export?format=yaml&tag=web&tag=prod");
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        "content-type": "application/yaml; charset=utf-8",
        "content-disposition": 'attachment; filename="uptime.yaml"',
      },
      body: `version: 1
monitors:
  - name: Shop
    url: "https://me:${STORED}@shop.example.com/a"
    tags: [web, prod]
    enabled: true
    interval: 300
    schedule: null
    timezone: UTC
    confirm_down: 1
    confirm_up: 1
    parents: []
    pipeline:
      - type: http
        headers:
          Authorization: "${STORED}"
          Accept: text/html
      - type: instance
        username: watch
        password: "${STORED}"
        timeout_ms: 5000
`,
    });
    expect(await api.get("/export?format=xml")).toMatchObject({ status: 422 });
  });

  test("needs credentials, as an import does", async () => {
    await using api = await open();
    const anonymous = { isAnonymous: true };
    expect(await api.request("GET", "/export", anonymous)).toMatchObject({ status: 401 });
    const body = { version: 1, monitors: [] };
    expect(await api.request("POST", "/import", { ...anonymous, body })).toMatchObject({
      status: 401,
    });
  });
});

describeEachUptimeApi("an import", (open) => {
  test("of what was exported changes nothing, however often, and tells no one", async () => {
    await using api = await open();
    const id = await create(api, SHOP);
    await create(api, BACKUP);
    const [before, events] = [await all(api), await api.events()];
    const { monitors = [] } = await exported(api);
    for (let i = 0; i < 2; i += 1)
      expect(await imported(api, monitors, "?prune=true")).toMatchObject({
        created: 0,
        updated: 0,
        unchanged: 2,
        deleted: 0,
      });
    expect(await all(api)).toEqual(before);
    expect(await api.events()).toEqual(events);
    expect(await secretsOf(api, id)).toMatchObject(SHOP.pipeline);
  });

  test("creates, changes and leaves alone, and tells which and what", async () => {
    await using api = await open();
    const id = await create(api, SHOP);
    const outcome = await imported(api, [
      { ...SHOP, interval: 60, tags: ["web"], pipeline: [SHOP.pipeline[0]] },
      BACKUP,
    ]);
    const [shop, backup] = await all(api);
    expect(outcome).toEqual({
      created: 1,
      updated: 1,
      unchanged: 0,
      deleted: 0,
      items: [
        {
          name: "Shop",
          id,
          action: "updated",
          differences: [
            {
              field: "pipeline[1]",
              before: { ...SHOP.pipeline[1], password: "********" },
              after: null,
              secret: false,
            },
            { field: "interval", before: 300, after: 60, secret: false },
            { field: "tags", before: ["web", "prod"], after: ["web"], secret: false },
            { field: "instance/password", before: null, after: null, secret: true },
          ].map((difference) => expect.objectContaining(difference) as unknown),
        },
        { name: "Backup", id: backup?.id, action: "created", differences: [] },
      ].map((item) => ({ ...item, differences: expect.any(Array) as unknown })),
    });
    expect(outcome.items[0]?.differences.map(({ field }) => field).toSorted()).toEqual([
      "instance/password",
      "interval",
      "pipeline[1]",
      "tags",
    ]);
    expect(shop).toMatchObject({ id, interval: 60, tags: ["web"] });
    const events = (await api.events()).map(({ event }) => event.replace(/^.*\./, ""));
    expect(events).toEqual(["Created", "Created", "Updated"]);
  });

  test("that is a dry run tells the same and changes nothing", async () => {
    await using api = await open();
    const id = await create(api, SHOP);
    await create(api, { name: "Old", url: "https://old.example.com" });
    const [before, events] = [await all(api), await api.events()];
    const monitors = [{ ...SHOP, interval: 60 }, BACKUP];
    const dry = await imported(api, monitors, "?dry_run=true&prune=true");
    expect(await all(api)).toEqual(before);
    expect(await api.events()).toEqual(events);
    expect(dry.items.map(({ name, action }) => `${name} ${action}`)).toEqual([
      "Shop updated",
      "Backup created",
      "Old deleted",
    ]);
    expect(dry.items[1]?.id).toBeNull();
    const done = await imported(api, monitors, "?prune=true");
    expect(done.items[0]).toEqual(dry.items[0]);
    expect((await all(api)).map(({ name }) => name)).toEqual(["Shop", "Backup"]);
    expect((await all(api))[0]?.id).toBe(id);
  });

  test("deletes what it does not name only when it is told to", async () => {
    await using api = await open();
    await create(api, SHOP);
    expect(await imported(api, [BACKUP])).toMatchObject({ created: 1, deleted: 0 });
    expect(await imported(api, [BACKUP], "?prune=true")).toMatchObject({
      deleted: 1,
      unchanged: 1,
    });
    expect((await all(api)).map(({ name }) => name)).toEqual(["Backup"]);
    expect((await api.events()).at(-1)?.event).toBe("orchestrator.monitor.Deleted");
  });

  test("without monitors leaves them alone, whatever it is told", async () => {
    await using api = await open();
    await create(api, SHOP);
    expect(await api.post("/import?prune=true", { version: 1 })).toMatchObject({
      status: 200,
      body: { dry_run: false, monitors: null },
    });
    expect(await all(api)).toHaveLength(1);
  });

  test("gives what is left out its default, but does not undo a pause", async () => {
    await using api = await open();
    const id = await create(api, { ...SHOP, enabled: false, confirm_down: 3 });
    await imported(api, [{ name: " Shop ", url: "shop.example.com" }]);
    expect((await api.get(`/monitors/${id}`)).body).toMatchObject({
      url: "https://shop.example.com",
      enabled: false,
      interval: 60,
      confirm_down: 1,
      pipeline: [{ type: "http" }],
      tags: [],
    });
    await imported(api, [{ name: "Shop", url: "shop.example.com", enabled: true }]);
    expect((await api.get(`/monitors/${id}`)).body).toMatchObject({ enabled: true });
    expect((await api.events()).at(-1)?.event).toBe("orchestrator.monitor.Resumed");
  });

  test("tells of a secret only that it is another one", async () => {
    await using api = await open();
    const id = await create(api, SHOP);
    const [http, instance] = SHOP.pipeline;
    const monitors = [{ ...SHOP, pipeline: [http, { ...instance, password: "s3cret-new" }] }];
    const dry = await imported(api, monitors, "?dry_run=true");
    expect(dry.items[0]).toMatchObject({
      action: "updated",
      differences: [{ field: "instance/password", before: null, after: null, secret: true }],
    });
    expect(JSON.stringify([dry, await imported(api, monitors)])).not.toContain("s3cret");
    expect((await secretsOf(api, id))[1]).toMatchObject({ password: "s3cret-new" });
    expect(await imported(api, monitors)).toMatchObject({ unchanged: 1 });
  });

  test("keeps what is stored, but never for another origin and never where there is none", async () => {
    await using api = await open();
    const id = await create(api, SHOP);
    const { monitors: [shop] = [] } = await exported(api);
    await imported(api, [
      { ...shop, url: `https://me:${STORED}@shop.example.com/b`, interval: 90 },
    ]);
    expect((await secretsOf(api, id))[1]).toMatchObject({ password: "s3cret-two" });
    const elsewhere = { ...shop, url: "https://evil.example.com" };
    const unknown = { ...shop, name: "New" };
    const refusal = await api.post("/import", { version: 1, monitors: [elsewhere, unknown] });
    expect(refusal).toMatchObject({
      status: 422,
      body: {
        exception_detail: [
          {
            loc: ["body", "monitors", 0, "url"],
            msg: expect.stringContaining("instance/password"),
          },
          {
            loc: ["body", "monitors", 1, "pipeline"],
            msg: expect.stringMatching(/http\/headers\/authorization.*\(monitor 'New'\)/),
          },
        ],
      },
    });
    expect(await all(api)).toHaveLength(1);
  });

  test("refuses references that nobody has resolved, where they would be taken for values", async () => {
    await using api = await open();
    const entry = { name: "Shop", url: "https://shop.example.com" };
    const documents = [
      { ...entry, pipeline: [{ type: "instance", username: "a", password: FROM_ENVIRONMENT }] },
      { ...entry, url: `https://me:${FROM_ENVIRONMENT}@shop.example.com` },
      { ...entry, pipeline: [{ type: "http", headers: { Accept: STORED } }] },
    ];
    for (const monitor of documents)
      expect(await api.post("/import", { version: 1, monitors: [monitor] })).toMatchObject({
        status: 422,
        body: { exception_detail: [{ msg: expect.stringContaining("stands for") }] },
      });
    expect(await all(api)).toEqual([]);
  });

  test("is all or nothing, and says all that is wrong with the document", async () => {
    await using api = await open();
    const answer = await api.post("/import", {
      version: 1,
      monitors: [
        BACKUP,
        { name: "Short", url: "https://a.example.com", interval: 1 },
        { name: "Never", url: "https://a.example.com", schedule: "0 0 31 2 *" },
      ],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        exception_detail: [
          { loc: ["body", "monitors", 1, "interval"] },
          { loc: ["body", "monitors", 2, "schedule"] },
        ],
      },
    });
    expect(await all(api)).toEqual([]);
    expect(await api.events()).toEqual([]);
  });

  test("refuses a name that stands twice in the document or in the store", async () => {
    await using api = await open();
    const twice = [BACKUP, { ...SHOP, name: " Backup" }];
    expect(await api.post("/import", { version: 1, monitors: twice })).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", "monitors", 1, "name"] }] },
    });
    await create(api, SHOP);
    await create(api, SHOP);
    expect(await api.post("/import", { version: 1, monitors: [SHOP] })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("Several monitors are named 'Shop'") },
    });
    // Others may be named alike: nothing has to choose between them.
    expect(await imported(api, [BACKUP], "?prune=true")).toMatchObject({ created: 1, deleted: 2 });
  });

  test.each([
    [{ version: 2, monitors: [] }],
    [{ monitors: [] }],
    [{ version: 1, monitor: [] }],
    [{ version: 1, monitors: [{ name: "a" }] }],
    [{ version: 1, monitors: [{ name: "a", url: "https://a.example", intervall: 5 }] }],
    [
      {
        version: 1,
        monitors: Array.from({ length: 5001 }, (_, i) => ({ name: `${i}`, url: "a" })),
      },
    ],
  ])("refuses a document it does not understand (%#)", async (document) => {
    await using api = await open();
    expect(await api.post("/import", document)).toMatchObject({ status: 422 });
  });

  test("twice at the same time creates each monitor once", async () => {
    await using api = await open();
    const both = await Promise.all([imported(api, [BACKUP]), imported(api, [BACKUP])]);
    expect(both.map(({ created }) => created)).toContain(0);
    expect(both.map(({ created }) => created)).toContain(1);
    expect(await all(api)).toHaveLength(1);
  });

  test("takes many monitors in one document", async () => {
    await using api = await open();
    const monitors = Array.from({ length: 1200 }, (_, i) => ({
      name: `Monitor ${i}`,
      url: `https://host-${i}.example.com/${"x".repeat(1000)}`,
    }));
    expect(await imported(api, monitors)).toMatchObject({ created: 1200 });
    expect(await imported(api, monitors)).toMatchObject({ unchanged: 1200 });
  });

  test("keeps the token of a heartbeat that the document does not name", async () => {
    await using api = await open();
    await create(api, BACKUP);
    const [before] = await all(api);
    await imported(api, [{ ...BACKUP, interval: 120 }]);
    const [after] = await all(api);
    expect(after).toMatchObject({
      interval: 120,
      pipeline: (before as unknown as { readonly pipeline: unknown }).pipeline,
    });
  });

  test("names parents by their names, in any order, and tells of their change", async () => {
    await using api = await open();
    const entry = (name: string, parents?: readonly string[]) => ({
      name,
      url: "https://a.example.com",
      ...(parents === undefined ? {} : { parents }),
    });
    await create(api, entry("Router"));
    await imported(api, [entry("Shop", ["Proxy", "Router"]), entry("Proxy", [" Router "])]);
    const parentsOf = async () =>
      (await exported(api)).monitors?.map(({ name, parents }) => `${name}: ${parents?.join()}`);
    expect(await parentsOf()).toEqual(["Router: ", "Shop: Proxy,Router", "Proxy: Router"]);
    const { monitors = [] } = await exported(api);
    expect(await imported(api, monitors, "?prune=true")).toMatchObject({ unchanged: 3 });
    // Turned round: for a moment each would depend on the other.
    const turned = [entry("Router", ["Proxy"]), entry("Proxy"), entry("Shop", ["Router"])];
    const { items } = await imported(api, turned);
    expect(items.map(({ differences }) => differences)).toEqual([
      [{ field: "parents", before: [], after: ["Proxy"], secret: false }],
      [{ field: "parents", before: ["Router"], after: [], secret: false }],
      [{ field: "parents", before: ["Proxy", "Router"], after: ["Router"], secret: false }],
    ]);
    expect(await parentsOf()).toEqual(["Router: Proxy", "Shop: Router", "Proxy: "]);
    expect((await api.events()).at(-1)).toMatchObject({
      event: "orchestrator.monitor.Updated",
      payload: { changed: ["parents"] },
    });
  });

  test("refuses parents that are not there, will be gone, or go round in a circle", async () => {
    await using api = await open();
    const entry = (name: string, parents: readonly string[]) => ({
      name,
      url: "https://a.example.com",
      parents,
    });
    await create(api, { name: "Old", url: "https://old.example.com" });
    const documents = [
      { monitors: [entry("Shop", ["Nobody"])], query: "" },
      { monitors: [entry("Shop", ["Old"])], query: "?prune=true" },
      { monitors: [entry("Shop", ["Shop"])], query: "" },
      { monitors: [entry("Shop", ["Proxy"]), entry("Proxy", ["Shop"])], query: "" },
    ];
    for (const { monitors, query } of documents)
      expect(await api.post(`/import${query}`, { version: 1, monitors })).toMatchObject({
        status: 422,
        body: {
          exception_detail: expect.arrayContaining([
            expect.objectContaining({ loc: ["body", "monitors", 0, "parents"] }),
          ]),
        },
      });
    expect((await all(api)).map(({ name }) => name)).toEqual(["Old"]);
  });
});
