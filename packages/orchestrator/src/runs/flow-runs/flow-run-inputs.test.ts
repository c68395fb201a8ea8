import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { plansOf } from "../../testing/plans.ts";
import { createTestFlowRun, proposeFlow } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { filterInputs } from "./flow-run-inputs.service.ts";

async function withInputs(api: TestApi, keys: readonly string[]): Promise<string> {
  const id = await createTestFlowRun(api);
  for (const key of keys)
    expect(await api.post(`/flow_runs/${id}/input`, { key, value: "1" })).toMatchObject({
      status: 201,
    });
  return id;
}

async function keysOf(api: TestApi, id: string, body: object): Promise<string[]> {
  const answer = await api.post(`/flow_runs/${id}/input/filter`, { limit: 10, ...body });
  expect(answer.status).toBe(200);
  return (answer.body as { key: string }[]).map(({ key }) => key);
}

describeEachApi("the inputs of a run", (open) => {
  test("are listed oldest first by the beginning of their key, letter by letter", async () => {
    await using api = await open();
    const keys = ["b-2", "b_1", "B-1", "b", "bz", "c", "a", "b-1"];
    const id = await withInputs(api, keys);
    await withInputs(api, ["b-other"]);
    expect(await keysOf(api, id, { prefix: "" })).toEqual(keys);
    const b = ["b-2", "b_1", "b", "bz", "b-1"];
    expect(await keysOf(api, id, { prefix: "b" })).toEqual(b);
    expect(await keysOf(api, id, { prefix: "b_" })).toEqual(["b_1"]);
    expect(await keysOf(api, id, { prefix: "b%" })).toEqual([]);
    expect(await keysOf(api, id, { prefix: "b", limit: 2 })).toEqual(b.slice(0, 2));
    const exclude_keys = ["b-2", "b", "none"];
    expect(await keysOf(api, id, { prefix: "b", limit: 2, exclude_keys })).toEqual(["b_1", "bz"]);
  });

  test("may take 4 MiB each, and a list of them 32 MB", async () => {
    await using api = await open();
    const id = await withInputs(api, ["small"]);
    const value = "x".repeat(4 * 1024 * 1024);
    for (let i = 0; i < 8; i += 1)
      expect(await api.post(`/flow_runs/${id}/input`, { key: `k${i}`, value })).toMatchObject({
        status: 201,
      });
    const more = { key: "more", value: `${value}x` };
    expect((await api.post(`/flow_runs/${id}/input`, more)).status).toBe(422);
    expect(await api.post(`/flow_runs/${id}/input/filter`, { prefix: "", limit: 9 })).toMatchObject(
      {
        status: 413,
        body: { detail: expect.stringMatching("lower limit") },
      },
    );
    expect(await keysOf(api, id, { prefix: "", limit: 2 })).toEqual(["small", "k0"]);
  });

  test("hold what a run was answered last, also when it asks again under the same keys", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const keyset = { description: "p-1-text", response: "p-1-response", schema: "p-1-schema" };
    await api.post(`/flow_runs/${id}/input`, { key: keyset.schema, value: "{}" });
    for (const answer of ["first", "second"]) {
      const state_details = { pause_key: "1", run_input_keyset: keyset };
      await proposeFlow(api, id, { type: "PAUSED", state_details });
      expect(await api.post(`/flow_runs/${id}/resume`, { run_input: { answer } })).toMatchObject({
        status: 201,
        body: { status: "ACCEPT", state: { type: "RUNNING" } },
      });
      expect(await api.get(`/flow_runs/${id}/input/${keyset.response}`)).toMatchObject({
        body: JSON.stringify({ answer }),
      });
      await proposeFlow(api, id, "FAILED");
      await proposeFlow(api, id, "RUNNING");
    }
    expect(await keysOf(api, id, { prefix: "p-1" })).toEqual([keyset.schema, keyset.response]);
  });

  test("are found by run and key, and only those that are listed are read", async () => {
    await using api = await open();
    const id = await withInputs(api, ["a", "b"]);
    const body = { prefix: "a", limit: 1 };
    const [plan] = await plansOf(api, (ctx) => filterInputs(ctx, openScope("test"), { id, body }));
    expect(plan).toMatch(
      /flow_run_inputs_2 \(flow_run_id=\? AND key>\? AND key<\?\)|flow_run_inputs_flow_run_id_key_key/,
    );
    expect(plan).not.toMatch(/SCAN (flow_run_inputs|wanted)|Seq Scan/);
  });
});
