import { expect, test } from "vitest";
import { createFlowRun, proposeFlow } from "../testing/run-requests.ts";
import { describeEachApi } from "../testing.ts";

describeEachApi("a list of runs in some states", (open) => {
  test("never misses a run that goes from one of them to another", async () => {
    await using api = await open();
    const filters = [
      { state: { type: { any_: ["SCHEDULED", "PENDING", "RUNNING"] } } },
      { state: { name: { any_: ["Scheduled", "Pending", "Running"] } } },
    ];
    for (let n = 0; n < 10; n += 1) {
      const id = await createFlowRun(api, { state: { type: "SCHEDULED" } });
      let isDone = false;
      const change = async () => {
        for (const type of ["PENDING", "RUNNING"]) await proposeFlow(api, id, type);
        isDone = true;
      };
      const look = async () => {
        while (!isDone)
          for (const flow_runs of filters) {
            const { body } = await api.post("/flow_runs/filter", { flow_runs });
            expect((body as { id: string }[]).map((run) => run.id)).toContain(id);
          }
      };
      await Promise.all([change(), look(), look()]);
    }
  });

  test("holds nothing where no run is in them, and what comes to be in them since", async () => {
    await using api = await open();
    const late = { flow_runs: { state: { name: { any_: ["Late"] } } } };
    expect((await api.post("/flow_runs/filter", late)).body).toEqual([]);
    const id = await createFlowRun(api, { state: { type: "SCHEDULED", name: "Late" } });
    expect((await api.post("/flow_runs/filter", late)).body).toMatchObject([{ id }]);
    await proposeFlow(api, id, "PENDING");
    expect((await api.post("/flow_runs/filter", late)).body).toEqual([]);
  });
});
