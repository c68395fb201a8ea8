import { listJson } from "@orchestrator/kernel/lists";
import { openScope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { createTestFlowRun, proposeFlow } from "../testing/run-requests.ts";
import { describeEachApi } from "../testing.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";

const WORKSPACE = openScope("test").workspaceId;

/** Queries where something happens before every one but the first. */
function withInterludes(queries: Queries, interlude: () => Promise<unknown>): Queries {
  let asked = 0;
  return {
    workspaceId: queries.workspaceId,
    dialect: queries.dialect,
    get: (statement, parameters) => queries.get(statement, parameters),
    all: (statement, parameters) => queries.all(statement, parameters),
    select: async (query) => {
      asked += 1;
      if (asked > 1) await interlude();
      return queries.select(query);
    },
  };
}

describeEachApi("a list of runs in some states", (open) => {
  test.each([
    { state: { type: { any_: ["SCHEDULED", "PENDING", "RUNNING"] } } },
    { state: { name: { any_: ["Scheduled", "Pending", "Running"] } } },
    {
      state: {
        operator: "or_",
        type: { any_: ["SCHEDULED"] },
        name: { any_: ["Pending", "Running"] },
      },
    },
  ])("does not miss a run that goes from one to another while it is read: %j", async (filter) => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "SCHEDULED" } });
    const steps = ["PENDING", "RUNNING"];
    const queries = withInterludes(api.ctx.db.in(WORKSPACE), async () => {
      const next = steps.shift();
      if (next !== undefined) await proposeFlow(api, id, next);
    });
    const now = api.ctx.clock.now();
    const page = { filter, limit: 10, offset: 0, now };
    const runs = JSON.parse(await listJson(queries, FLOW_RUN_LIST, page)) as { id: string }[];
    expect(runs.map((run) => run.id)).toEqual([id]);
  });

  test("holds nothing where no run is in them, and what comes to be in them since", async () => {
    await using api = await open();
    const late = { flow_runs: { state: { name: { any_: ["Late"] } } } };
    expect((await api.post("/flow_runs/filter", late)).body).toEqual([]);
    const id = await createTestFlowRun(api, { state: { type: "SCHEDULED", name: "Late" } });
    expect((await api.post("/flow_runs/filter", late)).body).toMatchObject([{ id }]);
    await proposeFlow(api, id, "PENDING");
    expect((await api.post("/flow_runs/filter", late)).body).toEqual([]);
  });

  test.each([{ state: {} }, { state: { type: {} } }, { state: { operator: "or_" } }])(
    "holds all runs where no state is asked for: %j",
    async (flow_runs) => {
      await using api = await open();
      const id = await createTestFlowRun(api);
      expect((await api.post("/flow_runs/filter", { flow_runs })).body).toMatchObject([{ id }]);
    },
  );
});
