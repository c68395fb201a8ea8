import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

type Body = Readonly<Record<string, unknown>>;

const FOREVER = new AbortController().signal;
const PAST = "2026-11-14T09:00:00.000000Z";
const REACTIVE = { type: "event", expect: ["x.*"], posture: "Reactive", threshold: 1, within: 0 };

interface TraceAnswer {
  readonly firings: readonly Body[];
  readonly near_misses: readonly Body[];
}

async function create(api: TestApi, trigger: Body): Promise<string> {
  const answer = await api.post("/automations/", { name: "watch", trigger, actions: [] });
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}

async function send(api: TestApi, count: number, given: Body = {}): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    id: api.ctx.ids.uuid7(),
    occurred: api.ctx.clock.now(),
    event: "x.happened",
    resource: { "prefect.resource.id": "thing" },
    ...given,
  }));
  expect((await api.post("/events", JSON.stringify(events))).status).toBe(204);
  // Whoever has evaluated before may be gone by now.
  await createTriggerPass(api.ctx)(FOREVER);
}

async function trace(api: TestApi, id: string): Promise<TraceAnswer> {
  const answer = await api.get(`/automations/${id}/trace`);
  expect(answer.status).toBe(200);
  return answer.body as TraceAnswer;
}

describeEachApi("the trace of an automation", (open) => {
  test("tells of firings and near misses, the newest first", async () => {
    const clock = manualClock(PAST);
    await using api = await open({ clock });
    const id = await create(api, { ...REACTIVE, threshold: 3, within: 60 });
    expect(await trace(api, id)).toEqual({ firings: [], near_misses: [] });
    await send(api, 2);
    clock.advanceMs(1000);
    await send(api, 1);
    clock.advanceMs(1000);
    await send(api, 1);
    const { firings, near_misses } = await trace(api, id);
    expect(firings).toMatchObject([
      { verdict: "fired", time: "2026-11-14T09:00:01.000000Z", count: 3, threshold: 3, times: 1 },
    ]);
    expect(near_misses).toMatchObject([
      { verdict: "before-window", times: 1 },
      { verdict: "counted", count: 2, times: 2, message: "2 of 3 events have come" },
    ]);
  });

  test("counts what happens again and again in one entry, and says when it last did", async () => {
    const clock = manualClock(PAST);
    await using api = await open({ clock });
    const id = await create(api, {
      ...REACTIVE,
      after: ["x.begun"],
      expect: ["x.ended"],
      within: 9,
    });
    for (let index = 0; index < 3; index += 1) {
      clock.advanceMs(1000);
      await send(api, 2, { event: "x.ended" });
    }
    const { near_misses } = await trace(api, id);
    expect(near_misses).toMatchObject([
      { verdict: "no-window", times: 6, time: "2026-11-14T09:00:03.000000Z" },
    ]);
    expect(near_misses).toHaveLength(1);
  });

  test("keeps the last of many", async () => {
    await using api = await open();
    const id = await create(api, { ...REACTIVE, for_each: ["prefect.resource.id"] });
    for (let index = 0; index < 7; index += 1) {
      await send(api, 10, { resource: { "prefect.resource.id": `thing.${index}` } });
    }
    const { firings, near_misses } = await trace(api, id);
    expect(firings).toHaveLength(50);
    expect(firings[0]).toMatchObject({ labels: { "prefect.resource.id": "thing.6" } });
    expect(firings.at(-1)).toMatchObject({ labels: { "prefect.resource.id": "thing.2" } });
    expect(near_misses).toEqual([]);
  });

  test("says nothing of events that do not concern it, and costs nothing for them", async () => {
    await using api = await open();
    const id = await create(api, { ...REACTIVE, match: { colour: "red" } });
    await send(api, 3);
    expect(await trace(api, id)).toEqual({ firings: [], near_misses: [] });
  });

  test("cuts long values, and goes with the automation", async () => {
    await using api = await open();
    const id = await create(api, { ...REACTIVE, for_each: ["long"] });
    await send(api, 1, { resource: { "prefect.resource.id": "x", long: "l".repeat(5000) } });
    const { firings } = await trace(api, id);
    expect(firings).toMatchObject([{ labels: { long: `${"l".repeat(200)}…` } }]);
    await api.delete(`/automations/${id}`);
    expect(await api.get(`/automations/${id}/trace`)).toMatchObject({ status: 404 });
  });
});
