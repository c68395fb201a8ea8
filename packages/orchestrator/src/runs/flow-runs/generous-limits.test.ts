import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { describeEachApi, type TestApi } from "../../testing.ts";

interface Run {
  readonly id: string;
  readonly state: { readonly type: string; readonly message: string };
  readonly parameters: unknown;
}

async function newRun(api: TestApi, given: object = {}): Promise<Run> {
  const flow = (await api.post("/flows/", { name: "big" })).body as { readonly id: string };
  const { status, body } = await api.post("/flow_runs/", { flow_id: flow.id, ...given });
  expect(status).toBe(201);
  return body as Run;
}

describeEachApi("what clients send much of", (open) => {
  test("is taken: a run that fails with megabytes of text has failed, with the beginning and the end of it", async () => {
    await using api = await open();
    const run = await newRun(api, { state: { type: "RUNNING" } });
    const message = `first${"m".repeat(2_000_000)}last`;
    const state = { type: "FAILED", message };
    const { status } = await api.post(`/flow_runs/${run.id}/set_state`, { state });
    expect(status).toBe(201);
    const kept = (await api.get(`/flow_runs/${run.id}`)).body as Run;
    expect(kept.state.type).toBe("FAILED");
    expect(kept.state.message).toMatch(/^firstm+\.\.\.m+last$/);
    expect(kept.state.message.length).toBeLessThanOrEqual(500_000);
  });

  test("is taken: parameters within each other 150 times", async () => {
    await using api = await open();
    let x: unknown = 1;
    for (let depth = 0; depth < 150; depth += 1) x = [x];
    expect((await newRun(api, { parameters: { x } })).parameters).toEqual({ x });
  });

  test("is taken: fewer retries than none, which are none", async () => {
    await using api = await open();
    const empirical_policy = { retries: -1, retry_delay: -5 };
    const run = await newRun(api, { state: { type: "RUNNING" }, empirical_policy });
    expect(run).toMatchObject({ empirical_policy });
    const failed = await api.post(`/flow_runs/${run.id}/set_state`, { state: { type: "FAILED" } });
    expect(failed.body).toMatchObject({ status: "ACCEPT", state: { type: "FAILED" } });
  });

  test("is taken: a filter with thousands of ids", async () => {
    await using api = await open();
    const { id } = await newRun(api);
    const any_ = [...Array.from({ length: 2500 }, () => randomUUID()), id];
    const found = await api.post("/flow_runs/filter", { flow_runs: { id: { any_ } } });
    expect((found.body as Run[]).map((run) => run.id)).toEqual([id]);
  });
});

const WIDE = "日";

/** No two pieces of it are alike, so that a database cannot make it smaller. */
function wide(length: number): string {
  const codes = Array.from({ length }, (_, i) => 0x4e00 + ((i * i * 7919 + i * 104_729) % 20_000));
  return String.fromCharCode(...codes);
}

describeEachApi("a run", (open) => {
  test.each(["n", WIDE])(
    "is renamed, and made, with a name that is longer than names are: its beginning and end are kept (%s)",
    async (letter) => {
      await using api = await open({ dialect: "prefect" });
      const name = `first${letter.repeat(2000)}last`;
      const cut = expect.stringMatching(new RegExp(`^first${letter}+\\.\\.\\.${letter}+last$`));
      const { id } = await newRun(api, { state: { type: "PENDING" } });
      expect((await api.patch(`/flow_runs/${id}`, { name })).status).toBe(204);
      expect((await api.get(`/flow_runs/${id}`)).body).toMatchObject({ name: cut });
      expect(await newRun(api, { name })).toMatchObject({ name: cut });
      const keys = { task_key: "t", dynamic_key: "0" };
      const task = await api.post("/task_runs/", { flow_run_id: id, ...keys, name });
      expect(task).toMatchObject({ status: 201, body: { name: cut } });
    },
  );

  test.each([["ASCII", "k".repeat(5000)] as const, ["other letters", wide(1000)] as const])(
    "is told apart by keys of any length: %s",
    async (_, key) => {
      await using api = await open();
      const first = await newRun(api, { idempotency_key: key });
      expect((await newRunAgain(api, key)).id).toBe(first.id);
      expect((await newRunAgain(api, `${key}x`)).id).not.toBe(first.id);
      const task = { flow_run_id: first.id, task_key: key, dynamic_key: key };
      const made = await api.post("/task_runs/", task);
      expect(made.status).toBe(201);
      const again = await api.post("/task_runs/", task);
      expect(again).toMatchObject({ status: 200, body: { id: (made.body as Run).id } });
      const other = await api.post("/task_runs/", { ...task, dynamic_key: `${key}x` });
      expect(other.status).toBe(201);
    },
  );

  test("may go into a state with a long name, and remember its result under a long key", async () => {
    await using api = await open();
    const { id } = await newRun(api, { state: { type: "RUNNING" } });
    const state = { type: "COMPLETED", name: `first${"s".repeat(500)}last` };
    expect(await api.post(`/flow_runs/${id}/set_state`, { state })).toMatchObject({
      status: 201,
      body: { state: { name: expect.stringMatching(/^firsts+\.\.\.s+last$/) } },
    });
    const state_details = { cache_key: wide(2000) };
    const run = async (dynamic_key: string, type: string): Promise<unknown> => {
      const task = { flow_run_id: id, task_key: "t", dynamic_key };
      const made = (await api.post("/task_runs/", task)).body as Run;
      return api.post(`/task_runs/${made.id}/set_state`, { state: { type, state_details } });
    };
    expect(await run("0", "COMPLETED")).toMatchObject({ status: 201 });
    expect(await run("1", "RUNNING")).toMatchObject({ body: { state: { name: "Cached" } } });
  });

  test("may have tags of 1,000 characters, as long as they take 2,500 bytes at most", async () => {
    await using api = await open();
    const tags = ["t".repeat(1000), wide(833)];
    const { id } = await newRun(api, { tags });
    for (const tag of tags) {
      const found = await api.post("/flow_runs/filter", { flow_runs: { tags: { all_: [tag] } } });
      expect(found.body).toMatchObject([{ id }]);
    }
    const flow = (await api.post("/flows/", { name: "big" })).body as { readonly id: string };
    const refused = await api.post("/flow_runs/", { flow_id: flow.id, tags: [wide(1000)] });
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: "body.tags.0: String should take at most 2500 bytes as UTF-8" },
    });
  });
});

async function newRunAgain(api: TestApi, idempotency_key: string): Promise<Run> {
  const flow = (await api.post("/flows/", { name: "big" })).body as { readonly id: string };
  const answer = await api.post("/flow_runs/", { flow_id: flow.id, idempotency_key });
  expect(answer.status).toBeLessThan(300);
  return answer.body as Run;
}

describeEachApi("what a run waits for, and what it made", (open) => {
  test("has keys that an index holds, and answers of 4 MiB at most", async () => {
    await using api = await open();
    const { id } = await newRun(api, { state: { type: "RUNNING" } });
    const pause = (response: string) =>
      api.post(`/flow_runs/${id}/set_state`, {
        state: {
          type: "PAUSED",
          state_details: {
            pause_timeout: "2099-01-01T00:00:00Z",
            run_input_keyset: { description: "d", response, schema: "s" },
          },
        },
      });
    expect((await pause(wide(900))).status).toBe(422);
    expect((await pause(wide(800))).status).toBe(201);
    expect((await api.post(`/flow_runs/${id}/input`, { key: "s", value: "{}" })).status).toBe(201);
    const answer = (length: number) =>
      api.post(`/flow_runs/${id}/resume`, { run_input: { v: "x".repeat(length) } });
    expect((await answer(4 * 1024 * 1024)).status).toBe(422);
    expect(await answer(3 * 1024 * 1024)).toMatchObject({ status: 201 });
  });

  test("is data of 1 MiB at most", async () => {
    await using api = await open();
    const { id } = await newRun(api, { state: { type: "RUNNING" } });
    const end = (length: number) =>
      api.post(`/flow_runs/${id}/set_state`, {
        state: { type: "COMPLETED", data: { v: "x".repeat(length) } },
      });
    expect((await end(1024 * 1024)).status).toBe(422);
    expect((await end(1_000_000)).status).toBe(201);
  });
});

describeEachApi("names that are made of paths and parameters", (open) => {
  test.each(["n".repeat(1000), wide(833)])("may be long, and are found: %#", async (name) => {
    await using api = await open();
    const at = encodeURIComponent(name);
    const flow = (await api.post("/flows/", { name })).body as { readonly id: string };
    expect((await api.get(`/flows/name/${at}`)).body).toMatchObject({ id: flow.id });
    const pool = await api.post("/work_pools/", { name, type: "process" });
    expect(pool.status).toBe(201);
    expect((await api.post(`/work_pools/${at}/queues`, { name })).status).toBe(201);
    expect((await api.get(`/work_pools/${at}/queues/${at}`)).status).toBe(200);
    const made = {
      flow_id: flow.id,
      name,
      work_pool_name: name,
      work_queue_name: `${name.slice(5)}-2`,
    };
    expect(await api.post("/deployments/", made)).toMatchObject({ status: 201, body: { name } });
    expect((await api.get(`/deployments/name/${at}/${at}`)).status).toBe(200);
    const limit = { name, limit: 5_000_000_000 };
    expect((await api.post("/v2/concurrency_limits/", limit)).status).toBe(201);
    expect((await api.get(`/v2/concurrency_limits/${at}`)).body).toMatchObject(limit);
    const slots = { names: [name], slots: 3_000_000_000 };
    expect((await api.post("/v2/concurrency_limits/increment", slots)).status).toBe(200);
    const tagLimit = { tag: name, concurrency_limit: 5_000_000_000 };
    expect(await api.post("/concurrency_limits/", tagLimit)).toMatchObject({ body: tagLimit });
    expect((await api.get(`/concurrency_limits/tag/${at}`)).body).toMatchObject(tagLimit);
  });
});

describeEachApi("a deployment", (open) => {
  test("may have hundreds of schedules and a long text about it", async () => {
    await using api = await open();
    const flow = (await api.post("/flows/", { name: "big" })).body as { readonly id: string };
    const schedules = Array.from({ length: 500 }, (_, i) => ({
      schedule: { interval: 3600 * (i + 1) },
      active: false,
    }));
    const long = {
      description: "d".repeat(400_000),
      version: "v".repeat(5000),
      path: "p".repeat(5000),
      entrypoint: "e".repeat(5000),
    };
    const given = { flow_id: flow.id, name: "much", schedules, ...long };
    const { status, body } = await api.post("/deployments/", given);
    expect([status, (body as { schedules: unknown[] }).schedules.length]).toEqual([201, 500]);
    expect(body).toMatchObject(long);
    const more = [...schedules, ...schedules.slice(0, 1)];
    const refused = await api.post("/deployments/", { ...given, name: "more", schedules: more });
    expect(refused.status).toBe(422);
  });
});
