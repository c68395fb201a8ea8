import type { MaintenanceWindow } from "@orchestrator/contract";
import { parseMicros } from "@orchestrator/kernel/pure";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";
import { activeWindows, plannedWindows } from "./maintenance.service.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const HOUR_MS = 3_600_000;
const ONCE = {
  name: "move",
  all_monitors: true,
  starts_at: "2026-11-15T10:00:00Z",
  ends_at: "2026-11-15T11:00:00Z",
};
const NIGHTLY = { name: "backup", tags: ["db"], schedule: "30 2 * * *", duration: 3600 };

async function openWindows(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  return {
    api,
    clock,
    async plan(body: Readonly<Record<string, unknown>>) {
      const answer = await api.post("/maintenance", body);
      expect(answer.status).toBe(201);
      return answer.body as MaintenanceWindow;
    },
    async monitor(more: Readonly<Record<string, unknown>> = {}) {
      const body = { name: "shop", url: "shop.example.com", ...more };
      return ((await api.post("/monitors", body)).body as { readonly id: string }).id;
    },
    async names(query = "") {
      const { body } = await api.get(`/maintenance${query}`);
      return (body as MaintenanceWindow[]).map(({ name }) => name);
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("maintenance windows", (open) => {
  test("can come once, and tell when", async () => {
    await using w = await openWindows(open);
    const answer = await w.api.post("/maintenance", { ...ONCE, description: "To another rack" });
    const window = answer.body as MaintenanceWindow;
    expect(answer.headers["location"]).toBe(`/uptime/api/maintenance/${window.id}`);
    const period = { start: "2026-11-15T10:00:00.000000Z", end: "2026-11-15T11:00:00.000000Z" };
    expect(window).toEqual({
      id: expect.any(String),
      name: "move",
      description: "To another rack",
      monitor_ids: [],
      tags: [],
      all_monitors: true,
      starts_at: period.start,
      ends_at: period.end,
      schedule: null,
      timezone: "UTC",
      duration: null,
      enabled: true,
      created_at: "2026-11-15T09:00:00.000000Z",
      updated_at: "2026-11-15T09:00:00.000000Z",
      active: false,
      current: null,
      next: period,
    });
    w.clock.advanceMs(1.5 * HOUR_MS);
    expect((await w.api.get(`/maintenance/${window.id}`)).body).toMatchObject({
      active: true,
      current: period,
      next: null,
    });
  });

  test("can recur in a time zone", async () => {
    await using w = await openWindows(open);
    const window = await w.plan({ ...NIGHTLY, timezone: "Asia/Tokyo" });
    expect(window).toMatchObject({
      active: false,
      next: { start: "2026-11-15T17:30:00.000000Z", end: "2026-11-15T18:30:00.000000Z" },
    });
  });

  test.each([
    ["no target", { all_monitors: null }, "monitor_ids"],
    ["no times", { starts_at: null, ends_at: null }, "starts_at"],
    ["no end", { ends_at: null }, "ends_at"],
    ["an end before the beginning", { ends_at: "2026-11-15T09:59:00Z" }, "ends_at"],
    ["too long a time", { ends_at: "2028-11-15T09:59:00Z" }, "ends_at"],
    ["both kinds of times", { schedule: "0 0 * * *", duration: 60 }, "starts_at"],
    ["an unknown monitor", { monitor_ids: [UNKNOWN_ID] }, "monitor_ids"],
    ["an unknown zone", { timezone: "Mars/Base" }, "timezone"],
    ["a name of spaces", { name: "  " }, "name"],
    ["a tag that is too long", { tags: ["t".repeat(51)] }, "tags"],
    ["an unknown field", { monitors: [] }, "monitors"],
  ])("are refused with %s", async (_what, more, field) => {
    await using w = await openWindows(open);
    const { status, body } = await w.api.post("/maintenance", { ...ONCE, ...more });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(`"${field}"`);
  });

  test.each([
    ["a schedule that is none", { schedule: "61 * * * *" }, "schedule"],
    ["a day that never comes", { schedule: "0 0 30 2 *" }, "schedule"],
    ["no schedule", { schedule: null }, "schedule"],
    ["no duration", { duration: null }, "duration"],
    ["a duration beyond the next time", { duration: 2 * 86_400 }, "duration"],
    ["too short a duration", { duration: 59 }, "duration"],
  ])("that recur are refused with %s", async (_what, more, field) => {
    await using w = await openWindows(open);
    const { status, body } = await w.api.post("/maintenance", { ...NIGHTLY, ...more });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(`"${field}"`);
  });

  test("are listed, also by monitor and by whether they take place", async () => {
    await using w = await openWindows(open);
    const shop = await w.monitor({ tags: ["db"] });
    const blog = await w.monitor();
    await w.plan(ONCE);
    await w.plan(NIGHTLY);
    await w.plan({ ...NIGHTLY, name: "blog", tags: [], monitor_ids: [blog] });
    w.clock.advanceMs(1.5 * HOUR_MS);
    expect(await w.names()).toEqual(["move", "backup", "blog"]);
    expect(await w.names("?active=true")).toEqual(["move"]);
    expect(await w.names("?active=false")).toEqual(["backup", "blog"]);
    expect(await w.names(`?monitor_id=${shop}`)).toEqual(["move", "backup"]);
    expect(await w.names(`?monitor_id=${blog}`)).toEqual(["move", "blog"]);
    expect(await w.names(`?monitor_id=${UNKNOWN_ID}`)).toEqual([]);
    expect(await w.names("?limit=1&offset=1")).toEqual(["backup"]);
  });

  test("can be changed in part, and from once to again and again", async () => {
    await using w = await openWindows(open);
    const { id } = await w.plan(ONCE);
    w.clock.advanceMs(1000);
    const path = `/maintenance/${id}`;
    const renamed = await w.api.patch(path, { name: " move on ", all_monitors: null });
    expect(renamed.body).toMatchObject({
      name: "move on",
      all_monitors: true,
      updated_at: "2026-11-15T09:00:01.000000Z",
    });
    // What was read can be sent back.
    expect((await w.api.put(path, renamed.body)).body).toEqual(renamed.body);
    const recurring = await w.api.put(path, { schedule: "@daily", duration: 600 });
    expect(recurring.body).toMatchObject({
      schedule: "@daily",
      duration: 600,
      starts_at: null,
      ends_at: null,
    });
    expect((await w.api.put(path, { enabled: false })).body).toMatchObject({ next: null });
    expect((await w.api.put(path, { all_monitors: false })).status).toBe(422);
    expect((await w.api.put(path, { duration: null })).status).toBe(422);
  });

  test("can be deleted, and are not found then", async () => {
    await using w = await openWindows(open);
    const { id } = await w.plan(ONCE);
    expect((await w.api.delete(`/maintenance/${id}`)).status).toBe(204);
    for (const missing of [id, UNKNOWN_ID, "no-id"]) {
      expect((await w.api.get(`/maintenance/${missing}`)).status).toBe(404);
      expect((await w.api.put(`/maintenance/${missing}`, { name: "x" })).status).toBe(404);
      expect((await w.api.post(`/maintenance/${missing}/finish`)).status).toBe(404);
      expect((await w.api.delete(`/maintenance/${missing}`)).status).toBe(404);
    }
  });

  test("can be finished early; those that recur come again", async () => {
    await using w = await openWindows(open);
    const once = await w.plan(ONCE);
    const daily = await w.plan({ ...NIGHTLY, schedule: "0 10 * * *" });
    expect((await w.api.post(`/maintenance/${once.id}/finish`)).status).toBe(409);
    w.clock.advanceMs(1.5 * HOUR_MS);
    expect((await w.api.post(`/maintenance/${once.id}/finish`)).body).toMatchObject({
      active: false,
      ends_at: "2026-11-15T10:30:00.000000Z",
      next: null,
    });
    expect((await w.api.post(`/maintenance/${daily.id}/finish`)).body).toMatchObject({
      active: false,
      next: { start: "2026-11-16T10:00:00.000000Z", end: "2026-11-16T11:00:00.000000Z" },
    });
    expect((await w.api.post(`/maintenance/${daily.id}/finish`)).status).toBe(409);
    w.clock.advanceMs(24 * HOUR_MS);
    expect((await w.api.get(`/maintenance/${daily.id}`)).body).toMatchObject({ active: true });
  });

  test("forget a monitor that is deleted", async () => {
    await using w = await openWindows(open);
    const [shop, blog] = [await w.monitor(), await w.monitor()];
    const { id } = await w.plan({ ...ONCE, all_monitors: false, monitor_ids: [shop, blog, shop] });
    await w.api.delete(`/monitors/${shop}`);
    expect((await w.api.get(`/maintenance/${id}`)).body).toMatchObject({ monitor_ids: [blog] });
  });

  test("are told to whoever shows them: at present and within a time", async () => {
    await using w = await openWindows(open);
    const shop = await w.monitor();
    await w.plan(NIGHTLY);
    await w.plan(ONCE);
    const { ctx, workspaceId } = w.api;
    const at = parseMicros("2026-11-15T10:30:00.000000Z");
    const [active, ...others] = await activeWindows(ctx, workspaceId, at);
    expect(active).toMatchObject({
      window: { name: "move" },
      start: at - 1800e6,
      end: at + 1800e6,
    });
    expect(active?.isFor({ id: shop, tags: "[]" })).toBe(true);
    expect(others).toEqual([]);
    const planned = await plannedWindows(ctx, workspaceId, { from: at, until: at + 86_400e6 });
    expect(planned.map(({ window }) => window.name)).toEqual(["move", "backup"]);
  });
});
