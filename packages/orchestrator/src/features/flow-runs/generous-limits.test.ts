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

  test("is taken: a filter with thousands of ids", async () => {
    await using api = await open();
    const { id } = await newRun(api);
    const any_ = [...Array.from({ length: 2500 }, () => randomUUID()), id];
    const found = await api.post("/flow_runs/filter", { flow_runs: { id: { any_ } } });
    expect((found.body as Run[]).map((run) => run.id)).toEqual([id]);
  });
});
