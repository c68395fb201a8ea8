import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

const FOREVER = new AbortController().signal;
const START = Date.parse("2026-11-14T09:00:00Z");
const SILENCE = {
  type: "event",
  posture: "Proactive",
  after: ["x.beat"],
  expect: ["x.beat", "x.end"],
  for_each: ["prefect.resource.id"],
  within: 30,
};

async function create(api: TestApi, trigger: object = SILENCE): Promise<string> {
  const answer = await api.post("/automations/", {
    name: "silence",
    trigger,
    actions: [],
  });
  expect(answer.status).toBe(201);
  return (answer.body as { id: string }).id;
}

/**
 * An event that happened so many milliseconds after the start; whoever has evaluated before may be
 * gone by now.
 */
async function send(api: TestApi, event: string, afterMs: number): Promise<void> {
  const occurred = new Date(START + afterMs).toISOString();
  const resource = { "prefect.resource.id": "thing" };
  const body = [{ id: api.ctx.ids.uuid7(), occurred, event, resource }];
  expect((await api.post("/events", JSON.stringify(body))).status).toBe(204);
  await createTriggerPass(api.ctx)(FOREVER);
}

async function firings(api: TestApi, id: string): Promise<number> {
  const answer = await api.get(`/automations/${id}/trace`);
  return (answer.body as { firings: readonly unknown[] }).firings.length;
}

/** Events that follow one that never comes, so that they wait until it is overdue. */
async function sendFollowers(api: TestApi, event: string, many: number): Promise<void> {
  const events = Array.from({ length: many }, () => ({
    id: api.ctx.ids.uuid7(),
    occurred: api.ctx.clock.now(),
    event,
    resource: { "prefect.resource.id": "thing" },
    follows: api.ctx.ids.uuid7(),
  }));
  expect((await api.post("/events", JSON.stringify(events))).status).toBe(204);
  await createTriggerPass(api.ctx)(FOREVER);
}

describeEachApi("an absence that waits for overdue events", (open) => {
  test.each([199, 200])(
    "is not told where what was expected stands behind %d others",
    async (others) => {
      const clock = manualClock(new Date(START + 5000).toISOString());
      await using api = await open({ clock });
      const trigger = { ...SILENCE, after: ["x.beat"], expect: ["x.end"], within: 3600 };
      const id = await create(api, trigger);
      const counts = { type: "event", posture: "Reactive", threshold: 1000, within: 60 };
      await create(api, { ...counts, expect: ["x.other"] });
      await send(api, "x.beat", 0);
      await sendFollowers(api, "x.other", others);
      await sendFollowers(api, "x.end", 1);
      clock.advanceMs(2 * 3600_000);
      await createTriggerPass(api.ctx)(FOREVER);
      expect(await firings(api, id)).toBe(0);
    },
  );
});

describeEachApi("an absence that begins with an event", (open) => {
  test.each([
    ["is over where the end came before the last sign of life", ["x.end", "x.beat"], 0],
    ["is over where the end came last", ["x.beat", "x.end"], 0],
    ["is told where the end has not come", ["x.beat"], 1],
  ] as const)("%s", async (_what, order, expected) => {
    const clock = manualClock(new Date(START + 5000).toISOString());
    await using api = await open({ clock });
    const id = await create(api);
    await send(api, "x.beat", 0);
    for (const event of order) await send(api, event, event === "x.end" ? 3050 : 3000);
    clock.advanceMs(60_000);
    await createTriggerPass(api.ctx)(FOREVER);
    expect(await firings(api, id)).toBe(expected);
  });

  test.each([
    [29, 0],
    [31, 1],
  ])(
    "counts after %d minutes what came too early, so that it fires %d times",
    async (minutes, expected) => {
      const clock = manualClock(new Date(START + 1000).toISOString());
      await using api = await open({ clock });
      const id = await create(api);
      await send(api, "x.end", 50);
      clock.advanceMs(minutes * 60_000);
      await createTriggerPass(api.ctx)(FOREVER);
      await send(api, "x.beat", 0);
      expect(await firings(api, id)).toBe(expected);
    },
  );
});
