import { openScope } from "@orchestrator/kernel/scope";
import type { Database } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { bulkDeleteFlowRuns, bulkSetFlowRunState } from "./bulk-flow-runs.service.ts";

const scope = openScope("test");

async function createRuns(api: TestApi, names: readonly string[]): Promise<Map<string, string>> {
  const flow = (await api.post("/flows/", { name: "etl" })).body as { readonly id: string };
  const ids = new Map<string, string>();
  for (const name of names) {
    const { body } = await api.post("/flow_runs/", { flow_id: flow.id, name });
    ids.set(name, (body as { readonly id: string }).id);
  }
  return ids;
}

/** A server that does something else between the first run and those that follow. */
function interruptedBy(api: TestApi, interrupt: () => Promise<unknown>): OrchestratorContext {
  let isFirst = true;
  const write: Database["write"] = async (...given) => {
    const written = await api.ctx.db.write(...given);
    if (isFirst) {
      isFirst = false;
      await interrupt();
    }
    return written;
  };
  const db = Object.create(api.ctx.db, { write: { value: write } }) as Database;
  return { ...api.ctx, db };
}

describeEachApi("a bulk change", (open) => {
  test("leaves out a run that is deleted meanwhile, and goes on with the others", async () => {
    await using api = await open();
    const ids = await createRuns(api, ["a", "b", "c"]);
    const ctx = interruptedBy(api, () => api.delete(`/flow_runs/${ids.get("b")}`));
    const { results } = await bulkSetFlowRunState(ctx, scope, { state: { type: "RUNNING" } });
    const changed = new Map(results.map(({ flow_run_id, status }) => [flow_run_id, status]));
    const ofBoth = ["a", "c"].map((name) => [ids.get(name), "ACCEPT"] as const);
    expect(changed).toEqual(new Map(ofBoth));
  });

  test("does not tell that it deleted what somebody else did", async () => {
    await using api = await open();
    const ids = await createRuns(api, ["a", "b", "c"]);
    const ctx = interruptedBy(api, () => api.delete(`/flow_runs/${ids.get("b")}`));
    const { deleted } = await bulkDeleteFlowRuns(ctx, scope, {});
    expect([...deleted].sort()).toEqual([ids.get("a"), ids.get("c")]);
  });
});
