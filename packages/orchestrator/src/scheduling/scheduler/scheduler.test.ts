import { type Schedule as CalendarSchedule, occurrences } from "@orchestrator/calendar";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { openScope } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { statement } from "../../db/tables.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { fillDueSchedules } from "./scheduler.service.ts";

const { signal } = new AbortController();
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** As long as a claim, and a little. */
const CLAIM_MS = 16_000;

interface Run {
  readonly id: string;
  readonly name: string;
  readonly expected_start_time: string;
  readonly [key: string]: unknown;
}

async function aDeployment(api: TestApi, given: object = {}): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { id: string }).id;
  const { status, body } = await api.post("/deployments/", { name: "nightly", flow_id, ...given });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as { id: string }).id;
}

/** The server at another moment. */
function at(api: TestApi, ms: number): OrchestratorContext {
  const clock = manualClock(new Date(Date.parse(api.ctx.clock.now()) + ms).toISOString());
  return { ...api.ctx, clock };
}

async function runs(api: TestApi, id: string): Promise<Run[]> {
  const answer = await api.post("/flow_runs/filter", {
    deployments: { id: { any_: [id] } },
    sort: "EXPECTED_START_TIME_ASC",
  });
  return answer.body as Run[];
}

const times = async (api: TestApi, id: string) =>
  (await runs(api, id)).map((run) => run.expected_start_time);

/** The times of a daily schedule at noon that lie ahead of a moment. */
function noons(now: string, count: number): string[] {
  const noon: CalendarSchedule = { kind: "cron", cron: "0 12 * * *", timezone: "UTC" };
  return occurrences(noon, { from: parseMicros(now) + 1, limit: count }).map(formatMicros);
}

const NOON = { cron: "0 12 * * *" };

const storeSchedule = statement<{ slug: string; schedule: string }>()((db, p) =>
  db
    .updateTable("deployment_schedules")
    .set({ schedule: p.schedule })
    .where("workspace_id", "=", p.workspace_id)
    .where("slug", "=", p.slug),
);

describeEachApi("the scheduler", (open) => {
  test("creates the next runs of a schedule, made from the deployment and the schedule", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    const id = await aDeployment(api, {
      tags: ["x"],
      version: "7",
      parameters: { a: 1, b: 1 },
      work_pool_name: "local",
      labels: { team: "data" },
      schedules: [{ schedule: NOON, slug: "noon", parameters: { b: 2 } }],
    });
    expect(await fillDueSchedules(api.ctx, signal)).toBe(3);
    const created = await runs(api, id);
    expect(created.map((run) => run.expected_start_time)).toEqual(noons(api.ctx.clock.now(), 3));
    const [run] = created;
    const { body } = await api.get(`/deployments/${id}`);
    const { schedules, flow_id } = body as { schedules: { id: string }[]; flow_id: string };
    const schedule_id = schedules[0]?.id;
    expect(run).toMatchObject({
      name: expect.stringMatching(/^[a-z]+-[a-z]+$/),
      flow_id,
      deployment_version: "7",
      parameters: { a: 1, b: 2 },
      tags: ["auto-scheduled", "x"],
      work_pool_name: "local",
      work_queue_name: "default",
      auto_scheduled: true,
      idempotency_key: `scheduled ${id} ${schedule_id} ${run?.expected_start_time}`,
      labels: { team: "data", "orchestrator.flow.id": flow_id, "orchestrator.deployment.id": id },
      created_by: { id: schedule_id, type: "SCHEDULE", display_value: "noon" },
      next_scheduled_start_time: run?.expected_start_time,
      run_count: 0,
      state_type: "SCHEDULED",
      state_name: "Scheduled",
      state: {
        type: "SCHEDULED",
        message: "Flow run scheduled",
        state_details: { flow_run_id: run?.id, scheduled_time: run?.expected_start_time },
      },
    });
    const states = await api.get(`/flow_run_states/?flow_run_id=${run?.id}`);
    expect(states.body).toMatchObject([{ id: run?.["state_id"], type: "SCHEDULED" }]);
    const events = (await api.events()).filter(({ event }) => event.includes("flow-run"));
    expect(events).toEqual([]);
  });

  test("creates nothing that is there, and goes on as time does", async () => {
    await using api = await open();
    const id = await aDeployment(api, { schedules: [{ schedule: NOON }] });
    await fillDueSchedules(api.ctx, signal);
    expect(await fillDueSchedules(api.ctx, signal)).toBe(0);
    expect(await fillDueSchedules(at(api, 5 * DAY_MS), signal)).toBeGreaterThan(0);
    const found = await times(api, id);
    expect(new Set(found).size).toBe(found.length);
    expect(found.at(-1)).toBe(noons(at(api, 5 * DAY_MS).clock.now(), 3).at(-1));
  });

  test("creates each time once when several replicas look at the same moment", async () => {
    await using api = await open({ clock: manualClock("2026-11-14T09:00:30Z") });
    const flow = await api.post("/flows/", { name: "etl" });
    const flow_id = (flow.body as { id: string }).id;
    const schedules = [{ schedule: { cron: "* * * * *" } }, { schedule: NOON }];
    for (let n = 0; n < 30; n += 1)
      await api.post("/deployments/", { name: `d${n}`, flow_id, schedules });
    const now = at(api, 0);
    const created = await Promise.all([1, 2, 3].map(() => fillDueSchedules({ ...now }, signal)));
    // What one of them was about to claim when another wanted to write it is left until the claim
    // on it has ended.
    const later = at(api, CLAIM_MS);
    created.push(await fillDueSchedules(later, signal));
    const count = await api.post("/flow_runs/count");
    expect(count.body).toBe(30 * (61 + 3));
    expect(created.reduce((sum, n) => sum + n, 0)).toBe(30 * (61 + 3));
    expect(await fillDueSchedules(later, signal)).toBe(0);
  });

  test("takes up what a replica left when it died", async () => {
    await using api = await open();
    const id = await aDeployment(api, { schedules: [{ schedule: NOON }] });
    const dying: OrchestratorContext = {
      ...api.ctx,
      ids: {
        ...api.ctx.ids,
        uuid7: () => {
          throw new Error("killed");
        },
      },
    };
    await expect(fillDueSchedules(dying, signal)).rejects.toThrow("killed");
    expect(await fillDueSchedules(api.ctx, signal)).toBe(0);
    expect(await fillDueSchedules(at(api, 2 * MINUTE_MS), signal)).toBe(3);
    expect(await times(api, id)).toHaveLength(3);
  });

  test("writes nothing that was worked out from what a change made old", async () => {
    await using api = await open();
    const id = await aDeployment(api, { tags: ["old"], schedules: [{ schedule: NOON }] });
    let writes = 0;
    const { db } = api.ctx;
    const slow: OrchestratorContext = {
      ...api.ctx,
      db: {
        ...db,
        // The first write takes the schedule, the second writes its runs.
        writeSystem: async (work) => {
          writes += 1;
          if (writes === 2) await api.patch(`/deployments/${id}`, { tags: ["new"] });
          return db.writeSystem(work);
        },
      },
    };
    await fillDueSchedules(slow, signal);
    expect(writes).toBe(4);
    const created = await runs(api, id);
    expect(created.map(({ tags }) => tags)).toEqual(created.map(() => ["auto-scheduled", "new"]));
    expect(created).toHaveLength(3);
  });

  test("makes runs anew that have not begun when the deployment changes", async () => {
    await using api = await open();
    const id = await aDeployment(api, { schedules: [{ schedule: NOON }] });
    await fillDueSchedules(api.ctx, signal);
    const [first, second] = await runs(api, id);
    await api.post(`/flow_runs/${first?.id}/set_state`, {
      state: { type: "RUNNING" },
      force: true,
    });
    await api.patch(`/deployments/${id}`, { tags: ["new"] });
    expect(await runs(api, id)).toHaveLength(1);
    await fillDueSchedules(api.ctx, signal);
    const now = await runs(api, id);
    expect(now).toHaveLength(3);
    expect(now[0]).toMatchObject({ id: first?.id, tags: ["auto-scheduled"] });
    expect(now[1]).toMatchObject({ tags: ["auto-scheduled", "new"] });
    expect(now[1]?.id).not.toBe(second?.id);
  });

  test("does not look at what is paused or switched off, and begins anew when it is not", async () => {
    await using api = await open();
    const id = await aDeployment(api, {
      schedules: [
        { schedule: NOON, slug: "on" },
        { schedule: { interval: 3600 }, slug: "off", active: false },
      ],
    });
    await fillDueSchedules(api.ctx, signal);
    const manual = await api.post(`/deployments/${id}/create_flow_run`, {});
    expect(await runs(api, id)).toHaveLength(4);
    expect(await api.post(`/deployments/${id}/set_schedule_inactive`)).toMatchObject({
      status: 200,
      body: null,
    });
    expect(await runs(api, id)).toMatchObject([{ id: (manual.body as Run).id }]);
    expect(await fillDueSchedules(at(api, 5 * DAY_MS), signal)).toBe(0);
    expect((await api.get(`/deployments/${id}`)).body).toMatchObject({
      paused: true,
      schedules: expect.arrayContaining([expect.objectContaining({ slug: "on", active: true })]),
    });
    await api.post(`/deployments/${id}/resume_deployment`);
    await api.post(`/deployments/${id}/resume_deployment`);
    expect(await fillDueSchedules(api.ctx, signal)).toBe(3);
  });

  test("leaves overdue runs when an update pauses, and not when the deployment is paused", async () => {
    await using api = await open();
    const id = await aDeployment(api, { schedules: [{ schedule: NOON, catchup: "none" }] });
    await api.post(`/deployments/${id}/schedule`, {
      start_time: at(api, -3 * DAY_MS).clock.now(),
      end_time: at(api, 2 * DAY_MS).clock.now(),
      min_runs: 100,
    });
    const isOverdue = (time: string) => time < api.ctx.clock.now();
    expect(await times(api, id)).toHaveLength(5);
    await api.patch(`/deployments/${id}`, { paused: true });
    expect(await times(api, id)).toHaveLength(3);
    expect((await times(api, id)).every(isOverdue)).toBe(true);
    await api.post(`/deployments/${id}/pause_deployment`);
    expect(await times(api, id)).toEqual([]);
  });

  test.each([
    ["none", 0],
    ["latest", 1],
    ["all", 4],
  ])("catches up on missed times as the schedule wants: %s", async (catchup, expected) => {
    await using api = await open();
    const id = await aDeployment(api, { schedules: [{ schedule: NOON, catchup }] });
    await fillDueSchedules(api.ctx, signal);
    const later = at(api, 7 * DAY_MS + MINUTE_MS * 90);
    const before = new Set(await times(api, id));
    await fillDueSchedules(later, signal);
    const missed = (await times(api, id)).filter(
      (time) => !before.has(time) && time < later.clock.now(),
    );
    expect(Math.abs(missed.length - expected)).toBeLessThanOrEqual(catchup === "all" ? 1 : 0);
    expect((await times(api, id)).filter((time) => time > later.clock.now())).toHaveLength(3);
  });

  test("goes on when a clock that was a day ahead is put right", async () => {
    const clock = manualClock("2026-06-01T09:00:00Z");
    await using api = await open({ clock });
    const id = await aDeployment(api, { schedules: [{ schedule: { cron: "0 * * * *" } }] });
    await fillDueSchedules(api.ctx, signal);
    clock.advanceMs(DAY_MS);
    await fillDueSchedules(api.ctx, signal);
    const ahead = (await runs(api, id)).length;
    clock.advanceMs(-DAY_MS);
    expect(await fillDueSchedules(api.ctx, signal)).toBe(0);
    clock.advanceMs(6 * 3_600_000);
    expect(await fillDueSchedules(api.ctx, signal)).toBeGreaterThan(0);
    const times = (await runs(api, id)).map((run) => run.expected_start_time);
    expect(times.length).toBeGreaterThan(ahead);
    expect(times).toContain("2026-06-01T16:00:00.000000Z");
    expect(new Set(times).size).toBe(times.length);
  });

  test("goes on after a restart when the clock was put right before it", async () => {
    const clock = manualClock("2026-06-01T09:00:00Z");
    await using api = await open({ clock });
    const hourly = await aDeployment(api, { schedules: [{ schedule: { cron: "0 * * * *" } }] });
    const rrule = "DTSTART:20260601T120000Z\nRRULE:FREQ=DAILY;UNTIL=20260604T120000Z";
    const ended = await aDeployment(api, { name: "ends", schedules: [{ schedule: { rrule } }] });
    await fillDueSchedules(at(api, 30 * DAY_MS), signal);
    expect(await times(api, ended)).toEqual([]);
    await fillDueSchedules(at(api, 0), signal);
    expect((await times(api, hourly)).slice(0, 3)).toEqual(
      [10, 11, 12].map((hour) => `2026-06-01T${hour}:00:00.000000Z`),
    );
    expect(await times(api, ended)).toEqual(noons(clock.now(), 3));
  });

  test("makes no run again that was deleted, of a schedule that a clock ahead of its time has not filled", async () => {
    const clock = manualClock("2026-06-01T09:00:00Z");
    await using api = await open({ clock });
    const id = await aDeployment(api, { schedules: [{ schedule: NOON }] });
    await fillDueSchedules(api.ctx, signal);
    const [first] = await runs(api, id);
    await api.delete(`/flow_runs/${first?.id}`);
    clock.advanceMs(2 * MINUTE_MS);
    await fillDueSchedules(api.ctx, signal);
    clock.advanceMs(-2 * MINUTE_MS);
    await fillDueSchedules(api.ctx, signal);
    expect(await times(api, id)).toEqual(noons(clock.now(), 3).slice(1));
  });

  test("goes on with a rule that had ended by a clock that is put right", async () => {
    const clock = manualClock("2026-06-01T09:00:00Z");
    await using api = await open({ clock });
    const rrule = "DTSTART:20260601T120000Z\nRRULE:FREQ=DAILY;UNTIL=20260610T120000Z";
    const paused = await aDeployment(api, { name: "off", schedules: [{ schedule: { rrule } }] });
    const resting = [{ schedule: { rrule }, active: false, slug: "rests" }];
    const id = await aDeployment(api, { schedules: [{ schedule: { rrule } }, ...resting] });
    await fillDueSchedules(api.ctx, signal);
    clock.advanceMs(30 * DAY_MS);
    await fillDueSchedules(api.ctx, signal);
    await api.post(`/deployments/${paused}/pause_deployment`, {});
    clock.advanceMs(-30 * DAY_MS);
    await fillDueSchedules(api.ctx, signal);
    clock.advanceMs(9 * DAY_MS);
    await fillDueSchedules(api.ctx, signal);
    expect(await times(api, id)).toEqual([
      ...noons("2026-06-01T09:00:00.000000Z", 3),
      "2026-06-10T12:00:00.000000Z",
    ]);
    expect(await times(api, paused)).not.toContain("2026-06-10T12:00:00.000000Z");
  });

  test("makes up for what a schedule lacked before a clock was put right", async () => {
    const clock = manualClock("2026-06-01T09:00:00Z");
    await using api = await open({ clock });
    const hourly = { schedule: { cron: "0 * * * *" }, catchup: "all" };
    const id = await aDeployment(api, { schedules: [hourly] });
    const holdBack = statement<{ filled_until: string; looked_at: string; due: string }>()(
      (db, p) =>
        db
          .updateTable("deployment_schedules")
          .set({ filled_until: p.filled_until, looked_at: p.looked_at, due: p.due })
          .where("workspace_id", "=", p.workspace_id),
    );
    clock.advanceMs(DAY_MS);
    await fillDueSchedules(api.ctx, AbortSignal.abort());
    const held = {
      filled_until: "2026-06-01T06:30:00.000000Z",
      looked_at: "2026-06-02T09:00:00.000000Z",
      due: "2026-06-02T09:01:00.000000Z",
    };
    await api.ctx.db.write(openScope("test").workspaceId, (tx) => tx.run(holdBack, held));
    clock.advanceMs(-DAY_MS);
    await fillDueSchedules(api.ctx, signal);
    expect((await times(api, id)).slice(0, 3)).toEqual(
      [7, 8, 9].map((hour) => `2026-06-01T0${hour}:00:00.000000Z`),
    );
  });

  test("costs the same for a rule that began long ago", async () => {
    await using api = await open();
    const anchor_date = "1990-01-01T00:00:00Z";
    const rrule = "DTSTART:19900101T000000\nRRULE:FREQ=SECONDLY;INTERVAL=7";
    const id = await aDeployment(api, {
      schedules: [
        { schedule: { interval: 1, anchor_date }, catchup: "all" },
        { schedule: { rrule } },
      ],
    });
    await fillDueSchedules(api.ctx, signal);
    const count = await api.post("/flow_runs/count", { deployments: { id: { any_: [id] } } });
    expect(count.body).toBeGreaterThanOrEqual(200);
    expect(count.body).toBeLessThan(250);
  });

  test("makes a run a second of a faster schedule that an earlier version stored, and none of one that never occurs", async () => {
    await using api = await open();
    const id = await aDeployment(api, {
      schedules: ["fast", "never"].map((slug) => ({ schedule: NOON, slug })),
    });
    for (const [slug, schedule] of [
      ["fast", { interval: 0.001, anchor_date: "2026-01-01T00:00:00.000000Z", timezone: "UTC" }],
      ["never", { rrule: "RRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY", timezone: "UTC" }],
    ] as const)
      await api.ctx.db.write(openScope("test").workspaceId, (tx) =>
        tx.run(storeSchedule, { slug, schedule: JSON.stringify(schedule) }),
      );
    await fillDueSchedules(api.ctx, signal);
    const [first, second] = (await times(api, id)).map((time) => Date.parse(time));
    expect(Number(second) - Number(first)).toBe(1000);
    expect(await times(api, id)).toHaveLength(100);
  });

  test("leaves a schedule that cannot be worked out, and goes on with the others", async () => {
    await using api = await open();
    const id = await aDeployment(api, {
      schedules: [
        { schedule: NOON, slug: "a" },
        { schedule: NOON, slug: "b" },
      ],
    });
    await api.ctx.db.write(openScope("test").workspaceId, (tx) =>
      tx.run(storeSchedule, { slug: "a", schedule: `{"cron":"nonsense"}` }),
    );
    expect(await fillDueSchedules(api.ctx, signal)).toBe(3);
    expect(await fillDueSchedules(at(api, DAY_MS * 30), signal)).toBeGreaterThan(0);
    expect(
      new Set(
        (await runs(api, id)).map(
          (run) => (run["created_by"] as { display_value: string }).display_value,
        ),
      ),
    ).toEqual(new Set(["b"]));
  });

  test("makes the run that is due when a quota begins anew, also of a schedule that makes up for nothing", async () => {
    const clock = manualClock("2026-03-01T23:30:00Z");
    await using api = await open({ clock });
    const schedule = { cron: "0 * * * *" };
    const id = await aDeployment(api, { schedules: [{ schedule, catchup: "none" }] });
    const resets = "2026-03-02T00:00:00.000000Z";
    const usedUp = { quota: "runs_per_day", limit: 1, used: 1, words: "", resets };
    const held = { ...api.ctx, quotas: { allowance: () => ({ left: 0, usedUp }) } };
    await fillDueSchedules(held, signal);
    for (; clock.now() < "2026-03-01T23:59:55"; clock.advanceMs(10_000))
      await fillDueSchedules(held, signal);
    clock.advanceMs(5000);
    await fillDueSchedules(api.ctx, signal);
    const [first, second] = await times(api, id);
    expect([first, second]).toEqual([resets, "2026-03-02T01:00:00.000000Z"]);
  });
});

describeEachApi("creating runs of a schedule now", (open) => {
  test("keeps to the bounds that are given, and creates no time twice", async () => {
    await using api = await open();
    const id = await aDeployment(api, { schedules: [{ schedule: NOON }] });
    const answer = await api.post(`/deployments/${id}/schedule`, { min_runs: 5, junk: 1 });
    expect(answer).toMatchObject({ status: 200, body: null });
    expect(await times(api, id)).toEqual(noons(api.ctx.clock.now(), 5));
    await api.post(`/deployments/${id}/schedule`, { min_runs: 6, max_runs: 6 });
    await fillDueSchedules(api.ctx, signal);
    expect(await times(api, id)).toHaveLength(6);
  });

  test("makes up to a thousand runs of each schedule", async () => {
    await using api = await open();
    const schedules = [{ schedule: { cron: "* * * * *" } }, { schedule: NOON }];
    const id = await aDeployment(api, { schedules });
    const many = { min_runs: 1000, max_runs: 1000, end_time: "2100-01-01T00:00:00Z" };
    expect(await api.post(`/deployments/${id}/schedule`, many)).toMatchObject({ status: 200 });
    const count = await api.post("/flow_runs/count", { deployments: { id: { any_: [id] } } });
    expect(count.body).toBe(2000);
    const more = await api.post(`/deployments/${id}/schedule`, { max_runs: 1001 });
    expect(more.status).toBe(422);
  });

  test("does so for a paused deployment too, but not for schedules that are switched off", async () => {
    await using api = await open();
    const schedules = [
      { schedule: NOON, slug: "on" },
      { schedule: { cron: "0 1 * * *" }, slug: "off", active: false },
    ];
    const id = await aDeployment(api, { paused: true, schedules });
    const answer = await api.post(`/deployments/${id}/schedule`, { min_runs: 5 });
    expect(answer.status).toBe(200);
    expect(await times(api, id)).toEqual(noons(api.ctx.clock.now(), 5));
  });
});
