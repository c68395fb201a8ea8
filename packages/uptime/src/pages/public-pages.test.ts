import type { StatusPageView } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { openStatusPages } from "../testing/status-pages.ts";
import { describeEachUptimeApi } from "../testing.ts";

type Opened = Awaited<ReturnType<typeof openStatusPages>>;

const DATA = "/uptime/api/status-pages/shop/public";
const PAGE = { slug: "shop", title: "The shop", published: true };
const HTML = "/uptime/status/shop";
const FEED = "/uptime/status/shop/rss.xml";

async function viewOf(p: Opened): Promise<StatusPageView> {
  const answer = await p.visit(DATA);
  expect(answer.status).toBe(200);
  return (await answer.json()) as StatusPageView;
}

const minimal = (page: object) => ({ ...PAGE, ...page });

describeEachUptimeApi("a published status page", (open) => {
  test("shows the state, the days and the uptime of its monitors", async () => {
    await using p = await openStatusPages(open);
    const shop = await p.monitor("web-1", { tags: ["a"] });
    const mail = await p.monitor("Mail", { tags: ["prod"] });
    await p.monitor("Archive", { tags: ["prod"] });
    await p.monitor("Other");
    await p.create("/status-pages", {
      ...PAGE,
      show: ["bars", "uptime", "latency"],
      groups: [
        { name: "Web", monitors: [{ id: shop, name: "Website" }] },
        { name: "Rest", tags: ["prod"] },
      ],
    });
    await p.see(shop, "up", { elapsed_ms: 100 });
    await p.see(shop, "degraded", { elapsed_ms: 300 });
    await p.see(mail, "up");
    p.clock.advanceMs(50_000);
    const view = await viewOf(p);
    expect(view).toMatchObject({
      title: "The shop",
      state: "degraded",
      incidents: null,
      maintenance: null,
      as_of: "2026-11-15T09:04:00.000000Z",
      groups: [
        { name: "Web", monitors: [{ name: "Website", state: "degraded", latency_ms: 200 }] },
        { name: "Rest", monitors: [{ name: "Archive", state: "unknown" }, { name: "Mail" }] },
      ],
    });
    const [website, archive] = view.groups.flatMap(({ monitors }) => monitors);
    expect(website?.uptime_percent).toBe(100);
    expect(website?.days).toHaveLength(90);
    expect(website?.days?.at(-1)).toEqual({
      date: "2026-11-15",
      state: "degraded",
      uptime_percent: 100,
    });
    expect(website?.days?.[0]).toEqual({
      date: "2026-08-18",
      state: "none",
      uptime_percent: null,
    });
    expect(archive).toMatchObject({ uptime_percent: null, latency_ms: null });
    expect(archive?.days?.every(({ state }) => state === "none")).toBe(true);
  });

  test("tells of days that are over by how long each status held", async () => {
    await using p = await openStatusPages(open, "2026-11-14T23:57:00Z");
    const id = await p.monitor("Shop");
    await p.create("/status-pages", minimal({ groups: [{ name: "All", monitors: [{ id }] }] }));
    await p.see(id, "up");
    await p.see(id, "down");
    await p.see(id, "down");
    await p.see(id, "up");
    p.clock.advanceMs(50_000);
    const { groups, incidents } = await viewOf(p);
    const [monitor] = groups[0]?.monitors ?? [];
    // A minute of each before midnight; another one down and one up after it.
    expect(monitor?.days?.slice(-2)).toEqual([
      { date: "2026-11-14", state: "down", uptime_percent: 50 },
      { date: "2026-11-15", state: "down", uptime_percent: 50 },
    ]);
    expect(monitor).toMatchObject({ state: "up", uptime_percent: 50 });
    expect(incidents).toMatchObject([
      {
        monitor: "Shop",
        status: "down",
        started_at: "2026-11-14T23:59:00.000000Z",
        ended_at: "2026-11-15T00:01:00.000000Z",
        duration_seconds: 120,
        report_id: null,
      },
    ]);
  });

  test("tells an incident and the report about it as one, in every form", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("Shop");
    const page = await p.create(
      "/status-pages",
      minimal({ groups: [{ name: "All", monitors: [{ id }] }] }),
    );
    await p.see(id, "down");
    const [incident] = (await p.api.get("/incidents")).body as { readonly id: string }[];
    const report = await p.create(`/status-pages/${page.id}/reports`, {
      title: "Cables <cut> & gone",
      text: "A digger\nhas been here",
      incident_id: incident?.id,
    });
    const notice = await p.create(`/status-pages/${page.id}/reports`, {
      title: "New prices",
      text: "From tomorrow on",
      state: "resolved",
    });
    expect(await viewOf(p)).toMatchObject({
      state: "major_outage",
      incidents: [{ id: incident?.id, report_id: report.id, ended_at: null }],
      reports: [{ id: notice.id }, { id: report.id, incident_id: incident?.id }],
    });
    const html = await (await p.visit(HTML)).text();
    expect(html).toContain("All systems are down");
    expect(html).toContain("Cables &lt;cut&gt; &amp; gone");
    expect(html).not.toContain("Shop is down");
    expect(html).toContain("New prices");
    await p.see(id, "up");
    await p.api.post(`/status-pages/${page.id}/reports/${report.id}/updates`, {
      text: "Mended",
      state: "resolved",
    });
    const after = await (await p.visit(HTML)).text();
    expect(after).toContain("All systems operational");
    expect(after).toContain("(1 min 20 s)");
    expect(after).not.toContain("Current incidents");
  });

  test("is what its operator says while a report is not resolved", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("Shop");
    const page = await p.create(
      "/status-pages",
      minimal({ groups: [{ name: "All", monitors: [{ id }] }] }),
    );
    await p.see(id, "up");
    const report = { title: "No orders", text: "We look into it", impact: "down" };
    const { id: posted } = await p.create(`/status-pages/${page.id}/reports`, report);
    expect(await viewOf(p)).toMatchObject({ state: "partial_outage" });
    await p.api.post(`/status-pages/${page.id}/reports/${posted}/updates`, {
      text: "ok",
      state: "resolved",
    });
    expect(await viewOf(p)).toMatchObject({ state: "operational" });
    p.clock.advanceMs(15 * 86_400_000);
    expect(await viewOf(p)).toMatchObject({ state: "unknown", reports: [] });
  });

  test("tells of paused monitors and of maintenance", async () => {
    await using p = await openStatusPages(open);
    const [shop, mail] = [await p.monitor("Shop"), await p.monitor("Mail")];
    const groups = [{ name: "All", monitors: [{ id: shop }, { id: mail, name: "Post" }] }];
    await p.create("/status-pages", minimal({ groups }));
    await p.see(shop, "up");
    await p.see(mail, "up");
    await p.api.put(`/monitors/${shop}`, { enabled: false });
    const window = {
      name: "New disks",
      monitor_ids: [mail],
      starts_at: "2026-11-15T09:00:00Z",
      ends_at: "2026-11-15T10:00:00Z",
    };
    await p.create("/maintenance", window);
    await p.create("/maintenance", {
      ...window,
      name: "Far away",
      starts_at: "2027-11-15T09:00:00Z",
      ends_at: "2027-11-15T10:00:00Z",
    });
    await p.create("/maintenance", {
      ...window,
      name: "More disks",
      starts_at: "2026-11-16T09:00:00Z",
      ends_at: "2026-11-16T10:00:00Z",
    });
    const view = await viewOf(p);
    expect(view).toMatchObject({
      state: "maintenance",
      groups: [{ monitors: [{ state: "paused" }, { state: "maintenance" }] }],
      maintenance: [
        {
          title: "New disks",
          starts_at: "2026-11-15T09:00:00.000000Z",
          ends_at: "2026-11-15T10:00:00.000000Z",
          active: true,
          monitors: ["Post"],
        },
        { title: "More disks", active: false },
      ],
    });
    expect(view.maintenance).toHaveLength(2);
    const html = await (await p.visit(HTML)).text();
    expect(html).toContain("Maintenance under way");
    expect(html).toContain("Planned maintenance");
  });

  test("shows nothing that its operator did not choose to show", async () => {
    await using p = await openStatusPages(open);
    const id = await p.monitor("secret-name", {
      url: "https://secret-user:secret-password@secret-host.example/secret-path?secret-query",
      tags: ["secret-tag"],
      pipeline: [{ type: "http", headers: { "x-secret-header": "secret-value" } }],
    });
    const groups = [{ name: "All", monitors: [{ id, name: "Website" }] }];
    const page = await p.create("/status-pages", minimal({ show: [], groups }));
    await p.create("/status-pages", { slug: "secret-slug", title: "secret-title" });
    await p.see(id, "down", { message: "secret-message", details: { http: { secret: 1 } } });
    const [incident] = (await p.api.get("/incidents")).body as { readonly id: string }[];
    await p.api.post(`/incidents/${incident?.id}/acknowledge`, { note: "secret-note" });
    await p.create("/maintenance", {
      name: "secret-window",
      all_monitors: true,
      starts_at: "2026-11-16T09:00:00Z",
      ends_at: "2026-11-16T10:00:00Z",
    });
    const badges = ["status", "uptime", "latency"].map(
      (kind) => `/uptime/badges/${id}/${kind}.svg`,
    );
    for (const show of [[], ["bars", "uptime", "latency", "incidents"]]) {
      await p.api.put(`/status-pages/${page.id}`, { show });
      for (const path of [DATA, HTML, FEED, ...badges]) {
        const answer = await p.visit(path);
        const headers = JSON.stringify([...answer.headers]);
        expect(headers + (await answer.text())).not.toMatch(/secret|admin/i);
      }
    }
    await p.api.put(`/status-pages/${page.id}`, { show: [] });
    expect(await viewOf(p)).toMatchObject({
      incidents: null,
      maintenance: null,
      groups: [{ monitors: [{ uptime_percent: null, latency_ms: null, days: null }] }],
    });
  });
});
