import { BackfillFilter } from "@orchestrator/contract";
import {
  describeFilterSchema,
  describeListFilter,
  type ManualClock,
  manualClock,
} from "@orchestrator/kernel/testing";
import { describe, expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { describeEachApi, type OpenTestApi, type TestApi } from "../../testing.ts";
import { advanceBackfills } from "./backfill.loop.ts";
import { BACKFILL_LIST } from "./backfills.filter.ts";

const { signal } = new AbortController();
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const NOW = "2026-11-14T12:00:00Z";
const HOURLY = { schedule: { cron: "0 * * * *" }, slug: "hourly" };
/** Five times of an hourly schedule. */
const RANGE = { start: "2026-11-01T00:00:00Z", end: "2026-11-01T04:59:00Z" };

type Body = Readonly<Record<string, unknown>>;
interface Run {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

interface Server {
  readonly api: TestApi;
  readonly clock: ManualClock;
  readonly id: string;
}

/** A server at a fixed time, with a deployment. */
async function serve(open: OpenTestApi, given: Body = { schedules: [HOURLY] }) {
  const clock = manualClock(NOW);
  const api = await open({ clock });
  const id = await aDeployment(api, given);
  return { api, clock, id, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

async function aDeployment(api: TestApi, given: Body, name = "nightly"): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const { id: flow_id } = flow.body as Run;
  const { status, body } = await api.post("/deployments/", { name, flow_id, ...given });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as Run).id;
}

async function backfill({ api, id }: Server, given: Body = {}): Promise<string> {
  const { status, body } = await api.post(`/deployments/${id}/backfill`, { ...RANGE, ...given });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body as Run).id;
}

const read = async ({ api }: Server, id: string) =>
  (await api.get(`/backfills/${id}`)).body as Body;

/** The next pass of the loop. */
async function pass({ api, clock }: Server, ctx: OrchestratorContext = api.ctx): Promise<number> {
  clock.advanceMs(2000);
  return advanceBackfills(ctx, signal);
}

async function runs({ api }: Server): Promise<Run[]> {
  const answer = await api.post("/flow_runs/filter", { sort: "ID_DESC" });
  return (answer.body as Run[]).toReversed();
}

const times = async (server: Server) =>
  (await runs(server)).map(({ labels }) => labels["orchestrator.scheduled-for"]?.slice(5, 16));

async function end({ api }: Server, ids: readonly string[], type = "COMPLETED"): Promise<void> {
  for (const id of ids)
    await api.post(`/flow_runs/${id}/set_state`, { state: { type }, force: true });
}

const activeIds = async (server: Server) =>
  (await runs(server)).filter((run) => run["state_type"] === "SCHEDULED").map(({ id }) => id);

const told = async ({ api }: Server) =>
  (await api.events())
    .map(({ event }) => event)
    .filter((event) => event.includes("backfill"))
    .map((event) => event.replace("orchestrator.backfill.", ""));

describeEachApi("a backfill", (open) => {
  test("is answered with its record, which says how far it has come", async () => {
    await using server = await serve(open);
    const { api, id } = server;
    const answer = await api.post(`/deployments/${id}/backfill`, {
      ...RANGE,
      parameters: { a: 1 },
    });
    const { schedules } = (await api.get(`/deployments/${id}`)).body as { schedules: Run[] };
    expect(answer).toMatchObject({
      status: 201,
      body: {
        deployment_id: id,
        status: "RUNNING",
        start: "2026-11-01T00:00:00.000000Z",
        end: "2026-11-01T04:59:00.000000Z",
        schedule_id: null,
        schedules: [{ id: schedules[0]?.id, slug: "hourly", schedule: HOURLY.schedule }],
        parameters: { a: 1 },
        max_concurrent: 10,
        order: "oldest-first",
        skip_existing: false,
        idempotency_key: null,
        total: 5,
        created_runs: 0,
        skipped: 0,
        active_runs: 0,
        states: {},
        next_time: "2026-11-01T00:00:00.000000Z",
      },
    });
    const { id: backfillId } = answer.body as Run;
    expect(await read(server, backfillId)).toEqual(answer.body);
    expect(await pass(server)).toBe(5);
    const [first] = await activeIds(server);
    await end(server, [first ?? ""]);
    expect(await read(server, backfillId)).toMatchObject({
      status: "RUNNING",
      created_runs: 5,
      active_runs: 4,
      states: { SCHEDULED: 4, COMPLETED: 1 },
      next_time: null,
    });
  });

  test("makes one run for each time, from the deployment, the schedule and its own parameters", async () => {
    await using server = await serve(open, {
      tags: ["x"],
      version: "7",
      parameters: { a: 1, b: 1, c: 1 },
      labels: { team: "data" },
      schedules: [{ ...HOURLY, parameters: { b: 2, c: 2 } }],
    });
    const id = await backfill(server, { parameters: { c: 3 } });
    await pass(server);
    expect(await times(server)).toEqual([0, 1, 2, 3, 4].map((hour) => `11-01T0${hour}:00`));
    const [run] = await runs(server);
    const { schedules } = (await read(server, id)) as unknown as { schedules: Run[] };
    expect(run).toMatchObject({
      deployment_id: server.id,
      deployment_version: "7",
      parameters: { a: 1, b: 2, c: 3 },
      tags: ["backfill", "x"],
      labels: {
        team: "data",
        "orchestrator.deployment.id": server.id,
        "orchestrator.backfill.id": id,
        "orchestrator.scheduled-for": "2026-11-01T00:00:00.000000Z",
      },
      auto_scheduled: false,
      idempotency_key: `backfill ${id} ${schedules[0]?.id} 2026-11-01T00:00:00.000000Z`,
      created_by: {
        id,
        type: "BACKFILL",
        display_value: "Backfill from 2026-11-01T00:00:00.000000Z to 2026-11-01T04:59:00.000000Z",
      },
      state_type: "SCHEDULED",
      next_scheduled_start_time: server.clock.now(),
    });
    const page = { flow_runs: { created_by: { id_: [id] } } };
    expect((await server.api.post("/flow_runs/count", page)).body).toBe(5);
  });

  test("keeps to its limit, goes on as runs end, and is completed when all have", async () => {
    await using server = await serve(open);
    const id = await backfill(server, { max_concurrent: 2 });
    expect(await pass(server)).toBe(2);
    expect(await pass(server)).toBe(0);
    expect(await read(server, id)).toMatchObject({ next_time: "2026-11-01T02:00:00.000000Z" });
    const [first, second] = await activeIds(server);
    await end(server, [first ?? ""], "FAILED");
    expect(await pass(server)).toBe(1);
    await end(server, [second ?? ""]);
    for (let n = 0; n < 4; n += 1) {
      await pass(server);
      expect((await activeIds(server)).length).toBeLessThanOrEqual(2);
      await end(server, await activeIds(server));
    }
    await pass(server);
    expect(await read(server, id)).toMatchObject({
      status: "COMPLETED",
      total: 5,
      created_runs: 5,
      active_runs: 0,
      states: { COMPLETED: 4, FAILED: 1 },
      next_time: null,
    });
    expect(await times(server)).toHaveLength(5);
    expect(await told(server)).toEqual(["created", "completed"]);
    expect(await pass(server)).toBe(0);
  });

  test("goes on when a clock that was a day ahead is put right", async () => {
    await using server = await serve(open);
    await backfill(server, { max_concurrent: 2 });
    server.clock.advanceMs(24 * 3_600_000);
    expect(await pass(server)).toBe(2);
    await end(server, await activeIds(server));
    server.clock.advanceMs(-24 * 3_600_000);
    expect(await pass(server)).toBe(2);
    expect(await pass(server)).toBe(0);
  });

  test("is looked at once in a pass during which the machine sleeps for minutes", async () => {
    await using server = await serve(open);
    await backfill(server, { max_concurrent: 1 });
    const { clock, api } = server;
    clock.advanceMs(2000);
    let looks = 0;
    const nowMicros = () => {
      looks += 1;
      if (looks === 2) clock.advanceMs(180_000);
      // A pass that never ends would go on in the tests behind this one.
      if (looks > 50) throw new Error("It is looked at again and again");
      return clock.nowMicros();
    };
    const slow = { ...api.ctx, clock: { ...api.ctx.clock, now: () => clock.now(), nowMicros } };
    expect(await advanceBackfills(slow, signal)).toBe(1);
  });

  test("makes more than one transaction's worth of runs in one pass", async () => {
    await using server = await serve(open);
    const end = "2026-11-03T23:00:00Z";
    const id = await backfill(server, { end, max_concurrent: 60 });
    expect(await pass(server)).toBe(60);
    expect(await read(server, id)).toMatchObject({ total: 72, created_runs: 60, active_runs: 60 });
  });

  test("begins with the newest time where that is wanted", async () => {
    await using server = await serve(open);
    const id = await backfill(server, { max_concurrent: 3, order: "newest-first" });
    await pass(server);
    expect(await times(server)).toEqual(["11-01T04:00", "11-01T03:00", "11-01T02:00"]);
    expect(await read(server, id)).toMatchObject({ next_time: "2026-11-01T01:00:00.000000Z" });
    await end(server, await activeIds(server));
    expect(await pass(server)).toBe(2);
    expect((await times(server)).slice(3)).toEqual(["11-01T01:00", "11-01T00:00"]);
  });

  test("takes every active schedule, or the one that is named even if it is inactive", async () => {
    const daily = { schedule: { cron: "0 2 * * *" }, slug: "daily" };
    const off = { schedule: { cron: "30 2 * * *" }, slug: "off", active: false };
    await using server = await serve(open, { schedules: [HOURLY, daily, off] });
    await backfill(server, { max_concurrent: 4 });
    await pass(server);
    await end(server, await activeIds(server));
    await pass(server);
    const expected = ["00:00", "01:00", "02:00", "02:00", "03:00", "04:00"];
    expect(await times(server)).toEqual(expected.map((time) => `11-01T${time}`));
    expect(new Set((await runs(server)).map((run) => run["idempotency_key"])).size).toBe(6);
    const { body } = await server.api.get(`/deployments/${server.id}`);
    const schedules = (body as { schedules: Run[] }).schedules;
    const schedule_id = schedules.find((schedule) => schedule["slug"] === "off")?.id;
    const id = await backfill(server, { schedule_id });
    await pass(server);
    expect(await read(server, id)).toMatchObject({ schedule_id, total: 1, created_runs: 1 });
    expect((await times(server)).at(-1)).toBe("11-01T02:30");
  });

  test("follows the clock on the wall over a change of it", async () => {
    const schedule = { cron: "0 9 * * *", timezone: "America/New_York" };
    await using server = await serve(open, { schedules: [{ schedule }] });
    await backfill(server, { start: "2026-10-31T00:00:00Z", end: "2026-11-02T23:00:00Z" });
    await pass(server);
    expect(await times(server)).toEqual(["10-31T13:00", "11-01T14:00", "11-02T14:00"]);
  });

  test("keeps to the schedules as they were, and goes on when these are gone", async () => {
    await using server = await serve(open);
    const id = await backfill(server, { max_concurrent: 2 });
    await pass(server);
    await server.api.patch(`/deployments/${server.id}`, { schedules: [], parameters: { z: 1 } });
    const { body } = await server.api.get(`/deployments/${server.id}/schedules`);
    for (const schedule of body as Run[])
      await server.api.delete(`/deployments/${server.id}/schedules/${schedule.id}`);
    await end(server, await activeIds(server));
    expect(await pass(server)).toBe(2);
    expect((await times(server)).slice(2)).toEqual(["11-01T02:00", "11-01T03:00"]);
    expect((await runs(server)).at(-1)).toMatchObject({ parameters: { z: 1 } });
    expect(await read(server, id)).toMatchObject({ total: 5, created_runs: 4 });
  });

  test("keeps its runs when the deployment is paused, and goes when the deployment does", async () => {
    await using server = await serve(open);
    const id = await backfill(server, { max_concurrent: 2 });
    await pass(server);
    await server.api.post(`/deployments/${server.id}/pause_deployment`);
    expect(await times(server)).toHaveLength(2);
    await server.api.delete(`/deployments/${server.id}`);
    expect(await server.api.get(`/backfills/${id}`)).toMatchObject({ status: 404 });
    expect(await pass(server)).toBe(0);
    expect(await times(server)).toEqual([]);
  });

  test("makes times anew that the schedule has made, or leaves them out", async () => {
    await using server = await serve(open);
    const { api } = server;
    const start_time = "2026-11-01T01:00:00Z";
    await api.post(`/deployments/${server.id}/schedule`, { start_time, max_runs: 2, min_time: 0 });
    const before = (await runs(server)).map((run) => run["expected_start_time"]);
    expect(before).toEqual(["2026-11-01T01:00:00.000000Z", "2026-11-01T02:00:00.000000Z"]);
    const again = await backfill(server);
    expect(await pass(server)).toBe(5);
    const left = await backfill(server, { skip_existing: true, max_concurrent: 2 });
    expect(await pass(server)).toBe(2);
    expect((await times(server)).slice(-2)).toEqual(["11-01T00:00", "11-01T03:00"]);
    expect(await read(server, left)).toMatchObject({
      skip_existing: true,
      skipped: 2,
      created_runs: 2,
      next_time: "2026-11-01T04:00:00.000000Z",
    });
    expect(await read(server, again)).toMatchObject({ skipped: 0, created_runs: 5 });
  });

  test("that leaves out all times is completed at once", async () => {
    await using server = await serve(open);
    const start_time = RANGE.start;
    const request = { start_time, max_runs: 5, min_runs: 5, min_time: 0 };
    await server.api.post(`/deployments/${server.id}/schedule`, request);
    const id = await backfill(server, { skip_existing: true, order: "newest-first" });
    expect(await pass(server)).toBe(0);
    expect(await read(server, id)).toMatchObject({ status: "COMPLETED", skipped: 5 });
  });
});

describeEachApi("the progress of a backfill", (open) => {
  test("is neither lost nor doubled when several replicas look at once", async () => {
    await using server = await serve(open);
    const end = "2026-11-03T23:00:00Z";
    for (let n = 0; n < 3; n += 1) await backfill(server, { end, max_concurrent: 40 });
    server.clock.advanceMs(2000);
    const { ctx } = server.api;
    const created = await Promise.all([1, 2, 3].map(() => advanceBackfills({ ...ctx }, signal)));
    expect(created.reduce((sum, n) => sum + n, 0)).toBe(120);
    expect((await server.api.post("/flow_runs/count")).body).toBe(120);
  });

  test("goes on after a replica died in the middle of a pass", async () => {
    await using server = await serve(open);
    const id = await backfill(server, { end: "2026-11-02T23:00:00Z", max_concurrent: 100 });
    const { ctx } = server.api;
    let ids = 0;
    const dying: OrchestratorContext = {
      ...ctx,
      ids: {
        ...ctx.ids,
        uuid7: () => {
          ids += 1;
          if (ids > 60) throw new Error("killed");
          return ctx.ids.uuid7();
        },
      },
    };
    await pass(server, dying);
    const { created_runs } = await read(server, id);
    expect(created_runs).toBe(25);
    expect((await server.api.post("/flow_runs/count")).body).toBe(25);
    // It is still in the hands of the one that died.
    expect(await pass(server)).toBe(0);
    server.clock.advanceMs(60_000);
    expect(await pass(server)).toBe(48 - 25);
    const found = await times(server);
    expect(found).toHaveLength(48);
    expect(new Set(found).size).toBe(48);
  });
});

describeEachApi("a backfill that is cancelled", (open) => {
  test("makes no more runs until it is resumed, and then goes on where it was", async () => {
    await using server = await serve(open);
    const { api } = server;
    const id = await backfill(server, { max_concurrent: 2 });
    await pass(server);
    const cancelled = await api.post(`/backfills/${id}/cancel`);
    expect(cancelled).toMatchObject({
      status: 200,
      body: { status: "CANCELLED", created_runs: 2, active_runs: 2 },
    });
    expect(await api.post(`/backfills/${id}/cancel`)).toMatchObject({
      status: 200,
      body: cancelled.body,
    });
    expect(await activeIds(server)).toHaveLength(2);
    await end(server, await activeIds(server));
    expect(await pass(server)).toBe(0);
    expect(await read(server, id)).toMatchObject({ status: "CANCELLED" });
    const resumed = await api.post(`/backfills/${id}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { status: "RUNNING" } });
    expect(await api.post(`/backfills/${id}/resume`)).toMatchObject({
      status: 200,
      body: resumed.body,
    });
    expect(await pass(server)).toBe(2);
    expect((await times(server)).slice(2)).toEqual(["11-01T02:00", "11-01T03:00"]);
    expect(await told(server)).toEqual(["created", "cancelled", "resumed"]);
  });

  test("has its runs cancelled where that is wanted, also later", async () => {
    await using server = await serve(open);
    const { api } = server;
    const id = await backfill(server, { max_concurrent: 3 });
    await pass(server);
    const [first] = await activeIds(server);
    await end(server, [first ?? ""]);
    await api.post(`/backfills/${id}/cancel`);
    await pass(server);
    expect(await read(server, id)).toMatchObject({ states: { COMPLETED: 1, SCHEDULED: 2 } });
    await api.post(`/backfills/${id}/cancel`, { cancel_runs: true });
    expect(await pass(server)).toBe(0);
    expect(await read(server, id)).toMatchObject({
      status: "CANCELLED",
      states: { COMPLETED: 1, CANCELLING: 2 },
    });
    await api.post(`/backfills/${id}/resume`);
    expect(await pass(server)).toBe(1);
    expect((await times(server)).at(-1)).toBe("11-01T03:00");
    expect(await told(server)).toEqual(["created", "cancelled", "resumed"]);
  });

  test("while a pass is under way is let go by that pass", async () => {
    await using server = await serve(open);
    const id = await backfill(server, { end: "2026-11-03T23:00:00Z", max_concurrent: 100 });
    server.clock.advanceMs(2000);
    const { ctx } = server.api;
    const [created] = await Promise.all([
      advanceBackfills(ctx, signal),
      server.api.post(`/backfills/${id}/cancel`),
    ]);
    expect(await pass(server)).toBe(0);
    expect(await read(server, id)).toMatchObject({ status: "CANCELLED", created_runs: created });
    await server.api.post(`/backfills/${id}/resume`);
    await pass(server);
    const found = await times(server);
    expect(found).toHaveLength(72);
    expect(new Set(found).size).toBe(72);
  });

  test("cannot have completed", async () => {
    await using server = await serve(open);
    const id = await backfill(server);
    await pass(server);
    await end(server, await activeIds(server));
    await pass(server);
    const { api } = server;
    expect(await api.post(`/backfills/${id}/cancel`)).toMatchObject({ status: 409 });
    expect(await api.post(`/backfills/${id}/resume`)).toMatchObject({ status: 409 });
    for (const path of ["", "/cancel", "/resume"])
      expect(
        await api.request(path === "" ? "GET" : "POST", `/backfills/${UNKNOWN_ID}${path}`),
      ).toMatchObject({ status: 404 });
  });
});

describeEachApi("a request for a backfill", (open) => {
  test("with a known key is answered with the backfill of that key", async () => {
    await using server = await serve(open);
    const { api, id } = server;
    const body = { ...RANGE, idempotency_key: "october" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.post(`/deployments/${id}/backfill`, body)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(new Set(answers.map((answer) => (answer.body as Run).id)).size).toBe(1);
    await api.patch(`/deployments/${id}`, { paused: true });
    const again = await api.post(`/deployments/${id}/backfill`, { ...body, start: "2020-01-01" });
    expect(again).toMatchObject({ status: 200, body: { total: 5, idempotency_key: "october" } });
    const other = await aDeployment(api, { schedules: [HOURLY] }, "other");
    expect(await api.post(`/deployments/${other}/backfill`, body)).toMatchObject({ status: 201 });
    expect(await pass(server)).toBe(10);
    expect(await told(server)).toEqual(["created", "created"]);
  });

  test.each<[Body, string, string]>([
    [{ start: "2026-11-02T00:00:00Z" }, "start", "begins after its end"],
    [{ end: "2026-11-14T12:00:01Z" }, "end", "after now"],
    [{ start: "1500-01-01T00:00:00Z" }, "start", "at the earliest"],
    [{ start: "2026-11-01T00:10:00Z", end: "2026-11-01T00:20:00Z" }, "start", "no time"],
    [{ start: "2025-01-01T00:00:00Z" }, "start", "there would be 16061 runs"],
    [{ start: "1901-01-01T00:00:00Z" }, "start", "more than 100000 runs"],
    [{ schedule_id: UNKNOWN_ID }, "schedule_id", "no such schedule"],
    [{ max_concurrent: 0 }, "max_concurrent", ""],
    [{ max_concurrent: 101 }, "max_concurrent", ""],
    [{ order: "random" }, "order", ""],
    [{ idempotency_key: "" }, "idempotency_key", ""],
    [{ start: "yesterday" }, "start", ""],
    [{ since: "yesterday" }, "since", ""],
  ])("%j is refused with what is wrong", async (given, key, msg) => {
    await using server = await serve(open);
    const answer = await server.api.post(`/deployments/${server.id}/backfill`, {
      ...RANGE,
      ...given,
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { exception_detail: [{ loc: ["body", key], msg: expect.stringContaining(msg) }] },
    });
    expect((await server.api.post("/backfills/filter")).body).toEqual([]);
  });

  test("needs a deployment, a schedule and parameters that fit", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    await using server = await serve(open, {
      schedules: [{ ...HOURLY, active: false }],
      enforce_parameter_schema: true,
      parameter_openapi_schema: schema,
    });
    const { api, id } = server;
    expect(await api.post(`/deployments/${UNKNOWN_ID}/backfill`, RANGE)).toMatchObject({
      status: 404,
    });
    expect(await api.post(`/deployments/${id}/backfill`, RANGE)).toMatchObject({
      status: 422,
      body: { exception_detail: [{ msg: expect.stringContaining("no active schedule") }] },
    });
    const { schedules } = (await api.get(`/deployments/${id}`)).body as { schedules: Run[] };
    const body = { ...RANGE, schedule_id: schedules[0]?.id };
    expect(await api.post(`/deployments/${id}/backfill`, body)).toMatchObject({ status: 422 });
    const wrong = { ...body, parameters: { n: "many" } };
    expect(await api.post(`/deployments/${id}/backfill`, wrong)).toMatchObject({ status: 422 });
    const right = { ...body, parameters: { n: 1 } };
    expect(await api.post(`/deployments/${id}/backfill`, right)).toMatchObject({ status: 201 });
  });

  test("without an end reaches until now", async () => {
    await using server = await serve(open);
    const { body } = await server.api.post(`/deployments/${server.id}/backfill`, {
      start: "2026-11-14T09:30:00Z",
      end: null,
    });
    expect(body).toMatchObject({ end: server.clock.now(), total: 3 });
  });
});

describeEachApi("backfills", (open) => {
  test("are listed, the newest first, by deployment and status", async () => {
    await using server = await serve(open);
    const { api, clock } = server;
    const first = await backfill(server);
    clock.advanceMs(1000);
    const second = await backfill(server);
    await api.post(`/backfills/${first}/cancel`);
    const ids = async (body: Body) =>
      ((await api.post("/backfills/filter", body)).body as Run[]).map(({ id }) => id);
    expect(await ids({})).toEqual([second, first]);
    expect(await ids({ sort: "CREATED_ASC", limit: 1 })).toEqual([first]);
    expect(await ids({ backfills: { status: { any_: ["CANCELLED"] } } })).toEqual([first]);
    const of = (id: string) => ({ backfills: { deployment_id: { any_: [id] } } });
    expect(await ids(of(server.id))).toEqual([second, first]);
    expect(await ids(of(UNKNOWN_ID))).toEqual([]);
    expect(await ids({ backfills: { id: { any_: [first] } } })).toEqual([first]);
    const [listed] = (await api.post("/backfills/filter", { limit: 1 })).body as Run[];
    expect(listed).toEqual(await read(server, second));
  });
});

describe("the filter of backfills", () => {
  test("is documented as it is", () => {
    expect(describeListFilter(BACKFILL_LIST)).toEqual(describeFilterSchema(BackfillFilter));
  });
});
