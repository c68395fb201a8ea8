import type { Incident } from "@orchestrator/contract";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { PipelineOutcome } from "../checks/run-pipeline.ts";
import { recordResult } from "../results/record-result.service.ts";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";

const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

async function openMonitors(open: OpenUptimeApi) {
  const clock = manualClock("2026-11-15T09:00:00Z");
  const api = await open({ clock });
  const create = async (name: string) => {
    const { body } = await api.post("/monitors", { name, url: `${name}.example.com` });
    return (body as { readonly id: string }).id;
  };
  return {
    api,
    clock,
    create,
    async see(monitorId: string, status: PipelineOutcome["status"]) {
      clock.advanceMs(60_000);
      const outcome = anOutcome(status);
      const checkedAt = clock.now();
      const { workspaceId } = api;
      await recordResult(api.ctx, {
        workspaceId,
        monitorId,
        outcome,
        checkedAt,
        trigger: "schedule",
      });
    },
    async list(path: string) {
      const answer = await api.get(path);
      expect(answer.status).toBe(200);
      return answer.body as Incident[];
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

describeEachUptimeApi("incidents", (open) => {
  test("tell how long they lasted to the millisecond, and no more than that", async () => {
    await using m = await openMonitors(open);
    const shop = await m.create("shop");
    for (const ms of [4996, 333, 27_001]) {
      await m.see(shop, "down");
      m.clock.advanceMs(ms);
      await m.see(shop, "up");
    }
    const durations = (await m.list("/incidents")).map((incident) => incident.duration_seconds);
    expect(durations).toEqual([87.001, 60.333, 64.996]);
  });

  test("are listed for one monitor and for all, the latest first", async () => {
    await using m = await openMonitors(open);
    const [shop, mail] = [await m.create("shop"), await m.create("mail")];
    await m.see(shop, "down");
    await m.see(mail, "degraded");
    await m.see(shop, "up");
    await m.see(shop, "down");
    const all = await m.list("/incidents");
    expect(all.map(({ monitor_id, status }) => [monitor_id, status])).toEqual([
      [shop, "down"],
      [mail, "degraded"],
      [shop, "down"],
    ]);
    expect(await m.list(`/monitors/${shop}/incidents`)).toEqual([all[0], all[2]]);
    expect(await m.list("/incidents?open=true")).toEqual([all[0], all[1]]);
    expect(await m.list("/incidents?open=false")).toEqual([all[2]]);
    expect(await m.list("/incidents?limit=1&offset=1")).toEqual([all[1]]);
    expect(
      await m.list("/incidents?since=2026-11-15T09:02:00Z&until=2026-11-15T09:03:00Z"),
    ).toEqual([all[1]]);
    expect((await m.api.get(`/incidents/${all[1]?.id}`)).body).toEqual(all[1]);
  });

  test("are acknowledged by whoever is first; the note may change", async () => {
    await using m = await openMonitors(open);
    const shop = await m.create("shop");
    await m.see(shop, "down");
    const [incident] = await m.list("/incidents");
    m.clock.advanceMs(1000);
    const at = m.clock.now();
    const path = `/incidents/${incident?.id}/acknowledge`;
    const first = await m.api.post(path, { note: "looking" });
    expect(first).toMatchObject({
      status: 200,
      body: {
        ...incident,
        acknowledged_at: at,
        acknowledged_by: "admin",
        note: "looking",
      },
    });
    m.clock.advanceMs(1000);
    expect((await m.api.post(path, { note: "a switch" })).body).toMatchObject({
      acknowledged_at: at,
      note: "a switch",
    });
    expect((await m.api.post(path)).body).toMatchObject({ note: "a switch" });
  });

  test("end with the monitor that they are of", async () => {
    await using m = await openMonitors(open);
    const shop = await m.create("shop");
    await m.see(shop, "down");
    expect(await m.list("/incidents?open=true")).toHaveLength(1);
    expect((await m.api.delete(`/monitors/${shop}`)).status).toBe(204);
    expect(await m.list("/incidents?open=true")).toEqual([]);
  });

  test("of what is unknown are not found", async () => {
    await using m = await openMonitors(open);
    for (const path of [`/incidents/${UNKNOWN_ID}`, `/monitors/${UNKNOWN_ID}/incidents`])
      expect((await m.api.get(path)).status).toBe(404);
    expect((await m.api.post(`/incidents/${UNKNOWN_ID}/acknowledge`)).status).toBe(404);
    expect((await m.api.get("/incidents?limit=0")).status).toBe(422);
  });
});
