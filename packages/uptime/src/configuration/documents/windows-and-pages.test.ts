import type { ImportOutcome, MaintenanceWindow } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { listWindows } from "../../maintenance/maintenance.store.ts";
import type { UptimeDocument } from "../../models.ts";
import { describeEachUptimeApi, type UptimeApi } from "../../testing.ts";
import { importDocument } from "./documents.service.ts";

const MONITORS = [
  { name: "Shop", url: "https://shop.example.com", enabled: false },
  { name: "Office", url: "https://office.example.com", enabled: false },
];
const BACKUP = {
  name: "Backup",
  monitors: ["Shop"],
  tags: ["night"],
  schedule: "30 2 * * SUN",
  timezone: "Europe/Berlin",
  duration: 3600,
};
const PAGE = {
  slug: "shop",
  title: "The shop",
  published: true,
  groups: [{ name: "Web", monitors: [{ monitor: "Shop", name: "Website" }], tags: ["prod"] }],
};
const DOCUMENT = { version: 1, monitors: MONITORS, maintenance: [BACKUP], status_pages: [PAGE] };

async function imported(api: UptimeApi, document: object, query = ""): Promise<ImportOutcome> {
  const answer = await api.post(`/import${query}`, { version: 1, ...document });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as ImportOutcome;
}

const exported = async (api: UptimeApi) => (await api.get("/export")).body as UptimeDocument;

const windows = async (api: UptimeApi) =>
  (await api.get("/maintenance")).body as readonly MaintenanceWindow[];

const pages = async (api: UptimeApi) =>
  (await api.get("/status-pages")).body as readonly Record<string, unknown>[];

const idOf = async (api: UptimeApi, name: string) => {
  const all = (await api.get("/monitors")).body as { readonly id: string; readonly name: string }[];
  return all.find((monitor) => monitor.name === name)?.id;
};

const problemsOf = ({ body }: { readonly body: unknown }) =>
  (body as { readonly exception_detail: readonly { readonly loc: readonly unknown[] }[] })
    .exception_detail;

describeEachUptimeApi("a document with maintenance windows and status pages", (open) => {
  test("creates them with the monitors they name, and changes nothing when it comes again", async () => {
    await using api = await open();
    const first = await imported(api, DOCUMENT);
    expect(first.maintenance).toMatchObject({ created: 1, items: [{ name: "Backup" }] });
    expect(first.status_pages).toMatchObject({ created: 1, items: [{ name: "shop" }] });
    const shop = await idOf(api, "Shop");
    expect(await windows(api)).toMatchObject([{ name: "Backup", monitor_ids: [shop] }]);
    expect(await pages(api)).toMatchObject([
      { published: true, groups: [{ monitors: [{ id: shop, name: "Website" }], tags: ["prod"] }] },
    ]);
    const told = (await api.events()).length;
    for (const again of [DOCUMENT, await exported(api)])
      expect(await imported(api, again, "?prune=true")).toMatchObject({
        monitors: { created: 0, updated: 0, unchanged: 2, deleted: 0 },
        maintenance: { created: 0, updated: 0, unchanged: 1, deleted: 0 },
        status_pages: { created: 0, updated: 0, unchanged: 1, deleted: 0 },
      });
    expect(await api.events()).toHaveLength(told);
  });

  test("is exported by names, and means the same on a server that has nothing", async () => {
    await using api = await open();
    await imported(api, DOCUMENT);
    const document = await exported(api);
    expect(document.maintenance).toMatchObject([{ ...BACKUP, all_monitors: false, enabled: true }]);
    expect(document.status_pages).toMatchObject([{ ...PAGE, theme: "auto", description: null }]);
    await using other = await open();
    await imported(other, document);
    expect(await exported(other)).toEqual(document);
    const yaml = String((await api.get("/export?format=yaml")).body);
    expect(yaml).toContain("maintenance:\n  - name: Backup");
    expect(yaml).toContain("status_pages:\n  - slug: shop");
  });

  test("that is a dry run tells the difference and changes nothing", async () => {
    await using api = await open();
    await imported(api, DOCUMENT);
    const before = await exported(api);
    const group = { ...PAGE.groups[0], monitors: [{ monitor: "Office", name: "Website" }] };
    const changed = {
      maintenance: [
        { ...BACKUP, duration: 7200, monitors: ["Office", "Shop"] },
        { name: "Move", all_monitors: true, schedule: "@daily", duration: 60 },
      ],
      status_pages: [{ ...PAGE, title: "Our shop", groups: [group] }],
    };
    const foreseen = await imported(api, changed, "?dry_run=true");
    expect(foreseen.monitors).toBeNull();
    expect(foreseen.maintenance?.items).toEqual([
      {
        name: "Backup",
        id: expect.any(String),
        action: "updated",
        differences: [
          { field: "monitors", before: ["Shop"], after: ["Office", "Shop"], secret: false },
          { field: "duration", before: 3600, after: 7200, secret: false },
        ],
      },
      { name: "Move", id: null, action: "created", differences: [] },
    ]);
    expect(foreseen.status_pages?.items).toMatchObject([
      {
        action: "updated",
        differences: [
          { field: "title", before: "The shop", after: "Our shop" },
          { field: "groups[0].monitors[0].monitor", before: "Shop", after: "Office" },
        ],
      },
    ]);
    expect(await exported(api)).toEqual(before);
    const done = await imported(api, changed);
    expect(done.maintenance).toMatchObject({ created: 1, updated: 1 });
    expect((await exported(api)).status_pages).toMatchObject([{ title: "Our shop" }]);
  });

  test("deletes what a section does not name only when told to, and leaves other sections alone", async () => {
    await using api = await open();
    await imported(api, DOCUMENT);
    await imported(api, { maintenance: [], status_pages: [] });
    expect([(await windows(api)).length, (await pages(api)).length]).toEqual([1, 1]);
    const outcome = await imported(api, { maintenance: [] }, "?prune=true");
    expect(outcome).toMatchObject({
      monitors: null,
      maintenance: { deleted: 1 },
      status_pages: null,
    });
    expect([(await windows(api)).length, (await pages(api)).length]).toEqual([0, 1]);
    expect((await exported(api)).monitors).toHaveLength(2);
    await imported(api, { status_pages: [] }, "?prune=true");
    expect(await pages(api)).toEqual([]);
  });

  test("does not undo what was switched by hand unless it says so", async () => {
    await using api = await open();
    await imported(api, DOCUMENT);
    const [window] = await windows(api);
    const [page] = await pages(api);
    await api.patch(`/maintenance/${window?.id}`, { enabled: false });
    await api.patch(`/status-pages/${String(page?.["id"])}`, { published: false });
    const { published: _left, ...silent } = PAGE;
    expect(await imported(api, { maintenance: [BACKUP], status_pages: [silent] })).toMatchObject({
      maintenance: { unchanged: 1 },
      status_pages: { unchanged: 1 },
    });
    expect(await imported(api, { ...DOCUMENT, monitors: undefined })).toMatchObject({
      maintenance: { unchanged: 1 },
      status_pages: { updated: 1 },
    });
  });

  test("is refused as a whole, with the place, where one of its sections is wrong", async () => {
    await using api = await open();
    const wrong = [
      [
        { maintenance: [{ ...BACKUP, monitors: ["Nobody"] }] },
        ["body", "maintenance", 0, "monitors"],
      ],
      [
        { maintenance: [{ ...BACKUP, duration: undefined }] },
        ["body", "maintenance", 0, "duration"],
      ],
      [{ maintenance: [BACKUP, BACKUP] }, ["body", "maintenance", 1, "name"]],
      [{ status_pages: [PAGE, PAGE] }, ["body", "status_pages", 1, "slug"]],
      [
        {
          status_pages: [{ ...PAGE, groups: [{ name: "Web", monitors: [{ monitor: "Nobody" }] }] }],
        },
        ["body", "status_pages", 0, "groups"],
      ],
    ] as const;
    for (const [part, loc] of wrong) {
      const answer = await api.post("/import", { version: 1, monitors: MONITORS, ...part });
      expect(answer.status).toBe(422);
      expect(problemsOf(answer)[0]?.loc).toEqual(loc);
    }
    expect((await api.get("/monitors")).body).toEqual([]);
  });

  test("is refused where the server has two windows of the name", async () => {
    await using api = await open();
    await imported(api, { monitors: MONITORS });
    const body = { name: "Backup", all_monitors: true, schedule: "@daily", duration: 60 };
    for (let i = 0; i < 2; i += 1) expect((await api.post("/maintenance", body)).status).toBe(201);
    expect((await api.post("/import", { version: 1, maintenance: [BACKUP] })).status).toBe(409);
  });

  test("leaves out windows that are over, and does not bring them back", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const once = {
      name: "Move",
      all_monitors: true,
      starts_at: "2026-11-15T10:00:00Z",
      ends_at: "2026-11-15T11:00:00Z",
    };
    expect(await imported(api, { maintenance: [once] })).toMatchObject({
      maintenance: { created: 1 },
    });
    expect((await exported(api)).maintenance).toHaveLength(1);
    clock.advanceMs(3 * 3_600_000);
    expect((await exported(api)).maintenance).toEqual([]);
    const [window] = await windows(api);
    await api.delete(`/maintenance/${window?.id}`);
    expect((await imported(api, { maintenance: [once] })).maintenance).toMatchObject({
      unchanged: 1,
      items: [{ name: "Move", id: null }],
    });
    expect(await windows(api)).toEqual([]);
  });

  test("with very many monitors lets other requests have their turn meanwhile", async () => {
    await using api = await open();
    const monitors = Array.from({ length: 3000 }, (_, i) => ({
      name: `Shop ${i}`,
      url: `https://shop-${i}.example.com`,
    }));
    const order: string[] = [];
    const importing = imported(api, { monitors }).then(() => order.push("import"));
    // The document has been read by then, and the work on it has begun.
    await api.get("/health");
    for (let i = 0; i < 3; i += 1) {
      expect((await api.get("/monitors")).body).toEqual([]);
      order.push("list");
    }
    await importing;
    expect(order).toEqual(["list", "list", "list", "import"]);
    expect((await api.get("/monitors?limit=5000")).body).toHaveLength(3000);
  });

  test("several times at once creates each window once, in whatever workspace", async () => {
    await using api = await open();
    const workspaceId = "5f0b1e7c-6a55-4a3e-9a43-0d6f4c3f6f10";
    const scope = { ...openScope("test"), workspaceId };
    const document: UptimeDocument = { version: 1, maintenance: [{ ...BACKUP, monitors: [] }] };
    const once = () => importDocument(api.ctx, scope, { document, prune: false, dry_run: false });
    const outcomes = await Promise.all([once(), once(), once(), once()]);
    expect(outcomes.filter(({ maintenance }) => maintenance?.created === 1)).toHaveLength(1);
    expect(await listWindows(api.ctx.db.in(workspaceId))).toHaveLength(1);
  });
});
