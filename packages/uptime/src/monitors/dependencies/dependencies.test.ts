import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { PipelineOutcome } from "../../checks/run-pipeline.ts";
import { recordResults } from "../../results/record-result.service.ts";
import { anOutcome } from "../../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

type Status = PipelineOutcome["status"];

async function openFamily(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  const names = new Map<string, string>();
  const family = {
    api,
    clock,
    async monitor(name: string, parents: readonly string[] = [], more: object = {}) {
      const body = { name, url: `${name}.example.com`, parents, ...more };
      const answer = await api.post("/monitors", body);
      expect(answer.status).toBe(201);
      const { id } = answer.body as { readonly id: string };
      names.set(id, name);
      return id;
    },
    /**
     * What is seen of several monitors, a minute after what was seen before, in one transaction.
     */
    async seeAll(...seen: readonly (readonly [id: string, status: Status])[]) {
      clock.advanceMs(60_000);
      const { workspaceId } = api;
      const findings = seen.map(([monitorId, status]) => ({
        id: api.ctx.ids.uuid7(),
        workspaceId,
        monitorId,
        outcome: anOutcome(status),
        checkedAt: clock.now(),
        trigger: "schedule" as const,
      }));
      await recordResults(api.ctx, { workspaceId, findings });
    },
    see: (id: string, status: Status) => family.seeAll([id, status]),
    async told() {
      const events = await api.events();
      return events.flatMap(({ event, resource }) => {
        const [, verb] = /\.monitor\.(Up|Down|Degraded)$/.exec(event) ?? [];
        const id = resource["orchestrator.resource.id"]?.split(".").at(-1) ?? "";
        return verb === undefined ? [] : [`${names.get(id)} ${verb}`];
      });
    },
    async parentsOf(id: string) {
      return ((await api.get(`/monitors/${id}`)).body as { readonly parents: string[] }).parents;
    },
    async incidents(id: string) {
      return (await api.get(`/monitors/${id}/incidents`)).body as Readonly<
        Record<string, unknown>
      >[];
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
  return family;
}

describeEachUptimeApi("parents of a monitor", (open) => {
  test("are kept, listed, changed and taken away", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router");
    const power = await f.monitor("power");
    const shop = await f.monitor("shop", [router, power, router]);
    expect(await f.parentsOf(shop)).toEqual([router, power].sort());
    const listed = (await f.api.get("/monitors?q=shop")).body;
    expect(listed).toMatchObject([{ parents: [router, power].sort() }]);
    await f.api.put(`/monitors/${shop}`, { parents: [power] });
    expect(await f.parentsOf(shop)).toEqual([power]);
    await f.api.put(`/monitors/${shop}`, { parents: null, name: "shop" });
    expect(await f.parentsOf(shop)).toEqual([power]);
    await f.api.put(`/monitors/${shop}`, { parents: [power] });
    await f.api.put(`/monitors/${shop}`, { parents: [] });
    expect(await f.parentsOf(shop)).toEqual([]);
    const updates = (await f.api.events()).filter(({ event }) => event.endsWith("Updated"));
    expect(updates.map(({ payload }) => payload["changed"])).toEqual([["parents"], ["parents"]]);
  });

  test("are refused where a monitor would depend on itself", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router");
    const wire = await f.monitor("wire", [router]);
    const shop = await f.monitor("shop", [wire]);
    for (const parents of [[router], [wire], [shop]]) {
      const { status, body } = await f.api.put(`/monitors/${router}`, { parents });
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain('"parents"');
    }
    expect(await f.parentsOf(router)).toEqual([]);
    expect((await f.api.get(`/monitors/${router}`)).body).toMatchObject({
      updated_at: "2026-11-15T09:00:00.000000Z",
    });
  });

  test("are refused where two changes would make a circle together", async () => {
    await using f = await openFamily(open);
    const [a, b, c, d] = [
      await f.monitor("a"),
      await f.monitor("b"),
      await f.monitor("c"),
      await f.monitor("d"),
    ];
    const answers = await Promise.all(
      [
        [a, b],
        [b, c],
        [c, d],
        [d, a],
      ].map(([id, parent]) => f.api.put(`/monitors/${id}`, { parents: [parent] })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 422]);
  });

  test("are refused where there is no such monitor, or too many", async () => {
    await using f = await openFamily(open);
    const body = { name: "shop", url: "shop.example.com" };
    expect((await f.api.post("/monitors", { ...body, parents: [UNKNOWN_ID] })).status).toBe(422);
    const many = Array.from({ length: 21 }, () => UNKNOWN_ID);
    expect((await f.api.post("/monitors", { ...body, parents: many })).status).toBe(422);
    expect((await f.api.get("/monitors")).body).toEqual([]);
  });

  test("that are deleted are parents no more", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router");
    const shop = await f.monitor("shop", [router]);
    await f.api.delete(`/monitors/${router}`);
    expect(await f.parentsOf(shop)).toEqual([]);
  });
});

describeEachUptimeApi("a monitor whose parent is down", (open) => {
  test("goes on with its incident, and has its failure told to nobody", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router");
    const shop = await f.monitor("shop", [router]);
    await f.seeAll([router, "up"], [shop, "up"]);
    await f.see(router, "down");
    await f.see(shop, "down");
    expect(await f.told()).toEqual(["router Down"]);
    expect(await f.incidents(shop)).toMatchObject([
      {
        ended_at: null,
        caused_by: router,
        cause: "http: down (caused by parent router)",
      },
    ]);
    // Nothing that was not told is ended by an event.
    await f.see(shop, "up");
    expect(await f.incidents(shop)).toMatchObject([{ ended_by: "recovered" }]);
    await f.see(router, "up");
    expect(await f.told()).toEqual(["router Down", "router Up"]);
  });

  test("has its failure told late if it lasts longer than that of the parent", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router", [], { confirm_up: 2 });
    const shop = await f.monitor("shop", [router]);
    await f.seeAll([router, "up"], [shop, "up"]);
    await f.see(router, "down");
    await f.see(shop, "down");
    await f.seeAll([router, "up"], [shop, "down"]);
    expect(await f.told()).toEqual(["router Down"]);
    await f.seeAll([router, "up"], [shop, "down"]);
    expect(await f.told()).toEqual(["router Down", "router Up", "shop Down"]);
    await f.see(shop, "down");
    await f.see(shop, "up");
    expect(await f.told()).toEqual(["router Down", "router Up", "shop Down", "shop Up"]);
    expect(await f.incidents(shop)).toHaveLength(1);
  });

  test("is silenced by parents of parents, in one transaction too", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router");
    const wire = await f.monitor("wire", [router]);
    const shop = await f.monitor("shop", [wire]);
    await f.seeAll([router, "up"], [wire, "up"], [shop, "up"]);
    await f.seeAll([router, "down"], [shop, "down"]);
    expect(await f.told()).toEqual(["router Down"]);
    expect(await f.incidents(shop)).toMatchObject([{ caused_by: router }]);
  });

  test("has its recovery told where its failure was", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router");
    const shop = await f.monitor("shop", [router]);
    await f.seeAll([router, "up"], [shop, "up"]);
    await f.see(shop, "down");
    await f.see(router, "down");
    await f.see(shop, "up");
    expect(await f.told()).toEqual(["shop Down", "router Down", "shop Up"]);
  });

  test("is not silenced by a parent that is degraded, paused or taken away", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router");
    const shop = await f.monitor("shop", [router]);
    await f.seeAll([router, "degraded"], [shop, "down"]);
    expect(await f.told()).toEqual(["router Degraded", "shop Down"]);
    await f.seeAll([router, "down"], [shop, "up"]);
    await f.api.put(`/monitors/${router}`, { enabled: false });
    await f.see(shop, "down");
    expect((await f.told()).at(-1)).toBe("shop Down");
    await f.api.put(`/monitors/${router}`, { enabled: true });
    await f.see(shop, "up");
    await f.api.put(`/monitors/${shop}`, { parents: [] });
    await f.see(shop, "down");
    expect((await f.told()).slice(-2)).toEqual(["shop Up", "shop Down"]);
  });

  test("is silenced also by a parent that is down for maintenance", async () => {
    await using f = await openFamily(open);
    const router = await f.monitor("router");
    const shop = await f.monitor("shop", [router]);
    await f.seeAll([router, "up"], [shop, "up"]);
    await f.api.post("/maintenance", {
      name: "new router",
      monitor_ids: [router],
      starts_at: "2026-11-15T09:00:00Z",
      ends_at: "2026-11-15T10:00:00Z",
    });
    await f.see(router, "down");
    await f.see(shop, "down");
    await f.seeAll([router, "up"], [shop, "up"]);
    expect(await f.told()).toEqual([]);
    expect(await f.incidents(router)).toEqual([]);
    expect(await f.incidents(shop)).toMatchObject([{ caused_by: router }]);
  });
});
