import type { StatusReport } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

async function openPage(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  const { body } = await api.post("/status-pages", { slug: "shop", title: "The shop" });
  const path = `/status-pages/${(body as { readonly id: string }).id}/reports`;
  return {
    api,
    clock,
    path,
    async report(more: object = {}) {
      clock.advanceMs(1000);
      const answer = await api.post(path, { title: "Slow", text: "We look into it", ...more });
      expect(answer).toMatchObject({ status: 201 });
      return answer.body as StatusReport;
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("reports on a status page", (open) => {
  test("begin with an update, and go on with more until they are resolved", async () => {
    await using p = await openPage(open);
    const report = await p.report({ impact: "degraded" });
    const begun = p.clock.now();
    expect(report).toMatchObject({
      title: "Slow",
      impact: "degraded",
      state: "investigating",
      incident_id: null,
      created_at: begun,
      resolved_at: null,
      updates: [{ state: "investigating", text: "We look into it", created_at: begun }],
    });
    const path = `${p.path}/${report.id}`;
    p.clock.advanceMs(60_000);
    const news = await p.api.post(`${path}/updates`, { text: " Found ", state: "identified" });
    expect(news).toMatchObject({
      status: 201,
      body: { state: "identified", updates: [{ text: "Found" }, { text: "We look into it" }] },
    });
    await p.api.post(`${path}/updates`, { text: "Still at it" });
    p.clock.advanceMs(60_000);
    await p.api.post(`${path}/updates`, { text: "Done", state: "resolved" });
    expect((await p.api.get(path)).body).toMatchObject({
      state: "resolved",
      resolved_at: p.clock.now(),
      updated_at: p.clock.now(),
      updates: [{ state: "resolved" }, { state: "identified" }, {}, { state: "investigating" }],
    });
    const again = await p.api.post(`${path}/updates`, { text: "Not yet", state: "monitoring" });
    expect(again.body).toMatchObject({ state: "monitoring", resolved_at: null });
    const events = await p.api.events();
    expect(events.map(({ event }) => event.split(".").at(-1))).toEqual([
      "Created",
      "ReportPosted",
      "ReportUpdated",
      "ReportUpdated",
      "ReportResolved",
      "ReportUpdated",
    ]);
    expect(events[2]).toMatchObject({
      payload: { report_id: report.id, title: "Slow", state: "identified", text: "Found" },
    });
  });

  test("are listed, the latest first, all or only those that are resolved or not", async () => {
    await using p = await openPage(open);
    const first = await p.report();
    const second = await p.report({ state: "resolved" });
    expect((await p.api.get(p.path)).body).toEqual([second, first]);
    expect((await p.api.get(`${p.path}?resolved=true`)).body).toEqual([second]);
    expect((await p.api.get(`${p.path}?resolved=false`)).body).toEqual([first]);
    expect((await p.api.get(`${p.path}?limit=1&offset=1`)).body).toEqual([first]);
  });

  test("can be mended and deleted", async () => {
    await using p = await openPage(open);
    const report = await p.report();
    const path = `${p.path}/${report.id}`;
    expect((await p.api.patch(path, { title: "Slower", impact: "down" })).body).toMatchObject({
      title: "Slower",
      impact: "down",
    });
    const update = `${path}/updates/${report.updates[0]?.id}`;
    expect((await p.api.patch(update, { text: "We are on it" })).body).toMatchObject({
      updates: [{ id: report.updates[0]?.id, text: "We are on it" }],
    });
    const before = (await p.api.events()).length;
    await p.api.patch(update, { text: "We are on it" });
    expect(await p.api.events()).toHaveLength(before);
    expect((await p.api.delete(path)).status).toBe(204);
    expect((await p.api.get(path)).status).toBe(404);
  });

  test("go with their page", async () => {
    await using p = await openPage(open);
    const { id } = await p.report();
    expect((await p.api.delete(p.path.replace("/reports", ""))).status).toBe(204);
    expect((await p.api.get(p.path)).status).toBe(404);
    expect((await p.api.get(`${p.path}/${id}`)).status).toBe(404);
  });

  test("are bounded and about what there is", async () => {
    await using p = await openPage(open);
    const { id } = await p.report();
    for (const body of [
      {},
      { title: "a", text: "  " },
      { title: "a", text: "a", state: "over" },
      { title: "a", text: "a", incident_id: UNKNOWN_ID },
      { title: "a", text: "a".repeat(5001) },
    ])
      expect((await p.api.post(p.path, body)).status).toBe(422);
    const updates = `${p.path}/${id}/updates`;
    for (let count = 1; count < 100; count += 1) await p.api.post(updates, { text: "a" });
    expect((await p.api.post(updates, { text: "a" })).status).toBe(409);
    expect((await p.api.patch(`${updates}/${UNKNOWN_ID}`, { text: "a" })).status).toBe(404);
    for (const path of [
      `${p.path}/${UNKNOWN_ID}/updates`,
      `/status-pages/${UNKNOWN_ID}/reports/${id}/updates`,
    ])
      expect((await p.api.post(path, { text: "a" })).status).toBe(404);
  });
});
