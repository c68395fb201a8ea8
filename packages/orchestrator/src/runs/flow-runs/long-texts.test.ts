import { randomBytes } from "node:crypto";
import { openScope } from "@orchestrator/kernel/scope";
import type { Statement } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { statement } from "../../db/tables.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

interface Run {
  readonly id: string;
}

const LONG_NAME = `first${"n".repeat(2000)}last`;
const LONG_KEY = "k".repeat(5000);
/** So alike in itself that every database can make it small, and so keep it. */
const WIDE_TEXT = "日".repeat(900);
const PAIR = "😀";
/** No database can make it smaller. */
const dense = (bytes: number): string => randomBytes(bytes).toString("base64").slice(0, bytes);

async function newRun(api: TestApi, given: object = {}): Promise<{ status: number; run: Run }> {
  const flow = (await api.post("/flows/", { name: "big" })).body as Run;
  const { status, body } = await api.post("/flow_runs/", { flow_id: flow.id, ...given });
  return { status, run: body as Run };
}

async function newTask(api: TestApi, given: object): Promise<{ status: number; run: Run }> {
  const { status, body } = await api.post("/task_runs/", {
    task_key: "t",
    dynamic_key: "0",
    ...given,
  });
  return { status, run: body as Run };
}

const found = async (api: TestApi, kind: "flow_runs" | "task_runs", filter: object) =>
  ((await api.post(`/${kind}/filter`, { [kind]: filter })).body as Run[]).map(({ id }) => id);

describeEachApi("a text of a run that was cut", (open) => {
  test("is found by what was sent: the key and the name of a flow run", async () => {
    await using api = await open();
    const { run } = await newRun(api, { name: LONG_NAME, idempotency_key: LONG_KEY });
    const { run: other } = await newRun(api, { name: "short", idempotency_key: "short" });
    const find = (filter: object) => found(api, "flow_runs", filter);
    expect(await find({ idempotency_key: { any_: [LONG_KEY] } })).toEqual([run.id]);
    expect(await find({ idempotency_key: { any_: [LONG_KEY, "x"] } })).toEqual([run.id]);
    expect(await find({ idempotency_key: { not_any_: [LONG_KEY] } })).toEqual([other.id]);
    expect(await find({ idempotency_key: { any_: [`${LONG_KEY}x`] } })).toEqual([]);
    expect(await find({ name: { any_: [LONG_NAME] } })).toEqual([run.id]);
    expect(await find({ name: { any_: ["short"] } })).toEqual([other.id]);
  });

  test("is found by what was sent: the version of the flow", async () => {
    await using api = await open();
    const [long, longer] = [dense(2501), dense(9000)];
    const { run } = await newRun(api, { flow_version: long });
    const { run: other } = await newRun(api, { flow_version: dense(2500) });
    const find = (...any_: readonly string[]) =>
      found(api, "flow_runs", { flow_version: { any_ } });
    expect(await find(long)).toEqual([run.id]);
    expect(await find(long.slice(1))).toEqual([]);
    const changed = await api.patch(`/flow_runs/${other.id}`, { flow_version: longer });
    expect(changed.status).toBe(204);
    expect(await find(longer)).toEqual([other.id]);
    expect((await find(longer, long)).toSorted()).toEqual([run.id, other.id].toSorted());
  });

  test("is found by what was sent: the names of a task run and of states", async () => {
    await using api = await open();
    const state = { type: "RUNNING", name: LONG_NAME };
    const { run } = await newRun(api, { state });
    const { run: other } = await newRun(api);
    const { run: task } = await newTask(api, { flow_run_id: run.id, name: LONG_NAME, state });
    const named = { state: { name: { any_: [LONG_NAME] } } };
    expect(await found(api, "flow_runs", named)).toEqual([run.id]);
    const count = await api.post("/flow_runs/count", { flow_runs: named });
    expect(count.body).toBe(1);
    const others = { state: { name: { not_any_: [LONG_NAME] } } };
    expect(await found(api, "flow_runs", others)).toEqual([other.id]);
    expect(await found(api, "task_runs", named)).toEqual([task.id]);
    expect(await found(api, "task_runs", { name: { any_: [LONG_NAME] } })).toEqual([task.id]);
  });

  test("is not cut before it is as long as the contract says: then every index still takes it", async () => {
    await using api = await open();
    const name = PAIR.repeat(600);
    const state = { type: "RUNNING", name: PAIR.repeat(255) };
    const idempotency_key = dense(2500);
    const { run } = await newRun(api, { name, state, idempotency_key });
    expect(run).toMatchObject({ name, state, idempotency_key });
    const keys = { task_key: dense(1250), dynamic_key: dense(1250) };
    const made = await newTask(api, { flow_run_id: run.id, ...keys });
    expect(made).toMatchObject({ status: 201, run: keys });
  });
});

interface Written {
  readonly id: string;
  readonly text: string;
}

const writeFlowRun = statement<Written>()((db, p) =>
  db
    .updateTable("flow_runs")
    .set({ idempotency_key: p.text, name: p.text })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);
const writeTaskRun = statement<Written>()((db, p) =>
  db
    .updateTable("task_runs")
    .set({ task_key: p.text, dynamic_key: p.text, name: p.text })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);
const writeCached = statement<{ from: string; text: string }>()((db, p) =>
  db
    .updateTable("task_run_cache")
    .set({ cache_key: p.text })
    .where("workspace_id", "=", p.workspace_id)
    .where("cache_key", "=", p.from),
);

const write = <P>(api: TestApi, change: Statement<P, unknown>, values: P): Promise<number> =>
  api.ctx.db.write(openScope("test").workspaceId, (tx) => tx.run(change, values));

describeEachApi("a text that was kept as it is when only characters were counted", (open) => {
  test("keeps a flow run from being made twice, and finds it", async () => {
    await using api = await open();
    const { run } = await newRun(api, { idempotency_key: "before" });
    await write(api, writeFlowRun, { id: run.id, text: WIDE_TEXT });
    const again = await newRun(api, { idempotency_key: WIDE_TEXT });
    expect(again).toMatchObject({ status: 200, run: { id: run.id } });
    const wanted = { any_: [WIDE_TEXT] };
    expect(await found(api, "flow_runs", { idempotency_key: wanted })).toEqual([run.id]);
    expect(await found(api, "flow_runs", { name: wanted })).toEqual([run.id]);
  });

  test("keeps a task run from being made twice, and finds it", async () => {
    await using api = await open();
    const flow_run_id = (await newRun(api)).run.id;
    const { run } = await newTask(api, { flow_run_id });
    await write(api, writeTaskRun, { id: run.id, text: WIDE_TEXT });
    const keys = { task_key: WIDE_TEXT, dynamic_key: WIDE_TEXT };
    const again = await newTask(api, { flow_run_id, ...keys });
    expect(again).toMatchObject({ status: 200, run: { id: run.id } });
    expect(await found(api, "task_runs", { name: { any_: [WIDE_TEXT] } })).toEqual([run.id]);
  });

  test("finds the result that is remembered under it", async () => {
    await using api = await open();
    const complete = async (dynamic_key: string, type: string, cache_key: string) => {
      const { run } = await newTask(api, { dynamic_key });
      const state = { type, state_details: { cache_key } };
      return api.post(`/task_runs/${run.id}/set_state`, { state });
    };
    await complete("0", "COMPLETED", "before");
    expect(await write(api, writeCached, { from: "before", text: WIDE_TEXT })).toBe(1);
    const cached = { body: { state: { name: "Cached" } } };
    expect(await complete("1", "RUNNING", WIDE_TEXT)).toMatchObject(cached);
  });
});
