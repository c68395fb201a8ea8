import type { MonitorStats } from "@orchestrator/contract";
import { formatMicros } from "@orchestrator/kernel/pure";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { PipelineOutcome } from "../checks/run-pipeline.ts";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";
import { recordResult, recordResults } from "./record-result.service.ts";
import { findLatestResult } from "./results.store.ts";
import { openMinuteOf } from "./rollups/open-minute.rules.ts";
import { findTrack } from "./rollups/tracks.store.ts";

async function openMonitor(open: OpenUptimeApi, more: Readonly<Record<string, unknown>> = {}) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  const monitor = { name: "shop", url: "https://shop.example.com", tags: ["eu", "web"], ...more };
  const { body } = await api.post("/monitors", monitor);
  const { id } = body as { readonly id: string };
  const { workspaceId } = api;
  return {
    api,
    id,
    clock,
    /** A result, a minute after the one before. */
    async see(
      this: void,
      status: PipelineOutcome["status"],
      outcome: Partial<PipelineOutcome> = {},
    ) {
      clock.advanceMs(60_000);
      return recordResult(api.ctx, {
        workspaceId,
        monitorId: id,
        outcome: anOutcome(status, outcome),
        checkedAt: clock.now(),
        trigger: "schedule",
      });
    },
    async told() {
      const events = await api.events();
      return events.filter(({ event }) => /\.(Up|Down|Degraded|certificate-expiring)$/.test(event));
    },
    async incidents() {
      return (await api.get(`/monitors/${id}/incidents`)).body as Readonly<
        Record<string, unknown>
      >[];
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("a result", (open) => {
  test("is told of when it changes the confirmed status, with all that automations need", async () => {
    await using m = await openMonitor(open);
    await m.see("up");
    expect(await m.told()).toEqual([]);
    const down = await m.see("down", { message: "http: refused", elapsed_ms: 3.25 });
    await m.see("down");
    const [incident] = await m.incidents();
    expect(await m.told()).toEqual([
      expect.objectContaining({
        event: "orchestrator.monitor.Down",
        resource: {
          "orchestrator.resource.id": `orchestrator.monitor.${m.id}`,
          "orchestrator.resource.name": "shop",
          "orchestrator.monitor.url": expect.stringContaining("https://shop.example.com"),
        },
        related: ["eu", "web"].map((tag) =>
          expect.objectContaining({ "orchestrator.resource.id": `orchestrator.tag.${tag}` }),
        ),
        payload: {
          previous_status: "up",
          status: "down",
          message: "http: refused",
          elapsed_ms: 3.25,
          result_id: down?.id,
          incident_id: incident?.["id"],
        },
      }),
    ]);
    await m.see("degraded");
    await m.see("up");
    expect((await m.told()).map(({ event }) => event.split(".").at(-1))).toEqual([
      "Down",
      "Degraded",
      "Up",
    ]);
  });

  test("opens an incident when enough have confirmed it, from the first of them on", async () => {
    await using m = await openMonitor(open, { confirm_down: 3, confirm_up: 2 });
    await m.see("up");
    const first = await m.see("down", { message: "http: first" });
    await m.see("down");
    expect(await m.incidents()).toEqual([]);
    expect(await m.told()).toEqual([]);
    await m.see("down", { message: "http: third" });
    expect(await m.incidents()).toEqual([
      {
        id: expect.any(String),
        monitor_id: m.id,
        status: "down",
        cause: "http: third",
        started_at: first?.checked_at,
        ended_at: null,
        duration_seconds: null,
        ended_by: null,
        caused_by: null,
        acknowledged_at: null,
        acknowledged_by: null,
        note: null,
      },
    ]);
    const back = await m.see("up");
    expect(await m.incidents()).toMatchObject([{ ended_at: null }]);
    await m.see("up");
    expect(await m.incidents()).toMatchObject([
      { ended_at: back?.checked_at, duration_seconds: 180, ended_by: "recovered" },
    ]);
    expect((await m.told()).map(({ payload }) => payload["status"])).toEqual(["down", "up"]);
  });

  test("counts also after the clock was set back", async () => {
    await using m = await openMonitor(open);
    const { api, id: monitorId, clock } = m;
    const ahead = formatMicros(clock.nowMicros() + 86_400_000_000);
    const finding = { workspaceId: api.workspaceId, monitorId, trigger: "schedule" } as const;
    await recordResult(api.ctx, { ...finding, outcome: anOutcome("up"), checkedAt: ahead });
    await m.see("down");
    expect((await m.told()).map(({ event }) => event)).toEqual(["orchestrator.monitor.Down"]);
    expect((await api.get(`/monitors/${monitorId}`)).body).toMatchObject({
      last_status: "down",
      last_check: clock.now(),
    });
  });

  test("is the latest once a clock that was ahead is put right, and what is of the future is told when asked for", async () => {
    await using m = await openMonitor(open);
    const { api, id, clock } = m;
    clock.advanceMs(7_200_000);
    await m.see("up");
    const until = clock.now();
    clock.advanceMs(-7_200_000);
    await m.see("down");
    const latest = { status: "down", checked_at: clock.now() };
    const path = `/monitors/${id}/results`;
    expect((await api.get(`${path}?limit=1`)).body).toMatchObject([latest]);
    expect(await findLatestResult(api.ctx.db.in(api.workspaceId), id)).toMatchObject(latest);
    expect((await api.get("/monitors/overview")).body).toMatchObject({
      monitors: [{ results: [latest] }],
    });
    expect((await api.get(`${path}?until=${until}&limit=1`)).body).toMatchObject([
      { status: "up", checked_at: until },
    ]);
  });

  test("counts no time twice once a clock that was ahead is put right", async () => {
    await using m = await openMonitor(open);
    const { api, id, clock, see } = m;
    for (let i = 0; i < 5; i += 1) await see("down");
    clock.advanceMs(600_000);
    for (let i = 0; i < 10; i += 1) await see("down");
    clock.advanceMs(-600_000);
    for (let i = 0; i < 40; i += 1) await see("down");
    // From 9:01 for as long as 9:05 was valid, and from 9:16 to 9:55, which was 9:25 before it was
    // 9:16 again.
    const seconds = (6 + 39) * 60;
    for (const step of ["minute", "hour", "day"]) {
      const { body } = await api.get(`/monitors/${id}/stats?step=${step}`);
      const { down_seconds, series } = body as MonitorStats;
      expect(down_seconds).toBe(seconds);
      expect(series.reduce((sum, point) => sum + point.down_seconds, 0)).toBe(seconds);
    }
  });

  test("goes on with the present minute once a clock that was ahead is put right", async () => {
    await using m = await openMonitor(open);
    const { api, id, clock, see } = m;
    clock.advanceMs(86_400_000);
    await see("up");
    clock.advanceMs(-86_400_000);
    await see("up");
    const track = await findTrack(api.ctx.db.in(api.workspaceId), id);
    expect(openMinuteOf(track)).toMatchObject({ start: clock.now(), up_count: 1 });
  });

  test("ends no incident before its beginning when a clock that was ahead is put right", async () => {
    await using m = await openMonitor(open);
    const { clock, see } = m;
    await see("up");
    clock.advanceMs(86_400_000);
    await see("down");
    clock.advanceMs(-86_400_000);
    await see("down");
    await see("up");
    const [incident] = await m.incidents();
    expect(incident).toMatchObject({ ended_by: "recovered", duration_seconds: 0 });
    expect(incident?.["started_at"]).toBe(incident?.["ended_at"]);
  });

  test("of another kind stays within the incident, which keeps the worst", async () => {
    await using m = await openMonitor(open);
    await m.see("up");
    await m.see("degraded");
    await m.see("down");
    await m.see("degraded");
    expect(await m.incidents()).toMatchObject([{ status: "down", ended_at: null }]);
    await m.see("up");
    await m.see("down");
    expect(await m.incidents()).toHaveLength(2);
    expect(await m.incidents()).toMatchObject([{ ended_at: null }, { duration_seconds: 180 }]);
  });

  test("shows in the monitor, and one that comes late does not", async () => {
    await using m = await openMonitor(open);
    const { api, id, clock } = m;
    const early = clock.now();
    const result = await m.see("up");
    const finding = { workspaceId: api.workspaceId, monitorId: id, trigger: "manual" } as const;
    await recordResult(api.ctx, { ...finding, outcome: anOutcome("down"), checkedAt: early });
    expect((await api.get(`/monitors/${id}`)).body).toMatchObject({
      last_check: result?.checked_at,
      last_status: "up",
    });
    expect((await api.get(`/monitors/${id}/results`)).body).toMatchObject([
      { status: "up" },
      { status: "down", checked_at: early },
    ]);
    expect(await m.told()).toEqual([]);
  });

  test("that is inconclusive is kept and changes nothing", async () => {
    await using m = await openMonitor(open);
    await m.see("up");
    await m.see("down", { inconclusive: true });
    expect((await m.api.get(`/monitors/${m.id}`)).body).toMatchObject({ last_status: "up" });
    expect((await m.api.get(`/monitors/${m.id}/results`)).body).toMatchObject([
      { status: "down", inconclusive: true },
      { status: "up", inconclusive: false },
    ]);
    expect(await m.told()).toEqual([]);
    expect(await m.incidents()).toEqual([]);
  });

  test("of a paused monitor is told to nobody else", async () => {
    await using m = await openMonitor(open, { enabled: false });
    await m.see("up");
    await m.see("down");
    expect((await m.api.get(`/monitors/${m.id}`)).body).toMatchObject({ last_status: "down" });
    expect(await m.told()).toEqual([]);
  });

  test("of a monitor that is paused while it is down ends its incident, and begins another afterwards", async () => {
    await using m = await openMonitor(open);
    await m.see("up");
    await m.see("down");
    m.clock.advanceMs(60_000);
    const paused = m.clock.now();
    await m.api.patch(`/monitors/${m.id}`, { enabled: false });
    expect(await m.incidents()).toMatchObject([{ ended_at: paused, ended_by: "paused" }]);
    await m.api.patch(`/monitors/${m.id}`, { enabled: true });
    const still = await m.see("down");
    expect(await m.incidents()).toMatchObject([
      { started_at: still?.checked_at, ended_at: null },
      { ended_by: "paused" },
    ]);
    await m.see("up");
    expect(await m.incidents()).toMatchObject([{ ended_by: "recovered" }, { ended_by: "paused" }]);
    expect((await m.told()).map(({ payload }) => payload["status"])).toEqual([
      "down",
      "down",
      "up",
    ]);
  });

  test("from before a pause confirms none after it", async () => {
    await using m = await openMonitor(open, { confirm_down: 2 });
    await m.see("up");
    await m.see("down");
    await m.api.patch(`/monitors/${m.id}`, { enabled: false });
    await m.api.patch(`/monitors/${m.id}`, { enabled: true });
    const first = await m.see("down");
    expect(await m.told()).toEqual([]);
    await m.see("down");
    expect(await m.incidents()).toMatchObject([{ started_at: first?.checked_at }]);
  });

  test("that is up after a pause ends what was told before it", async () => {
    await using m = await openMonitor(open);
    await m.see("up");
    await m.see("down");
    await m.api.patch(`/monitors/${m.id}`, { enabled: false });
    await m.api.patch(`/monitors/${m.id}`, { enabled: true });
    await m.see("up");
    expect((await m.told()).map(({ payload }) => payload["status"])).toEqual(["down", "up"]);
    expect(await m.incidents()).toMatchObject([{ ended_by: "paused" }]);
  });

  test("warns once of a certificate that ends soon", async () => {
    await using m = await openMonitor(open);
    await m.see("up", { certificate_ends: "2027-03-01T00:00:00.000000Z" });
    expect(await m.told()).toEqual([]);
    const soon = "2026-11-20T00:00:00.000000Z";
    const result = await m.see("up", { certificate_ends: soon });
    await m.see("up", { certificate_ends: soon });
    expect(await m.told()).toMatchObject([
      {
        event: "orchestrator.monitor.certificate-expiring",
        payload: { certificate_ends: soon, days_left: 4, result_id: result?.id },
      },
    ]);
    // Two servers behind one address take turns.
    for (const ends of ["2026-11-21T00:00:00.000000Z", soon, "2026-11-21T00:00:00.000000Z", soon])
      await m.see("up", { certificate_ends: ends });
    expect(await m.told()).toHaveLength(2);
  });

  test("warns of the certificate of another target, also when it ends earlier", async () => {
    await using m = await openMonitor(open);
    await m.see("up", { certificate_ends: "2026-11-20T00:00:00.000000Z" });
    const earlier = { certificate_ends: "2026-11-18T00:00:00.000000Z" };
    await m.api.patch(`/monitors/${m.id}`, { url: "https://shop.example.com/other-page" });
    await m.see("up", earlier);
    expect(await m.told()).toHaveLength(1);
    await m.api.patch(`/monitors/${m.id}`, { url: "https://store.example.com" });
    await m.see("up", earlier);
    expect(await m.told()).toMatchObject([{}, { payload: earlier }]);
  });

  test("that is written again, because nobody knows what became of it, counts once", async () => {
    await using m = await openMonitor(open, { confirm_down: 2 });
    await m.see("up");
    const { api, id: monitorId, clock } = m;
    const { workspaceId, ctx } = api;
    const seen = { workspaceId, monitorId, checkedAt: clock.now(), trigger: "schedule" } as const;
    const lost = { id: ctx.ids.uuid7(), ...seen, outcome: anOutcome("down") };
    const other = { id: ctx.ids.uuid7(), ...seen, outcome: anOutcome("degraded") };
    const [first] = await recordResults(ctx, { workspaceId, findings: [lost] });
    const again = { workspaceId, findings: [lost, other], isRepeated: true };
    expect(await recordResults(ctx, again)).toEqual([first, expect.anything()]);
    expect((await api.get(`/monitors/${monitorId}/results`)).body).toHaveLength(3);
    await recordResults(ctx, { ...again, findings: [lost] });
    expect((await api.get(`/monitors/${monitorId}/results`)).body).toHaveLength(3);
  });

  test("of a monitor that is gone is not kept", async () => {
    await using m = await openMonitor(open);
    await m.api.delete(`/monitors/${m.id}`);
    expect(await m.see("up")).toBeNull();
  });

  test("may hold texts that no database takes", async () => {
    await using m = await openMonitor(open);
    await m.see("down", {
      message: "http: \0 and \ud800",
      details: { http: { error: "\0 \ud800" } },
    });
    const { status, body } = await m.api.get(`/monitors/${m.id}/results`);
    expect(status).toBe(200);
    expect(body).toMatchObject([{ message: "http: \ufffd and \ufffd" }]);
  });
});
