import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { explained } from "../../../testing/explanations.ts";
import { createRunsOf, createTestDeployment, proposeFlow } from "../../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../../testing.ts";

const LONGEST_WAIT_MS = 60_000;
const RESUME = { "orchestrator.on-crash": "resume" };

let deployments = 0;

async function runningRun(api: TestApi, labels: object = RESUME): Promise<string> {
  deployments += 1;
  const deployment = await createTestDeployment(api, { name: `d${deployments}`, labels });
  const [id = ""] = await createRunsOf(api, deployment);
  await start(api, id);
  return id;
}

async function start(api: TestApi, id: string): Promise<void> {
  await proposeFlow(api, id, "PENDING");
  await proposeFlow(api, id, "RUNNING");
}

const crash = (api: TestApi, id: string) =>
  proposeFlow(api, id, { type: "CRASHED", message: "The machine is gone" });

describeEachApi("a run whose process is lost", (open) => {
  test("is offered again where its deployment says so, as the same execution", async () => {
    await using api = await open();
    const id = await runningRun(api);
    expect(await crash(api, id)).toMatchObject({
      status: "REJECT",
      state: { type: "SCHEDULED", name: "AwaitingRecovery", message: "The machine is gone" },
    });
    expect((await explained(api, { id }))[0]).toMatchObject({
      code: "recovering",
      is_blocking: false,
      message: expect.stringContaining("was lost at"),
    });
    await start(api, id);
    const { body } = await api.get(`/flow_runs/${id}`);
    expect(body).toMatchObject({ state_type: "RUNNING", run_count: 1 });
  });

  test("is crashed where its deployment does not say so, and where a person forces it", async () => {
    await using api = await open();
    for (const labels of [{}, { "orchestrator.on-crash": "fail" }]) {
      expect(await crash(api, await runningRun(api, labels))).toMatchObject({ status: "ACCEPT" });
    }
    const forced = await proposeFlow(api, await runningRun(api), "CRASHED", { force: true });
    expect(forced).toMatchObject({ status: "ACCEPT", state: { type: "CRASHED" } });
  });

  test("is crashed after three recoveries in a row in which it finished nothing", async () => {
    const clock = manualClock("2026-01-01T00:00:00.000000Z");
    await using api = await open({ clock });
    const id = await runningRun(api);
    const again = async (): Promise<string> => {
      const { status } = await crash(api, id);
      if (status === "ACCEPT") return status;
      clock.advanceMs(LONGEST_WAIT_MS);
      await start(api, id);
      return status;
    };
    for (let time = 0; time < 3; time += 1) expect(await again()).toBe("REJECT");
    const entries = [{ key: "step/0", fingerprint: null, value: "" }];
    expect((await api.post(`/flow_runs/${id}/journal`, { entries })).status).toBe(204);
    const fate = [await again(), await again(), await again(), await again()];
    expect(fate).toEqual(["REJECT", "REJECT", "REJECT", "ACCEPT"]);
    const { body } = await api.get(`/flow_runs/${id}`);
    expect(body).toMatchObject({
      state_type: "CRASHED",
      state: { message: expect.stringContaining("recovered 3 times") },
    });
  });

  test("waits longer from one recovery to the next", async () => {
    await using api = await open();
    const id = await runningRun(api);
    await crash(api, id);
    await start(api, id);
    await crash(api, id);
    const [recovering] = await explained(api, { id });
    expect(recovering).toMatchObject({ code: "recovering", is_blocking: true });
    expect(await proposeFlow(api, id, "PENDING")).toMatchObject({ status: "ACCEPT" });
    expect(await proposeFlow(api, id, "RUNNING")).toMatchObject({ status: "WAIT" });
  });
});
