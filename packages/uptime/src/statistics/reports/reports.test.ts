import type { SlaReport } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { CheckStatus } from "../../db/tables/results.table.ts";
import { recordResult } from "../../results/record-result.service.ts";
import { anOutcome } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type UptimeApi } from "../../testing.ts";

type ManualClock = ReturnType<typeof manualClock>;

async function create(api: UptimeApi, body: Readonly<Record<string, unknown>>): Promise<string> {
  const all = { url: "https://shop.example.com", interval: 60, ...body };
  const answer = await api.post("/monitors", all);
  expect(answer.status).toBe(201);
  return (answer.body as { readonly id: string }).id;
}

/** One result a minute. */
async function live(
  api: UptimeApi,
  clock: ManualClock,
  { id, seen }: { readonly id: string; readonly seen: readonly CheckStatus[] },
): Promise<void> {
  for (const [index, status] of seen.entries()) {
    const outcome = anOutcome(status, { elapsed_ms: 10 * (index + 1) });
    const finding = { workspaceId: api.workspaceId, monitorId: id, outcome };
    await recordResult(api.ctx, { ...finding, checkedAt: clock.now(), trigger: "schedule" });
    clock.advanceMs(60_000);
  }
}

async function report(api: UptimeApi, query: string): Promise<SlaReport> {
  const answer = await api.get(`/reports/sla?${query}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as SlaReport;
}

describeEachUptimeApi("an SLA report", (open) => {
  test("has uptime, incidents, latencies and the error budget of each monitor", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const id = await create(api, { name: "Shop", tags: ["web", "prod"] });
    await create(api, { name: "Idle" });
    await live(api, clock, {
      id,
      seen: ["up", "up", "down", "down", "up", "degraded", "up", "down", "up", "up"],
    });
    const range = "since=2026-11-15T09:00:00Z&until=2026-11-15T09:20:00Z";
    const { monitors, ...head } = await report(api, `${range}&target=75`);
    expect(head).toEqual({
      from: "2026-11-15T09:00:00.000000Z",
      until: "2026-11-15T09:10:00.000000Z",
      target_percent: 75,
    });
    expect(monitors).toEqual([
      {
        id,
        name: "Shop",
        tags: ["web", "prod"],
        uptime_percent: 70,
        up_seconds: 360,
        degraded_seconds: 60,
        down_seconds: 180,
        maintenance_seconds: 0,
        unknown_seconds: 0,
        checks: 10,
        incidents: 3,
        longest_incident_seconds: 120,
        mean_time_to_repair_seconds: 80,
        p50_ms: expect.any(Number),
        p95_ms: expect.any(Number),
        p99_ms: expect.any(Number),
        target_percent: 75,
        error_budget_seconds: 150,
        error_budget_left_seconds: -30,
        target_met: false,
      },
      expect.objectContaining({
        name: "Idle",
        uptime_percent: null,
        unknown_seconds: 600,
        incidents: 0,
        longest_incident_seconds: null,
        mean_time_to_repair_seconds: null,
        p50_ms: null,
        error_budget_seconds: 0,
        error_budget_left_seconds: 0,
        target_met: null,
      }),
    ]);
    expect((await report(api, `${range}&target=70`)).monitors[0]).toMatchObject({
      error_budget_left_seconds: 0,
      target_met: true,
    });
    expect((await api.get(`/monitors/${id}/stats?${range}`)).body).toMatchObject({
      uptime_percent: 70,
      incidents: 3,
      elapsed_ms: { p50: monitors[0]?.p50_ms, p99: monitors[0]?.p99_ms },
    });
  });

  test("counts of an incident what lies within the range, and repairs that ended within it", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const id = await create(api, { name: "Shop" });
    await live(api, clock, { id, seen: ["up", "down", "down", "down", "up", "down", "down"] });
    const range = "since=2026-11-15T09:02:30Z&until=2026-11-15T09:06:30Z";
    expect((await report(api, range)).monitors[0]).toMatchObject({
      incidents: 2,
      longest_incident_seconds: 90,
      mean_time_to_repair_seconds: 180,
      down_seconds: 180,
      up_seconds: 60,
    });
  });

  test("tells maintenance apart from time in which nothing is known for other reasons", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const id = await create(api, { name: "Shop", tags: ["web"] });
    await create(api, { name: "Other" });
    const windows = [
      { starts_at: "2026-11-15T09:02:00Z", ends_at: "2026-11-15T09:05:00Z", tags: ["web"] },
      { starts_at: "2026-11-15T09:04:00Z", ends_at: "2026-11-15T09:06:00Z", monitor_ids: [id] },
    ];
    for (const window of windows)
      expect(await api.post("/maintenance", { name: "Upgrade", ...window })).toMatchObject({
        status: 201,
      });
    await live(api, clock, { id, seen: ["up", "up", "down", "down", "down", "down", "up", "up"] });
    const range = "since=2026-11-15T08:50:00Z&until=2026-11-15T09:08:00Z";
    const { monitors } = await report(api, range);
    expect(monitors[0]).toMatchObject({
      uptime_percent: 100,
      up_seconds: 240,
      down_seconds: 0,
      maintenance_seconds: 240,
      unknown_seconds: 600,
      incidents: 0,
    });
    expect(monitors[1]).toMatchObject({ maintenance_seconds: 0, unknown_seconds: 1080 });
  });

  test("has all maintenance of a monitor's life, however often it recurs", async () => {
    const clock = manualClock("2026-01-01T00:00:00Z");
    await using api = await open({ clock });
    await create(api, { name: "First" });
    clock.advanceMs(36 * 3_600_000);
    await create(api, { name: "Second" });
    for (const schedule of ["*/5 * * * *", "*/10 * * * *"])
      await api.post("/maintenance", { name: "Often", schedule, duration: 60, all_monitors: true });
    clock.advanceMs(59 * 86_400_000);
    const { monitors } = await report(api, "since=1990-01-01T00:00:00Z");
    expect(monitors).toMatchObject([
      { maintenance_seconds: 60.5 * 288 * 60 },
      { maintenance_seconds: 59 * 288 * 60 },
    ]);
  });

  test("ends what holds where a maintenance begins, before the next result comes", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const id = await create(api, { name: "Shop", interval: 3600 });
    const window = { starts_at: "2026-11-15T09:05:00Z", ends_at: "2026-11-15T10:00:00Z" };
    await api.post("/maintenance", { name: "Upgrade", ...window, monitor_ids: [id] });
    await live(api, clock, { id, seen: ["down"] });
    clock.advanceMs(54 * 60_000);
    const range = "since=2026-11-15T09:00:00Z&until=2026-11-15T09:55:00Z";
    const { monitors } = await report(api, range);
    expect(monitors[0]).toMatchObject({ down_seconds: 300, maintenance_seconds: 3000 });
  });

  test("is a table with headings, where no cell is taken for a formula", async () => {
    const clock = manualClock("2026-11-15T09:00:00Z");
    await using api = await open({ clock });
    const id = await create(api, { name: '=cmd("a", b)', tags: ["web", "prod"] });
    await live(api, clock, { id, seen: ["up", "up"] });
    const answer = await api.get(
      "/reports/sla.csv?since=2026-11-15T09:00:00Z&until=2026-11-15T09:02:00Z",
    );
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": 'attachment; filename="sla-2026-11-15-2026-11-15.csv"',
      },
    });
    const [headings, row, ...rest] = String(answer.body).split("\r\n");
    expect(headings).toBe(
      "name,id,tags,from,until,uptime_percent,up_seconds,degraded_seconds,down_seconds,maintenance_seconds,unknown_seconds,checks,incidents,longest_incident_seconds,mean_time_to_repair_seconds,p50_ms,p95_ms,p99_ms,target_percent,error_budget_seconds,error_budget_left_seconds,target_met",
    );
    expect(row).toMatch(
      new RegExp(
        `^"'=cmd\\(""a"", b\\)",${id},web prod,2026-11-15T09:00:00.000000Z,2026-11-15T09:02:00.000000Z,100,120,0,0,0,0,2,0,,,`,
      ),
    );
    expect(row).toMatch(/,99\.9,0\.12,0\.12,true$/);
    expect(rest).toEqual([""]);
  });

  test("is of the monitors with all the tags, and of all of them however many there are", async () => {
    await using api = await open();
    const monitors = Array.from({ length: 230 }, (_, i) => ({
      name: `Monitor ${i}`,
      url: "https://shop.example.com",
      tags: i % 100 === 0 ? ["web", "prod"] : ["web"],
    }));
    expect(await api.post("/import", { version: 1, monitors })).toMatchObject({ status: 200 });
    const names = async (query: string) =>
      (await report(api, query)).monitors.map(({ name }) => name);
    expect(await names("tag=web")).toEqual(monitors.map(({ name }) => name));
    expect(await names("tag=web&tag=prod")).toEqual(["Monitor 0", "Monitor 100", "Monitor 200"]);
  });

  test.each(["target=101", "target=none", "since=2027-01-01T00:00:00Z", "until=tomorrow"])(
    "is refused with %s",
    async (query) => {
      await using api = await open();
      for (const path of ["/reports/sla", "/reports/sla.csv"])
        expect(await api.get(`${path}?${query}`)).toMatchObject({ status: 422 });
    },
  );

  test("needs credentials", async () => {
    await using api = await open();
    for (const path of ["/reports/sla", "/reports/sla.csv"])
      expect(await api.request("GET", path, { isAnonymous: true })).toMatchObject({ status: 401 });
  });
});
