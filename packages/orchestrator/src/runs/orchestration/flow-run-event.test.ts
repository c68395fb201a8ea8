import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { addFlow, addFlowRun } from "../../testing/run-fixtures.ts";
import {
  createRunsOf,
  createTestDeployment,
  createTestFlowRun,
  createTestTaskRun,
  proposeFlow,
  readRecord,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const lastEvent = async (api: TestApi) =>
  (await api.events()).at(-1) as unknown as Readonly<Record<string, unknown>>;

describeEachApi("the event of a flow run's state", (open) => {
  test("has the id, the time and the text of the state, and follows the state before it", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const id = await createTestFlowRun(api, { name: "calm-otter" });
    clock.advanceMs(299_000);
    const { state } = await proposeFlow(api, id, "RUNNING");
    expect(await lastEvent(api)).toEqual({
      id: state?.id,
      occurred: "2026-01-01T00:04:59.000000Z",
      event: "orchestrator.flow-run.Running",
      resource: {
        "orchestrator.resource.id": `orchestrator.flow-run.${id}`,
        "orchestrator.resource.name": "calm-otter",
        "orchestrator.run-count": "1",
        "orchestrator.state-message": "",
        "orchestrator.state-name": "Running",
        "orchestrator.state-timestamp": "2026-01-01T00:04:59.000000Z",
        "orchestrator.state-type": "RUNNING",
      },
      related: [expect.objectContaining({ "orchestrator.resource.role": "flow" })],
      payload: {
        intended: { from: "PENDING", to: "RUNNING" },
        initial_state: { type: "PENDING", name: "Pending" },
        validated_state: { type: "RUNNING", name: "Running" },
      },
      follows: expect.any(String),
      received: "2026-01-01T00:04:59.000000Z",
    });
    clock.advanceMs(300_000);
    const message = "m".repeat(100_001);
    await proposeFlow(api, id, { type: "PAUSED", message });
    const paused = await lastEvent(api);
    expect(paused).toMatchObject({
      follows: null,
      payload: { validated_state: { type: "PAUSED", pause_reschedule: "false" } },
    });
    const label = (paused["resource"] as Record<string, string>)["orchestrator.state-message"];
    expect(label?.length).toBeLessThanOrEqual(100_000);
    expect(label).toMatch(/^m+\.\.\.m+$/);
  });

  test("names the task run that stands for a run inside another, from the first on", async () => {
    await using api = await open();
    const parent_task_run_id = await createTestTaskRun(api, { name: "step" });
    const id = await createTestFlowRun(api, { parent_task_run_id });
    const events = (await api.events()) as unknown as {
      readonly resource: Readonly<Record<string, string>>;
      readonly related: readonly Readonly<Record<string, string>>[];
    }[];
    const own = events.filter(({ resource }) => resource["orchestrator.resource.id"]?.endsWith(id));
    expect(
      own.map(({ related }) => related.map((each) => each["orchestrator.resource.role"])),
    ).toEqual([["flow", "task-run"]]);
  });

  test("names what the run belongs to, in order, and every tag once", async () => {
    await using api = await open({ dialect: "prefect" });
    await api.post("/work_pools/", { name: "local", type: "process" });
    const parent_task_run_id = await createTestTaskRun(api, { name: "step", tags: ["b"] });
    const deployment = await createTestDeployment(api, { work_pool_name: "local", tags: ["a"] });
    const [id] = await createRunsOf(api, deployment, { parent_task_run_id, tags: ["c", "a"] });
    await proposeFlow(api, id, "PENDING");
    const { related } = (await lastEvent(api)) as { related: Record<string, string>[] };
    expect(
      related.map((each) => [each["prefect.resource.role"], each["prefect.resource.name"]]),
    ).toEqual([
      ["flow", "etl"],
      ["deployment", "nightly"],
      ["work-queue", "default"],
      ["work-pool", "local"],
      ["task-run", "step"],
      ["tag", undefined],
      ["tag", undefined],
      ["tag", undefined],
    ]);
    expect(related.slice(5).map((each) => each["prefect.resource.id"])).toEqual([
      "prefect.tag.a",
      "prefect.tag.b",
      "prefect.tag.c",
    ]);
    // The task run that stands for it in another run is in the same state.
    expect(await readRecord(api, `/task_runs/${parent_task_run_id}`)).toMatchObject({
      state_type: "PENDING",
      state: { state_details: { child_flow_run_id: id } },
    });
  });

  test("names the automation that made the run, and follows nothing where there was no state", async () => {
    await using api = await open();
    const flow = await addFlow(api);
    const creator = { id: flow.id, type: "AUTOMATION", display_value: "on failure" };
    const { id } = await addFlowRun(api, { flow_id: flow.id, created_by: creator });
    await proposeFlow(api, id, "RUNNING");
    expect(await lastEvent(api)).toMatchObject({
      related: [
        { "orchestrator.resource.role": "flow" },
        {
          "orchestrator.resource.id": `orchestrator.automation.${flow.id}`,
          "orchestrator.resource.role": "creator",
          "orchestrator.resource.name": "on failure",
        },
      ],
      payload: { intended: { from: null, to: "RUNNING" }, initial_state: null },
      follows: null,
    });
  });
});
