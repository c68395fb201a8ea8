import { formatMicros } from "@orchestrator/kernel/pure";
import type { Quotas } from "@orchestrator/kernel/scope";
import { type ManualClock, manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { advanceBackfills } from "../../scheduling/backfills/backfill.loop.ts";
import { fillDueSchedules } from "../../scheduling/scheduler/scheduler.service.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../../testing.ts";

const { signal } = new AbortController();
const MINUTE_MS = 60_000;
const DAY_MICROS = 86_400_000_000;

interface Held {
  readonly api: TestApi;
  readonly clock: ManualClock;
  readonly ctx: OrchestratorContext;
  /** How many runs may still be made. */
  left: number;
}

/** A server whose workspace may make so many runs; what is made is taken off by the test. */
async function serve(open: OpenTestApi, left: number) {
  const clock = manualClock("2026-11-14T12:00:30Z");
  const api = await open({ clock });
  const resets = () => formatMicros(Math.floor(clock.nowMicros() / DAY_MICROS + 1) * DAY_MICROS);
  const quotas: Quotas = {
    allowance: () => {
      const words = "The workspace has used its quota";
      const usedUp = { quota: "runs_per_day", limit: 5, used: 5, words, resets: resets() };
      return { left: held.left, usedUp: held.left > 0 ? null : usedUp };
    },
  };
  const held: Held = { api, clock, ctx: { ...api.ctx, quotas }, left };
  return Object.assign(held, { [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() });
}

async function aDeployment(api: TestApi, schedules: readonly object[]): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const made = await api.post("/deployments/", { name: "d", flow_id, schedules });
  expect(made.status).toBe(201);
  return (made.body as { id: string }).id;
}

const startTimes = async (api: TestApi) =>
  (
    (await api.post("/flow_runs/filter", { sort: "EXPECTED_START_TIME_ASC" })).body as {
      readonly expected_start_time: string;
    }[]
  ).map(({ expected_start_time }) => expected_start_time.slice(8, 16));

const told = async (api: TestApi) =>
  (await api.events()).filter(({ event }) => event.endsWith(".workspace.quota-used-up"));

describeEachApi("a workspace whose quota of runs is used up", (open) => {
  test("gets no more runs of schedules than it may have, the earliest first", async () => {
    await using held = await serve(open, 2);
    await aDeployment(held.api, [{ schedule: { cron: "* * * * *" } }]);
    expect(await fillDueSchedules(held.ctx, signal)).toBe(2);
    expect(await startTimes(held.api)).toEqual(["14T12:01", "14T12:02"]);
    held.left = 0;
    // It is not looked at again and again.
    expect(await fillDueSchedules(held.ctx, signal)).toBe(0);
    held.clock.advanceMs(MINUTE_MS);
    expect(await fillDueSchedules(held.ctx, signal)).toBe(0);
    held.clock.advanceMs(MINUTE_MS);
    expect(await fillDueSchedules(held.ctx, signal)).toBe(0);
    const events = await told(held.api);
    expect(events).toMatchObject([
      {
        event: "orchestrator.workspace.quota-used-up",
        payload: { service: "scheduler", quota: "runs_per_day", limit: 5 },
      },
    ]);
    held.clock.advanceMs(MINUTE_MS);
    expect(await fillDueSchedules(held.ctx, signal)).toBe(0);
    held.clock.advanceMs(MINUTE_MS);
    held.left = 1000;
    expect(await fillDueSchedules(held.ctx, signal)).toBeGreaterThan(60);
    // 12:03 passed while there was no room, 12:04 is due now.
    expect((await startTimes(held.api)).slice(0, 4)).toEqual([
      "14T12:01",
      "14T12:02",
      "14T12:04",
      "14T12:05",
    ]);
  });

  test.each([
    ["none", []],
    ["latest", ["15T10:00"]],
    ["all", ["14T13:00", "14T14:00"]],
  ] as const)(
    "is caught up on as its schedules want when there is room: %s",
    async (catchup, first) => {
      await using held = await serve(open, 0);
      await aDeployment(held.api, [{ schedule: { cron: "0 * * * *" }, catchup }]);
      expect(await fillDueSchedules(held.ctx, signal)).toBe(0);
      held.clock.advanceMs((22 * 60 + 20) * MINUTE_MS);
      held.left = 1000;
      await fillDueSchedules(held.ctx, signal);
      const times = await startTimes(held.api);
      expect(times.slice(0, first.length)).toEqual(first);
      expect(times.filter((time) => time > "15T10:00").slice(0, 1)).toEqual(["15T11:00"]);
      expect(times.filter((time) => time <= "15T10:00")).toHaveLength(
        { none: 0, latest: 1, all: 22 }[catchup],
      );
    },
  );

  test("has backfills that wait, and go on when there is room", async () => {
    await using held = await serve(open, 2);
    const { api, clock, ctx } = held;
    const id = await aDeployment(api, [{ schedule: { cron: "0 * * * *" }, active: false }]);
    const { body } = await api.get(`/deployments/${id}`);
    const [schedule] = (body as { schedules: { id: string }[] }).schedules;
    const range = { start: "2026-11-01T00:00:00Z", end: "2026-11-01T04:59:00Z" };
    const made = await api.post(`/deployments/${id}/backfill`, {
      ...range,
      schedule_id: schedule?.id,
    });
    const backfill = `/backfills/${(made.body as { id: string }).id}`;
    expect(await advanceBackfills(ctx, signal)).toBe(2);
    held.left = 0;
    clock.advanceMs(2000);
    expect(await advanceBackfills(ctx, signal)).toBe(0);
    expect((await api.get(backfill)).body).toMatchObject({ status: "RUNNING" });
    clock.advanceMs(MINUTE_MS);
    expect(await advanceBackfills(ctx, signal)).toBe(0);
    expect(await told(api)).toMatchObject([{ payload: { service: "backfills" } }]);
    held.left = 100;
    clock.advanceMs(MINUTE_MS);
    expect(await advanceBackfills(ctx, signal)).toBe(3);
  });

  test("is told of again on another day", async () => {
    await using held = await serve(open, 0);
    await aDeployment(held.api, [{ schedule: { cron: "* * * * *" } }]);
    await fillDueSchedules(held.ctx, signal);
    held.clock.advanceMs(12 * 60 * MINUTE_MS);
    await fillDueSchedules(held.ctx, signal);
    expect(await told(held.api)).toHaveLength(2);
  });
});
