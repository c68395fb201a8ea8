// Random streams of events, sent twice and in the wrong order, read in pieces by readers that come and go, against a
// plain reading of the rules.

import { followLog } from "@orchestrator/kernel";
import { manualClock } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

const BASE = Date.parse("2026-11-14T09:00:00Z");
const FOREVER = new AbortController().signal;

interface Trigger {
  readonly after: readonly string[];
  readonly expect: readonly string[];
  readonly for_each: readonly string[];
  readonly threshold: number;
  readonly within: number;
}

interface Happening {
  readonly id: string;
  readonly name: string;
  readonly thing: string;
  readonly at: number;
}

const NAMES = ["x.a", "x.b", "x.c"];

const triggers = fc.record({
  after: fc.subarray(NAMES, { maxLength: 1 }),
  expect: fc.subarray(NAMES, { minLength: 1, maxLength: 2 }),
  for_each: fc.constantFrom([], ["thing"]),
  threshold: fc.integer({ min: 1, max: 3 }),
  within: fc.constantFrom(0, 3, 20),
});

const happenings = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom(...NAMES),
  thing: fc.constantFrom("1", "2"),
  at: fc.integer({ min: 1, max: 50 }),
});

const streams = fc.record({
  triggers: fc.array(triggers, { minLength: 3, maxLength: 5 }),
  events: fc.uniqueArray(happenings, { minLength: 20, maxLength: 40, selector: ({ id }) => id }),
  repeats: fc.array(fc.nat(19), { maxLength: 10 }),
  pieces: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 10, maxLength: 10 }),
});

/** The events that a trigger fires at, by the letter of the rules. */
function firings(trigger: Trigger, events: readonly Happening[]): string[] {
  const { within, threshold } = trigger;
  const windows = new Map<string, { from: number; to: number; count: number }>();
  const fired: string[] = [];
  for (const { id, name, thing, at } of events) {
    const isExpected = trigger.expect.includes(name);
    const isStart = trigger.after.includes(name);
    if (!isExpected && !isStart) continue;
    const key = trigger.for_each.length > 0 ? thing : "";
    let window = windows.get(key);
    if (trigger.after.length === 0) {
      window ??= { from: at - 900, to: at + within, count: 0 };
      if (within > 0 && at >= window.to) window = { from: at, to: at + within, count: 0 };
    } else if (isStart && (window === undefined || at >= window.to)) {
      window = { from: at, to: at + within, count: isExpected ? -1 : 0 };
    }
    windows.delete(key);
    if (window === undefined) continue;
    const isCounted = isExpected && at >= window.from;
    // With `after` a window that has passed is over; without, it was begun anew above.
    if (isCounted && within > 0 && at >= window.to) continue;
    if (isCounted) window.count += 1;
    if (isCounted && window.count >= threshold) {
      fired.push(id);
      const { to } = window;
      if (trigger.after.length > 0 || within === 0) continue;
      window = { from: to, to: to + within, count: 0 };
    }
    windows.set(key, window);
  }
  return fired;
}

/** By automation the events it has fired at, in order. */
async function told(api: TestApi): Promise<Map<string, string[]>> {
  const fired = new Map<string, string[]>();
  const follower = followLog(api.ctx.db);
  for (let after = 0; ; ) {
    const events = await follower.next(after, 1000);
    const last = events.at(-1);
    if (last === undefined) return fired;
    after = last.position;
    for (const { event, body } of events) {
      if (!event.endsWith(".automation.triggered")) continue;
      const { resource, payload } = JSON.parse(body) as {
        readonly resource: Readonly<Record<string, string>>;
        readonly payload: { readonly triggering_event: { readonly id: string } };
      };
      const name = resource["orchestrator.resource.name"] ?? "";
      fired.set(name, [...(fired.get(name) ?? []), payload.triggering_event.id]);
    }
  }
}

describeEachApi("triggers", (open) => {
  test("fire exactly as the rules say, whatever the stream and whoever reads it", async () => {
    await fc.assert(
      fc.asyncProperty(streams, async ({ triggers: given, events, repeats, pieces }) => {
        // Late enough for every event to have happened, early enough for no bucket to be swept.
        await using api = await open({ clock: manualClock(new Date(BASE + 60_000).toISOString()) });
        for (const [index, trigger] of given.entries()) {
          const body = { trigger: { ...trigger, posture: "Reactive" }, actions: [] };
          const answer = await api.post("/automations/", { name: `${index}`, ...body });
          expect(answer.status).toBe(201);
        }
        const again = repeats.map((index) => events[index]).filter((event) => event !== undefined);
        const sent = [...events, ...again].map(({ id, name, thing, at }) => ({
          id,
          event: name,
          occurred: new Date(BASE + at * 1000).toISOString(),
          resource: { "prefect.resource.id": `thing.${thing}`, thing },
        }));
        for (const [piece, size] of [...pieces, sent.length].entries()) {
          const batch = sent.splice(0, size);
          if (batch.length > 0) await api.post("/events", JSON.stringify(batch));
          const passes = Array.from({ length: (piece % 2) + 1 }, () => createTriggerPass(api.ctx));
          await Promise.all(passes.map((pass) => pass(FOREVER)));
        }
        const fired = await told(api);
        for (const [index, trigger] of given.entries())
          expect(fired.get(`${index}`) ?? []).toEqual(firings(trigger, events));
      }),
      { numRuns: 6, seed: 5 },
    );
  });
});
