import type { AutomationSimulate } from "@orchestrator/contract";
import { appendEvents } from "@orchestrator/kernel/events";
import { openScope } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";
import { describeEachApi } from "../../testing.ts";
import { simulateAutomation } from "./simulate.service.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

type Body = Readonly<Record<string, unknown>>;

const FOREVER = new AbortController().signal;
const BASE = Date.parse("2026-11-14T09:00:00Z");
const REACTIVE = { type: "event", expect: ["x.*"], posture: "Reactive", threshold: 1, within: 0 };

const at = (seconds: number): string =>
  new Date(BASE + seconds * 1000).toISOString().replace("Z", "000Z");

/** The id tells which one it is. */
function happening(
  number: number,
  seconds: number,
  given: Body = {},
): Body & { readonly id: string } {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    occurred: at(seconds),
    event: "x.happened",
    resource: { "prefect.resource.id": `thing.${number}` },
    ...given,
  };
}

interface Simulated {
  readonly firings: readonly {
    readonly time: string;
    readonly labels: Body;
    readonly event: { readonly id: string } | null;
    readonly events: readonly { readonly id: string }[];
    readonly count: number;
  }[];
  readonly near_misses: readonly { readonly verdict: string; readonly message: string }[];
  readonly truncated: boolean;
}

async function simulate(api: TestApi, body: Body): Promise<Simulated & Body> {
  const answer = await api.post("/automations/simulate", body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Simulated & Body;
}

const numbers = (events: readonly { readonly id: string }[]): number[] =>
  events.map(({ id }) => Number(id.slice(-12)));

async function send(api: TestApi, events: readonly Body[]): Promise<void> {
  expect((await api.post("/events", JSON.stringify(events))).status).toBe(204);
}

describeEachApi("a simulation", (open) => {
  test("tells when a trigger would have fired, for which events, and how far others came", async () => {
    await using api = await open();
    const trigger = { ...REACTIVE, threshold: 2, within: 10, for_each: ["prefect.resource.id"] };
    const about = (number: number, seconds: number, name: string) =>
      happening(number, seconds, { resource: { "prefect.resource.id": name } });
    const events = [about(1, 0, "a"), about(2, 1, "b"), about(3, 2, "a"), about(4, 20, "b")];
    const told = await simulate(api, { trigger, events, until: at(200) });
    expect(told).toMatchObject({
      since: at(0),
      until: at(200),
      events_read: 4,
      events_named: 4,
      firings_total: 1,
      truncated: false,
      truncated_by: null,
      verdicts: { fired: 1, counted: 3, "window-ended": 2 },
    });
    expect(told.firings).toMatchObject([
      { time: at(2), labels: { "prefect.resource.id": "a" }, count: 2, threshold: 2 },
    ]);
    expect(numbers(told.firings[0]?.events ?? [])).toEqual([1, 3]);
    expect(told.near_misses.at(-1)).toMatchObject({
      verdict: "window-ended",
      message: "The window has ended with 1 of 2 events",
      labels: { "prefect.resource.id": "b" },
    });
  });

  test.each([
    ["0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.000000Z"],
    ["9999-12-31T23:59:55.000000Z", "9999-12-31T23:59:59.000000Z"],
  ])("tells of windows that reach beyond all times, from %s", async (occurred, until) => {
    await using api = await open();
    const events = [happening(1, 0, { occurred }), happening(2, 0, { occurred })];
    const trigger = { ...REACTIVE, threshold: 2, within: 10 };
    const { firings } = await simulate(api, { trigger, events, until });
    expect(firings).toMatchObject([{ time: occurred, window: { starts: expect.any(String) } }]);
    const lonely = { ...REACTIVE, posture: "Proactive", within: 30 };
    await simulate(api, { trigger: lonely, events, since: occurred });
  });

  test("tells which label of an event was not as wanted", async () => {
    await using api = await open();
    const trigger = {
      ...REACTIVE,
      match: { "prefect.resource.id": "thing.*", colour: ["red", "blue"] },
      match_related: { "prefect.resource.role": "flow", "prefect.resource.id": "prefect.flow.1" },
    };
    const red = { "prefect.resource.id": "thing.1", colour: "red" };
    const flow = { "prefect.resource.id": "prefect.flow.2", "prefect.resource.role": "flow" };
    const events = [
      happening(1, 0, { resource: { ...red, colour: "green" } }),
      happening(2, 1, { resource: { "prefect.resource.id": "thing.1" } }),
      happening(3, 2, { resource: red, related: [flow] }),
      happening(4, 3, {
        resource: red,
        related: [{ ...flow, "prefect.resource.id": "prefect.flow.1" }],
      }),
      happening(5, 4, { event: "y" }),
    ];
    const told = await simulate(api, { trigger, events });
    expect(told).toMatchObject({ firings_total: 1, events_named: 4 });
    expect(told.near_misses).toMatchObject([
      { verdict: "other-labels", mismatch: { part: "match", label: "colour", found: "green" } },
      { verdict: "other-labels", mismatch: { part: "match", label: "colour", found: null } },
      {
        verdict: "other-labels",
        mismatch: {
          part: "match_related",
          label: "prefect.resource.id",
          wanted: ["prefect.flow.1"],
          found: "prefect.flow.2",
        },
      },
    ]);
  });

  test("tells of what came without what has to come first, and of absences at the end of their time", async () => {
    await using api = await open();
    const after = { ...REACTIVE, after: ["x.begun"], expect: ["x.ended"], within: 10 };
    const ended = happening(1, 0, { event: "x.ended" });
    const late = [happening(2, 5, { event: "x.begun" }), happening(3, 20, { event: "x.ended" })];
    const reactive = await simulate(api, { trigger: after, events: [ended, ...late] });
    expect(reactive.near_misses.map(({ verdict }) => verdict)).toEqual([
      "no-window",
      "window-over",
    ]);
    const absence = { ...after, posture: "Proactive" };
    const proactive = await simulate(api, {
      trigger: absence,
      events: [ended, ...late],
      until: at(60),
    });
    expect(proactive.firings).toMatchObject([
      { time: at(15), count: 0, event: { event: "x.begun" } },
    ]);
    const silence = { ...REACTIVE, posture: "Proactive", within: 20 };
    const quiet = await simulate(api, {
      trigger: silence,
      events: [],
      since: at(0),
      until: at(60),
    });
    expect(quiet.firings.map(({ time }) => time)).toEqual([at(20), at(40), at(60)]);
  });

  test("follows triggers within triggers", async () => {
    await using api = await open();
    const on = (name: string) => ({ ...REACTIVE, expect: [name] });
    const trigger = { type: "sequence", within: 10, triggers: [on("x.a"), on("x.b")] };
    const names = ["x.b", "x.a", "x.b"].map((event, index) => happening(index, index, { event }));
    const apart = [happening(7, 30, { event: "x.a" }), happening(8, 50, { event: "x.b" })];
    const told = await simulate(api, { trigger, events: [...names, ...apart] });
    expect(told.firings).toMatchObject([{ time: at(2), count: 2, threshold: 2, labels: {} }]);
    expect(numbers(told.firings[0]?.events ?? [])).toEqual([1, 2]);
    expect(told.near_misses.map(({ verdict }) => verdict)).toEqual([
      "others-missing",
      "wrong-order",
      "others-missing",
      "others-too-old",
    ]);
  });

  test("of an automation over the log agrees with what the automation did", async () => {
    const clock = manualClock(at(0));
    await using api = await open({ clock });
    const trigger = { ...REACTIVE, threshold: 2, within: 30 };
    const created = await api.post("/automations/", { name: "watch", trigger, actions: [] });
    const { id } = created.body as { id: string };
    const pass = createTriggerPass(api.ctx);
    const leader = happening(90, 4);
    for (let index = 1; index <= 8; index += 1) {
      clock.advanceMs(4000);
      await send(api, [happening(index, index * 4, index === 3 ? { follows: leader.id } : {})]);
      if (index === 5) await send(api, [leader]);
      await pass(FOREVER);
    }
    const told = await simulate(api, { automation_id: id });
    const trace = await api.get(`/automations/${id}/trace`);
    const fired = (trace.body as { firings: { time: string }[] }).firings.map(({ time }) => time);
    expect(told).toMatchObject({ since: at(32 - 24 * 3600), until: at(32), truncated: false });
    expect(told.firings.length).toBeGreaterThan(0);
    expect(told.firings.map(({ time }) => time)).toEqual([...fired].reverse());
  });

  test("reads only the stretch it is asked for, and no more entries than the limit", async () => {
    const clock = manualClock(at(0));
    await using api = await open({ clock });
    for (let index = 1; index <= 5; index += 1) {
      clock.advanceMs(10_000);
      await send(api, [happening(index, index * 10)]);
    }
    const told = await simulate(api, { trigger: REACTIVE, since: at(20), until: at(40), limit: 2 });
    expect(told).toMatchObject({ events_read: 3, firings_total: 3, truncated: false });
    expect(numbers(told.firings.map(({ event }) => event ?? { id: "" }))).toEqual([2, 3]);
  });

  test("stops when it would take too long, and says so", async () => {
    await using api = await open();
    const trigger = { ...REACTIVE, posture: "Proactive", within: 10 };
    const told = await simulate(api, { trigger, events: [], since: at(0), until: at(3_000_000) });
    expect(told).toMatchObject({ truncated: true, truncated_by: "steps" });
    const hostile = { ...REACTIVE, match: { text: [`*?${"a".repeat(997)}b`] } };
    const text = "a".repeat(10_000);
    const events = Array.from({ length: 40 }, (_, index) =>
      happening(index, index, { resource: { "prefect.resource.id": "x", text } }),
    );
    const slow = await simulate(api, { trigger: hostile, events });
    expect(slow).toMatchObject({ firings_total: 0, truncated: true, truncated_by: "patterns" });
  });

  test("looks past the events of other workspaces, so far and no further", async () => {
    const clock = manualClock(at(0));
    await using api = await open({ clock });
    const { ctx } = api;
    const elsewhere = ctx.ids.uuid4();
    await ctx.db.write(elsewhere, (tx) =>
      appendEvents(
        tx,
        Array.from({ length: 25 }, (_, index) => {
          const { id, occurred, event } = happening(index, 0) as Record<string, unknown> & {
            readonly id: string;
            readonly occurred: string;
            readonly event: string;
          };
          return { id, occurred, received: occurred, event, resource_id: "x", body: "{}" };
        }),
      ),
    );
    await send(api, [happening(1, 0), happening(2, 0)]);
    const scope = openScope("test");
    const asked = { trigger: REACTIVE, limit: 10 } as AutomationSimulate;
    const within = (most: number) => simulateAutomation(ctx, scope, asked, { page: 10, most });
    expect(await within(30)).toMatchObject({
      events_read: 2,
      firings_total: 2,
      truncated: false,
    });
    expect(await within(20)).toMatchObject({
      events_read: 0,
      truncated: true,
      truncated_by: "log",
    });
  });

  test("does nothing", async () => {
    await using api = await open();
    const before = await api.events();
    await simulate(api, { trigger: REACTIVE, events: [happening(1, 0)] });
    expect(await api.events()).toEqual(before);
  });

  test("is refused without a trigger, with two, and for what cannot be", async () => {
    await using api = await open();
    const id = "00000000-0000-4000-8000-000000000001";
    const wrong: readonly (readonly [Body, number])[] = [
      [{}, 422],
      [{ trigger: REACTIVE, automation_id: id }, 422],
      [{ automation_id: id }, 404],
      [{ trigger: { ...REACTIVE, threshold: 0 } }, 422],
      [{ trigger: REACTIVE, since: at(10), until: at(0) }, 422],
      [{ trigger: REACTIVE, events: [{ ...happening(1, 0), resource: {} }] }, 422],
      [{ trigger: REACTIVE, limit: 1001 }, 422],
    ];
    for (const [body, status] of wrong)
      expect(await api.post("/automations/simulate", body), JSON.stringify(body)).toMatchObject({
        status,
      });
  });
});
