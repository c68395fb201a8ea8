import type { Quotas } from "@orchestrator/kernel/scope";
import { type ManualClock, manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { TestApi } from "../../testing/test-api.ts";
import { describeEachApi, type OpenTestApi } from "../../testing.ts";
import { executeActions } from "./actions.service.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

type Body = Readonly<Record<string, unknown>>;

const FOREVER = new AbortController().signal;
const MINUTE_MS = 60_000;
const NOTHING = { type: "do-nothing" };
const on = (...names: readonly string[]) => ({
  type: "event",
  expect: names,
  posture: "Reactive",
  threshold: 1,
  within: 0,
});

interface Throttled extends AsyncDisposable {
  readonly api: TestApi;
  readonly clock: ManualClock;
}

/** A server whose automations may fire so often in a minute. */
async function serve(open: OpenTestApi, most: number): Promise<Throttled> {
  const clock = manualClock("2026-11-14T09:00:00Z");
  const api = await open({ clock, settings: { automationFiringsPerMinute: most } });
  return { api, clock, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

async function create(api: TestApi, given: Body = {}): Promise<string> {
  const automation = { name: "watch", trigger: on("x.go"), actions: [NOTHING], ...given };
  const answer = await api.post("/automations/", automation);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

async function send(api: TestApi, many: number, event = "x.go"): Promise<void> {
  const events = Array.from({ length: many }, () => ({
    id: api.ctx.ids.uuid7(),
    occurred: api.ctx.clock.now(),
    event,
    resource: { "prefect.resource.id": "thing" },
  }));
  expect((await api.post("/events", JSON.stringify(events))).status).toBe(204);
}

/** As a server that has just begun: it knows only what is stored. */
async function settle({ ctx }: Pick<TestApi, "ctx">): Promise<void> {
  for (const pass of [createTriggerPass(ctx), createTriggerPass(ctx)]) {
    await pass(FOREVER);
    await executeActions(ctx, FOREVER);
  }
}

async function sendAndSettle(api: TestApi, many: number, event?: string): Promise<void> {
  await send(api, many, event);
  await settle(api);
}

async function counts(api: TestApi): Promise<Record<string, number>> {
  const told: Record<string, number> = {};
  for (const { event } of await api.events()) {
    const [, name] = event.split(".automation.");
    if (name !== undefined && name !== "created") told[name] = (told[name] ?? 0) + 1;
  }
  return told;
}

const trace = async (api: TestApi, id: string) => (await api.get(`/automations/${id}/trace`)).body;

describeEachApi("an automation that is to fire too often", (open) => {
  test("fires as often in a minute as it may; further matches are counted, told once and do nothing", async () => {
    await using served = await serve(open, 3);
    const { api } = served;
    const id = await create(api);
    await sendAndSettle(api, 10);
    expect(await counts(api)).toEqual({
      triggered: 3,
      "action.triggered": 3,
      "action.executed": 3,
      throttled: 1,
    });
    const message = expect.stringContaining("ORCHESTRATOR_AUTOMATIONS_FIRINGS_PER_MINUTE");
    const until = "2026-11-14T09:01:00.000000Z";
    const events = await api.events();
    expect(events.find(({ event }) => event.endsWith(".throttled"))).toMatchObject({
      event: "orchestrator.automation.throttled",
      resource: { "orchestrator.resource.id": `orchestrator.automation.${id}` },
      payload: { reason: "firings_per_minute", limit: 3, until, message },
    });
    expect(await trace(api, id)).toMatchObject({
      firings: [{ verdict: "fired" }, { verdict: "fired" }, { verdict: "fired" }],
      near_misses: [{ verdict: "throttled", times: 7 }],
      throttle: {
        reason: "firings_per_minute",
        since: "2026-11-14T09:00:00.000000Z",
        until,
        matches: 7,
        is_active: true,
        message,
      },
    });
  });

  test("fires again by itself in the next minute", async () => {
    await using served = await serve(open, 3);
    const { api, clock } = served;
    const id = await create(api);
    await sendAndSettle(api, 10);
    clock.advanceMs(MINUTE_MS - 1);
    await sendAndSettle(api, 1);
    expect(await counts(api)).toMatchObject({ triggered: 3, throttled: 1 });
    clock.advanceMs(1);
    await sendAndSettle(api, 2);
    expect(await counts(api)).toMatchObject({ triggered: 5, throttled: 1 });
    expect(await trace(api, id)).toMatchObject({ throttle: { matches: 8, is_active: false } });
  });

  test("publishes one event per flood", async () => {
    await using served = await serve(open, 3);
    const { api, clock } = served;
    const id = await create(api);
    for (let minute = 0; minute < 3; minute += 1) {
      await sendAndSettle(api, 5);
      clock.advanceMs(MINUTE_MS);
    }
    expect(await counts(api)).toMatchObject({ triggered: 9, throttled: 1 });
    expect(await trace(api, id)).toMatchObject({ throttle: { matches: 6 } });
    clock.advanceMs(10 * MINUTE_MS);
    await sendAndSettle(api, 5);
    expect(await counts(api)).toMatchObject({ triggered: 12, throttled: 2 });
    expect(await trace(api, id)).toMatchObject({ throttle: { matches: 2 } });
  });

  test("shares its limit across replicas", async () => {
    await using served = await serve(open, 5);
    const { api } = served;
    const db = (await api.openReplica?.()) ?? api.ctx.db;
    const replica = { ctx: { ...api.ctx, db } };
    await create(api);
    for (const server of [api, replica, api, replica]) {
      await send(api, 3);
      await Promise.all([settle(server), settle(api)]);
    }
    expect(await counts(api)).toMatchObject({ triggered: 5, throttled: 1 });
  });

  test("does not affect other automations or the counts of nested triggers", async () => {
    await using served = await serve(open, 2);
    const { api, clock } = served;
    const every = await create(api, { trigger: { ...on("x.go"), threshold: 2, within: 600 } });
    const both = await create(api, {
      trigger: { type: "sequence", within: null, triggers: [on("x.go"), on("x.end")] },
    });
    await create(api);
    await sendAndSettle(api, 4);
    for (let n = 0; n < 3; n += 1) {
      await sendAndSettle(api, 1);
      await sendAndSettle(api, 1, "x.end");
    }
    // The window fires once, the sequence twice of three times, and the third automation twice.
    expect(await counts(api)).toMatchObject({ triggered: 5, throttled: 2 });
    expect(await trace(api, every)).not.toHaveProperty("throttle");
    expect(await trace(api, both)).toMatchObject({
      firings: [{}, {}],
      throttle: { matches: 1 },
    });
    await sendAndSettle(api, 1);
    clock.advanceMs(MINUTE_MS);
    await sendAndSettle(api, 1, "x.end");
    expect(await counts(api)).toMatchObject({ triggered: 6 });
  });

  test("triggers automations that name the event, and no others", async () => {
    await using served = await serve(open, 1);
    const { api } = served;
    await create(api);
    // That the first is new concerns no other.
    await settle(api);
    await create(api, { name: "named", trigger: on("orchestrator.automation.throttled") });
    await create(api, {
      name: "any",
      trigger: { ...on(), match: { "orchestrator.resource.name": "watch" } },
    });
    await sendAndSettle(api, 3);
    const fired = (await api.events()).filter(({ event }) => event.endsWith(".triggered"));
    const names = fired.map(({ resource }) => resource["orchestrator.resource.name"]);
    expect(new Set(names)).toEqual(new Set(["watch", "named"]));
  });

  test("is deleted with the automation", async () => {
    await using served = await serve(open, 1);
    const { api } = served;
    const id = await create(api);
    await sendAndSettle(api, 3);
    await api.delete(`/automations/${id}`);
    const left = await api.ctx.db.in("00000000-0000-0000-0000-000000000000").select<{ n: number }>({
      sql: "select count(*) as n from automation_throttles",
      values: [],
    });
    expect(Number(left?.n)).toBe(0);
  });
});

describeEachApi("an automation of a workspace whose quota of events is nearly used up", (open) => {
  /** Room for so many events, of which none is counted by anybody. */
  const quotasOf = (room: () => number): Quotas => ({
    allowance: (_id, _kind, reserved = 0) => {
      const left = Math.max(0, room() - reserved);
      const words = "The workspace has used its quota of 2000 events a day.";
      const usedUp = { quota: "events_per_day", limit: 2000, used: 2000, words, resets: null };
      return { left, usedUp: left > 0 ? null : usedUp };
    },
  });

  test("fires as long as there is room for what the firing and its actions tell", async () => {
    await using served = await serve(open, 600);
    const { api } = served;
    let room = 10;
    const ctx = { ...api.ctx, quotas: quotasOf(() => room) };
    const pass = createTriggerPass(ctx);
    const id = await create(api);
    await send(api, 50);
    await pass(FOREVER);
    // Three events each, and room for one more.
    expect(await counts(api)).toEqual({ triggered: 4 });
    // Its own events are not counted here, those of the actions that wait are.
    await send(api, 1);
    await pass(FOREVER);
    expect(await counts(api)).toEqual({ triggered: 5 });
    await send(api, 1);
    await pass(FOREVER);
    expect(await counts(api)).toEqual({ triggered: 5 });
    await executeActions(ctx, FOREVER);
    expect(await counts(api)).toMatchObject({ "action.executed": 5 });
    expect(await trace(api, id)).toMatchObject({
      near_misses: [{ verdict: "quota-used-up", times: 47 }],
      throttle: {
        reason: "events_per_day",
        until: null,
        matches: 47,
        message: expect.stringContaining("2000 events a day"),
      },
    });
    room = 0;
    await send(api, 1);
    await pass(FOREVER);
    const told = (await api.events()).filter(({ event }) => event.endsWith(".quota-used-up"));
    expect(told).toMatchObject([{ payload: { service: "automations", quota: "events_per_day" } }]);
    room = 1;
    await send(api, 1);
    await pass(FOREVER);
    expect(await counts(api)).toMatchObject({ triggered: 6 });
    expect(await trace(api, id)).toMatchObject({ throttle: { matches: 48, is_active: false } });
  });
});
