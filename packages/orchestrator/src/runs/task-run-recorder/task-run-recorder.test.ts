import { openScope } from "@orchestrator/kernel/scope";
import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { statement } from "../../db/tables.ts";
import { plansOf } from "../../testing/plans.ts";
import { addFlowRun } from "../../testing/run-fixtures.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { createTaskRunRecorder } from "./task-run-recorder.loop.ts";

type Body = Record<string, unknown>;

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const at = (second: number): string =>
  `2026-03-01T10:00:${String(second).padStart(2, "0")}.000000Z`;
const RUN = uuid(1);
const TYPES = { Pending: "PENDING", Running: "RUNNING", Completed: "COMPLETED" } as const;

interface Report {
  readonly id: number;
  readonly second: number;
  readonly state?: keyof typeof TYPES;
  readonly flowRun?: string | null;
  readonly taskRun?: string;
  readonly run?: Body;
  readonly prefix?: string;
  readonly details?: Body;
  readonly data?: Body | null;
}

/** An event as the task engine of a client sends it. */
function report({
  id,
  second,
  state = "Running",
  flowRun = null,
  taskRun = RUN,
  run = {},
  prefix = "prefect",
  details = {},
  data = null,
}: Report): Body {
  const flowRuns = flowRun === null ? [] : [flowRun];
  return {
    id: uuid(id),
    occurred: at(second),
    event: `${prefix}.task-run.${state}`,
    resource: {
      [`${prefix}.resource.id`]: `${prefix}.task-run.${taskRun}`,
      [`${prefix}.resource.name`]: "load-0",
      [`${prefix}.orchestration`]: "client",
    },
    related: flowRuns.map((flow) => ({
      [`${prefix}.resource.id`]: `${prefix}.flow-run.${flow}`,
      [`${prefix}.resource.role`]: "flow-run",
    })),
    payload: {
      intended: { from: null, to: TYPES[state] },
      initial_state: null,
      validated_state: {
        type: TYPES[state],
        name: state,
        message: "",
        state_details: details,
        data,
      },
      task_run: { name: "load-0", task_key: "load", dynamic_key: "0", ...run },
    },
  };
}

async function createFlowRun(api: TestApi, given: Body = {}): Promise<string> {
  const flow = await api.post("/flows/", { name: "etl" });
  const flow_id = (flow.body as { readonly id: string }).id;
  const run = await api.post("/flow_runs/", { flow_id, state: { type: "RUNNING" }, ...given });
  return (run.body as { readonly id: string }).id;
}

const record = (api: TestApi): Promise<void> =>
  createTaskRunRecorder(api.ctx)(new AbortController().signal);

async function send(api: TestApi, ...events: readonly Body[]): Promise<void> {
  expect((await api.post("/events", events)).status).toBe(204);
  await record(api);
}

const read = async (api: TestApi, id = RUN): Promise<Body> =>
  (await api.get(`/task_runs/${id}`)).body as Body;

const states = async (api: TestApi, id = RUN): Promise<Body[]> =>
  (await api.get(`/task_run_states/?task_run_id=${id}`)).body as Body[];

const pending = (flowRun: string | null = null): Report => ({
  id: 10,
  second: 1,
  state: "Pending",
  flowRun,
  run: {
    tags: ["a", "a", "b"],
    labels: { team: "core" },
    cache_key: "k",
    cache_expiration: "2026-03-02T12:00:00+02:00",
    expected_start_time: at(0),
    task_inputs: { x: [{ input_type: "parameter", name: "n" }] },
    empirical_policy: { retries: 3, retry_delay: 5 },
    run_count: 0,
  },
});
const running: Report = {
  id: 11,
  second: 2,
  run: { run_count: 1, flow_run_run_count: 1, start_time: at(2) },
};
const completed: Report = {
  id: 12,
  second: 5,
  state: "Completed",
  run: { run_count: 1, end_time: at(5), total_run_time: 3 },
};

describeEachApi("the recorder of task runs", (open) => {
  test("keeps the data of a state as it was reported, in the run and in its history", async () => {
    await using api = await open({ dialect: "prefect" });
    const data = { type: "unpersisted" };
    await send(api, report({ ...completed, data }));
    expect(await read(api)).toMatchObject({ state: { data } });
    expect(await states(api)).toMatchObject([{ data }]);
  });

  test("cuts a name that is too long: what has happened cannot be refused", async () => {
    await using api = await open({ dialect: "prefect" });
    await send(api, report({ ...completed, run: { ...completed.run, name: "n".repeat(1200) } }));
    expect(await read(api)).toMatchObject({
      state_type: "COMPLETED",
      name: expect.stringMatching(/^n{498}\.{3}n{498}$/),
    });
  });

  test("cuts texts of the state and keys that are too long, and finds the run by its keys again", async () => {
    await using api = await open({ dialect: "prefect" });
    const flowRun = await createFlowRun(api);
    const long = "k".repeat(10_001);
    const keys = { task_key: long, dynamic_key: long, cache_key: long };
    const details = {
      cache_key: long,
      pause_key: long,
      traceparent: long,
      run_input_keyset: { description: long, response: long, schema: long },
    };
    const cut = expect.stringMatching(/^k{300}\.{3}[0-9a-f]{64}$/);
    await send(api, report({ ...running, flowRun, run: keys, details }));
    expect(await read(api)).toMatchObject({
      task_key: cut,
      dynamic_key: cut,
      cache_key: cut,
      state: {
        state_details: {
          cache_key: cut,
          pause_key: cut,
          traceparent: cut,
          run_input_keyset: { description: cut, response: cut, schema: cut },
        },
      },
    });
    await send(api, report({ ...completed, flowRun, taskRun: uuid(2), run: keys }));
    expect(await read(api)).toMatchObject({ state_type: "COMPLETED" });
  });

  test("keeps tags apart that are too long and differ in the middle", async () => {
    await using api = await open({ dialect: "prefect" });
    const half = "t".repeat(1000);
    const tags = [`${half}a${half}`, `${half}b${half}`, "short"];
    await send(api, report({ ...completed, run: { ...completed.run, tags } }));
    const cut = expect.stringMatching(/^t{300}\.{3}[0-9a-f]{64}$/);
    expect(await read(api)).toMatchObject({ tags: [cut, cut, "short"] });
  });

  test("finds a run by a tag that was cut, however it is looked for", async () => {
    await using api = await open({ dialect: "prefect" });
    const long = "t".repeat(2000);
    await send(api, report({ ...completed, run: { ...completed.run, tags: [long, "short"] } }));
    const found = async (all_: readonly string[], sort: string) =>
      (
        (await api.post("/task_runs/filter", { task_runs: { tags: { all_ } }, sort }))
          .body as Body[]
      ).length;
    const counted = async (all_: readonly string[]) =>
      (await api.post("/task_runs/count", { task_runs: { tags: { all_ } } })).body;
    for (const sort of ["EXPECTED_START_TIME_DESC", "NAME_ASC"]) {
      expect(await found([long], sort)).toBe(1);
      expect(await found([long, "short"], sort)).toBe(1);
      expect(await found([`${long}t`], sort)).toBe(0);
    }
    expect(await counted([long])).toBe(1);
    expect(await counted([long, "short"])).toBe(1);
  });

  test("records a run that is to be tried again less often than never", async () => {
    await using api = await open({ dialect: "prefect" });
    const empirical_policy = { retries: -1, retry_delay: [-1] };
    await send(api, report({ ...completed, run: { ...completed.run, empirical_policy } }));
    expect(await read(api)).toMatchObject({ state_type: "COMPLETED", empirical_policy });
  });

  test("writes down a run as its events tell it", async () => {
    await using api = await open({ dialect: "prefect" });
    const flowRun = await createFlowRun(api);
    await send(api, report(pending(flowRun)));
    expect(await read(api)).toMatchObject({
      flow_run_id: flowRun,
      name: "load-0",
      task_key: "load",
      tags: ["a", "b"],
      labels: { team: "core" },
      cache_expiration: "2026-03-02T10:00:00.000000Z",
      state_type: "PENDING",
      state_id: uuid(10),
      empirical_policy: { retries: 3, retry_delay: 5 },
      state: {
        timestamp: at(1),
        state_details: { task_run_id: RUN, flow_run_id: flowRun },
      },
    });
    await send(api, report({ ...running, flowRun }), report({ ...completed, flowRun }));
    expect(await read(api)).toMatchObject({
      state_name: "Completed",
      run_count: 1,
      start_time: at(2),
      end_time: at(5),
      total_run_time: 3,
      cache_key: "k",
      tags: ["a", "b"],
      expected_start_time: at(0),
      task_inputs: { x: [{ input_type: "parameter", name: "n" }] },
    });
    expect((await states(api)).map(({ id }) => id)).toEqual([uuid(10), uuid(11), uuid(12)]);
  });

  test("comes to the same whatever order the events arrive in, and however often", async () => {
    const orders = [
      [pending(), running, completed],
      [completed, running, pending()],
      [running, completed, pending()],
      [completed, pending(), running],
    ];
    for (const order of orders) {
      await using api = await open();
      for (const each of order) await send(api, report(each));
      await send(api, ...order.map(report));
      expect(await read(api)).toMatchObject({
        state_name: "Completed",
        state_id: uuid(12),
        run_count: 1,
        end_time: at(5),
        total_run_time: 3,
      });
      const recorded = (await states(api)).map(({ id }) => id);
      expect(recorded).toEqual([10, 11, 12].map(uuid));
    }
  });

  test("goes on after a restart where it ended, and records nothing twice", async () => {
    await using api = await open();
    await send(api, report(pending()));
    await api.post("/events", [report(running)]);
    await api.request("DELETE", `/task_runs/${RUN}`);
    await record(api);
    // Had it begun anew, the first state would be there again.
    expect((await states(api)).map(({ id }) => id)).toEqual([uuid(11)]);
  });

  test("keeps the id under which a run of the same keys is known", async () => {
    await using api = await open();
    const flow_run_id = await createFlowRun(api);
    const keys = { task_key: "load", dynamic_key: "0" };
    const known = await api.post("/task_runs/", { flow_run_id, ...keys });
    const { id } = known.body as { readonly id: string };
    const later = { ...completed, flowRun: flow_run_id };
    const event = { ...report(later), occurred: "2100-01-01T00:00:00Z" };
    await send(api, event);
    expect(await read(api, id)).toMatchObject({ state_name: "Completed", state_id: uuid(12) });
    expect((await api.get(`/task_runs/${RUN}`)).status).toBe(404);
    expect(await states(api, id)).toHaveLength(2);
  });

  test("leaves a run with its keys where another of its flow run has those of the report, and goes on", async () => {
    await using api = await open();
    const flowRun = await createFlowRun(api);
    const one = { flowRun, taskRun: uuid(1), run: { dynamic_key: "0" } };
    const other = { flowRun, taskRun: uuid(2), run: { dynamic_key: "1" } };
    await send(api, report({ id: 30, second: 1, ...one }), report({ id: 31, second: 1, ...other }));
    // It does not say its flow run, and so stays in the one that it is in.
    await send(api, report({ id: 32, second: 2, taskRun: uuid(1), run: { dynamic_key: "1" } }));
    await send(api, report({ id: 33, second: 3, taskRun: uuid(7), run: { dynamic_key: "9" } }));
    for (const [id, dynamic_key] of Object.entries({ 1: "0", 2: "1", 7: "9" }))
      expect((await api.get(`/task_runs/${uuid(Number(id))}`)).body).toMatchObject({ dynamic_key });
  });

  test("follows a run to other keys and another flow run, by the latest report of it", async () => {
    await using api = await open();
    const [first, second] = [await createFlowRun(api), await createFlowRun(api)];
    const moved = { task_key: "store", dynamic_key: "7" };
    await send(api, report(pending(first)));
    await send(api, report({ ...completed, flowRun: second, run: moved }));
    expect(await read(api)).toMatchObject({ flow_run_id: second, ...moved });
    await send(api, report({ ...running, flowRun: first }));
    expect(await read(api)).toMatchObject({
      flow_run_id: second,
      state_name: "Completed",
      ...moved,
    });
    const unknown = report({ id: 13, second: 9, flowRun: uuid(99), run: { dynamic_key: "8" } });
    await send(api, unknown, report({ id: 14, second: 10, run: { dynamic_key: "9" } }));
    expect(await read(api)).toMatchObject({
      flow_run_id: second,
      task_key: "load",
      dynamic_key: "9",
    });
    expect(await states(api)).toHaveLength(5);
  });

  test("takes either prefix and leaves other events alone", async () => {
    await using api = await open();
    const server = report({ ...running, id: 20, taskRun: uuid(2) });
    const { "prefect.orchestration": _client, ...resource } = server["resource"] as Body;
    await send(
      api,
      report({ ...running, prefix: "orchestrator" }),
      { ...server, resource },
      { ...report({ ...running, id: 21 }), event: "order.shipped" },
    );
    expect(await read(api)).toMatchObject({ state_name: "Running" });
    expect((await api.get(`/task_runs/${uuid(2)}`)).status).toBe(404);
    expect(await states(api)).toHaveLength(1);
  });

  test("passes over reports that make no sense", async () => {
    await using api = await open();
    const good = report(running);
    const payload = good["payload"] as { readonly validated_state: Body; readonly task_run: Body };
    const { task_key: _key, ...keyless } = payload.task_run;
    const task_run = { ...payload.task_run, start_time: "yesterday" };
    await send(
      api,
      { ...good, id: uuid(30), payload: {} },
      { ...good, id: uuid(31), payload: { ...payload, task_run } },
      { ...good, id: uuid(32), payload: { ...payload, validated_state: { type: "DONE" } } },
      { ...good, id: uuid(33), payload: { ...payload, task_run: keyless } },
      report({ ...running, id: 34, taskRun: "no-uuid" }),
      report({ ...running, id: 35, flowRun: "no-uuid" }),
      good,
    );
    expect(await read(api)).toMatchObject({ state_id: uuid(11) });
    expect(await states(api)).toHaveLength(1);
  });

  test("lets a report wait for its flow run without holding up others, and gives up in the end", async () => {
    const clock = manualClock("2026-03-01T11:00:00Z");
    await using api = await open({ clock });
    const other = uuid(99);
    await send(
      api,
      report({ ...running, flowRun: uuid(50) }),
      report({ ...running, id: 40, taskRun: other, run: { dynamic_key: "1" } }),
      report({ ...completed, id: 41, taskRun: uuid(98), flowRun: uuid(51) }),
    );
    expect(await read(api, other)).toMatchObject({ state_name: "Running" });
    expect((await api.get(`/task_runs/${RUN}`)).status).toBe(404);
    const flow = await api.post("/flows/", { name: "etl" });
    await addFlowRun(api, { id: uuid(50), flow_id: (flow.body as { readonly id: string }).id });
    await api.post(`/flow_runs/${uuid(50)}/set_state`, { state: { type: "RUNNING" }, force: true });
    await record(api);
    expect(await read(api)).toMatchObject({ flow_run_id: uuid(50), state_name: "Running" });
    expect(await countWaiting(api)).toBe(1);
    clock.advanceMs(121_000);
    await record(api);
    expect(await countWaiting(api)).toBe(0);
    expect((await api.get(`/task_runs/${uuid(98)}`)).status).toBe(404);
  });

  test("records a report that waited at the latest when it would be given up", async () => {
    const clock = manualClock("2026-03-01T11:00:00Z");
    await using api = await open({ clock });
    await send(api, report({ ...running, flowRun: uuid(50) }));
    const flow = await api.post("/flows/", { name: "etl" });
    await addFlowRun(api, { id: uuid(50), flow_id: (flow.body as { readonly id: string }).id });
    clock.advanceMs(121_000);
    await record(api);
    expect(await read(api)).toMatchObject({ flow_run_id: uuid(50), state_name: "Running" });
    expect(await countWaiting(api)).toBe(0);
  });

  test("is not misled about a flow run by an event that somebody made up", async () => {
    await using api = await open();
    await send(api, report({ ...running, flowRun: uuid(50) }));
    const resource = { "prefect.resource.id": `prefect.flow-run.${uuid(50)}` };
    const event = "prefect.flow-run.Running";
    await send(api, { id: uuid(70), occurred: at(3), event, resource, related: [], payload: {} });
    expect(await countWaiting(api)).toBe(1);
  });

  test("reads of what waits only what is due", async () => {
    await using api = await open();
    await send(api, report({ ...running, flowRun: uuid(50) }));
    await createFlowRun(api);
    const plans = await plansOf(api, (ctx) =>
      createTaskRunRecorder(ctx)(new AbortController().signal),
    );
    const calls = plans.filter((plan) => plan.includes("waiting_task_run_events_by_flow_run"));
    expect(calls).toHaveLength(1);
    expect(plans.at(-1)).toContain("waiting_task_run_events_due");
    for (const plan of plans) expect(plan).not.toMatch(/SCAN waiting|Seq Scan/);
  });

  test("believes a running flow run to be alive for three of its heartbeats", async () => {
    const clock = manualClock("2026-03-01T11:00:00Z");
    await using api = await open({ clock });
    const alive = await createFlowRun(api);
    const eager = await createFlowRun(api);
    const ended = await createFlowRun(api, { state: { type: "COMPLETED" } });
    const beat = (n: number, run: string, payload: Body = {}): Body => ({
      id: uuid(n),
      occurred: at(1),
      event: "prefect.flow-run.heartbeat",
      resource: { "prefect.resource.id": `prefect.flow-run.${run}` },
      payload,
    });
    await send(
      api,
      beat(60, alive),
      beat(61, eager, { heartbeat_interval_seconds: 30 }),
      beat(62, ended),
    );
    expect(await deadlines(api, [alive, eager, ended])).toEqual([
      "2026-03-01T11:09:00.000000Z",
      "2026-03-01T11:01:30.000000Z",
      null,
    ]);
  });

  test("believes a run whose executor promises heartbeats with RUNNING, and knows where it is", async () => {
    const clock = manualClock("2026-03-01T11:00:00Z");
    await using api = await open({ clock });
    const id = await createFlowRun(api, { state: { type: "PENDING" } });
    const running = (heartbeat_interval_seconds: number) =>
      api.post(`/flow_runs/${id}/set_state`, {
        state: { type: "RUNNING" },
        infrastructure_pid: "machine:7",
        heartbeat_interval_seconds,
      });
    expect((await running(0)).status).toBe(422);
    expect((await running(20)).status).toBe(201);
    expect(await deadlines(api, [id])).toEqual([expect.stringContaining("T11:01:00")]);
    const { body } = await api.get(`/flow_runs/${id}`);
    expect(body).toMatchObject({ state_type: "RUNNING", infrastructure_pid: "machine:7" });
  });
});

const WORKSPACE = openScope("test").workspaceId;

const selectDeadline = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("deadline")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

async function deadlines(api: TestApi, ids: readonly string[]): Promise<unknown[]> {
  const queries = api.ctx.db.in(WORKSPACE);
  const rows = await Promise.all(ids.map((id) => queries.get(selectDeadline, { id })));
  return rows.map((row) => row?.deadline);
}

const selectWaiting = statement()((db, p) =>
  db
    .selectFrom("waiting_task_run_events")
    .select("event_id")
    .where("workspace_id", "=", p.workspace_id),
);

async function countWaiting(api: TestApi): Promise<number> {
  return (await api.ctx.db.in(WORKSPACE).all(selectWaiting, {})).length;
}
