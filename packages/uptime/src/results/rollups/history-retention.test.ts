import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { ROLLUP_SIZES } from "../../db/tables/rollups.table.ts";
import { anOutcome } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi, type UptimeApi } from "../../testing.ts";
import { recordResult } from "../record-result.service.ts";
import { insertVersions } from "../versions/versions.store.ts";
import { deleteOldHistory } from "./history-retention.loop.ts";
import { listRollups } from "./rollups.store.ts";
import { findTrack, listSpans } from "./tracks.store.ts";

const DAY_MS = 86_400_000;
const ALWAYS = { from: "2000-01-01T00:00:00.000000Z", until: "2100-01-01T00:00:00.000000Z" };
const { signal } = new AbortController();

async function openHistory(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  const { body } = await api.post("/monitors", { name: "shop", url: "shop.example.com" });
  const { id } = body as { readonly id: string };
  const see = async (status: "up" | "down"): Promise<void> => {
    const finding = { workspaceId: api.workspaceId, monitorId: id, checkedAt: clock.now() };
    await recordResult(api.ctx, { ...finding, outcome: anOutcome(status), trigger: "schedule" });
    clock.advanceMs(60_000);
  };
  return { api, id, clock, see, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

async function kept(api: UptimeApi, monitor_id: string) {
  const queries = api.ctx.db.in(api.workspaceId);
  const counts = await Promise.all(
    ROLLUP_SIZES.map(async (size) => {
      const rows = await listRollups(queries, { monitor_id, size, ...ALWAYS });
      return [size, rows.length] as const;
    }),
  );
  const { count: results = 0 } =
    (await queries.select<{ count: number }>({
      sql: `select count(*) as count from check_results where monitor_id = ${api.ctx.db.dialect.parameter(1)}`,
      values: [monitor_id],
    })) ?? {};
  const spans = (await listSpans(queries, { monitor_id, ...ALWAYS })).length;
  return { ...Object.fromEntries(counts), results, spans };
}

describeEachUptimeApi("the history of monitors", (open) => {
  test("is thinned out with age: single results, minutes, hours, days", async () => {
    await using h = await openHistory(open);
    await h.see("down");
    await h.see("up");
    await h.see("down");
    // The last minute goes into the rollups with the first result of another.
    expect(await kept(h.api, h.id)).toEqual({ minute: 2, hour: 1, day: 1, results: 3, spans: 2 });
    const ages: [number, object][] = [
      [6, { minute: 2, hour: 1, day: 1, results: 3, spans: 2 }],
      [2, { minute: 0, hour: 1, day: 1, results: 3, spans: 2 }],
      [23, { minute: 0, hour: 1, day: 1, results: 0, spans: 2 }],
      [366, { minute: 0, hour: 0, day: 1, results: 0, spans: 0 }],
      [1431, { minute: 0, hour: 0, day: 0, results: 0, spans: 0 }],
    ];
    for (const [days, expected] of ages) {
      h.clock.advanceMs(days * DAY_MS);
      await deleteOldHistory(h.api.ctx, signal);
      expect(await kept(h.api, h.id)).toEqual(expected);
    }
    expect((await h.api.get(`/monitors/${h.id}/incidents`)).body).toEqual([]);
  });

  test("goes in small batches until nothing old is left", async () => {
    await using h = await openHistory(open);
    for (let i = 0; i < 520; i += 1) await h.see("up");
    h.clock.advanceMs(31 * DAY_MS);
    await h.see("up");
    await h.see("up");
    expect(await deleteOldHistory(h.api.ctx, signal)).toBeGreaterThan(520);
    expect(await kept(h.api, h.id)).toMatchObject({ results: 2, minute: 1 });
  });

  test("goes with a monitor that is deleted", async () => {
    await using h = await openHistory(open);
    await h.see("up");
    await h.see("down");
    await h.api.delete(`/monitors/${h.id}`);
    await deleteOldHistory(h.api.ctx, signal);
    expect(await kept(h.api, h.id)).toEqual({ minute: 0, hour: 0, day: 0, results: 0, spans: 0 });
    expect((await h.api.get("/incidents")).body).toEqual([]);
    expect(await findTrack(h.api.ctx.db.in(h.api.workspaceId), h.id)).toBeNull();
  });

  test("of others stays", async () => {
    await using h = await openHistory(open);
    await h.see("up");
    const before = await kept(h.api, h.id);
    expect(await deleteOldHistory(h.api.ctx, signal)).toBe(0);
    expect(await kept(h.api, h.id)).toEqual(before);
  });

  test("keeps the newest thousand versions of an instance", async () => {
    await using h = await openHistory(open);
    await h.see("up");
    const rows = Array.from({ length: 1003 }, (_, n) => ({
      monitor_id: h.id,
      check_name: "instance",
      since: new Date(Date.UTC(2026, 10, 1) + n * 1000).toISOString().replace("Z", "000Z"),
      version: String(n),
      revision: "",
      build_time: "",
    }));
    await h.api.ctx.db.write(h.api.workspaceId, (tx) => insertVersions(tx, rows));
    await deleteOldHistory(h.api.ctx, signal);
    const left = await h.api.ctx.db.exclusively((session) =>
      session.rows<{ version: string }>("select version from instance_versions order by since"),
    );
    expect([left.length, left[0]?.version, left.at(-1)?.version]).toEqual([1000, "3", "1002"]);
  });
});
