import { openScope } from "@orchestrator/kernel/scope";
import type { Database } from "@orchestrator/kernel/storage";
import { untilBlockedOnRow } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { systemStatement } from "../../db/tables.ts";
import { plansOf } from "../../testing/plans.ts";
import { createTestDeployment, readRecord } from "../../testing/run-requests.ts";
import { describeEachApi } from "../../testing.ts";
import { executeActions } from "./actions.service.ts";
import { deleteAutomation } from "./automations.service.ts";
import { createTriggerPass } from "./triggers/triggers.loop.ts";

const FOREVER = new AbortController().signal;

const selectAction = systemStatement()((db) => db.selectFrom("automation_actions").select("id"));

/**
 * The write that makes an automation fire does not end before something else has begun, as far as
 * it gets.
 */
function meanwhile(db: Database, begin: () => Promise<void>) {
  const begun: Promise<void>[] = [];
  const writeSystem: Database["writeSystem"] = (work) =>
    db.writeSystem(async (tx) => {
      const result = await work(tx);
      if (begun.length > 0 || (await tx.get(selectAction, {})) === undefined) return result;
      begun.push(begin());
      await untilBlockedOnRow(db);
      return result;
    });
  return { db: { ...db, in: db.in.bind(db), writeSystem }, begun };
}

describeEachApi("an automation that is deleted", (open) => {
  test("does nothing more where it fires just then", async () => {
    await using api = await open();
    const { ctx } = api;
    const deployment_id = await createTestDeployment(api, {});
    const made = await api.post("/automations/", {
      name: "watch",
      trigger: { type: "event", expect: ["x"], posture: "Reactive", threshold: 1, within: 0 },
      actions: [{ type: "pause-deployment", deployment_id }],
    });
    const { id } = made.body as { id: string };
    const resource = { "prefect.resource.id": "thing" };
    const event = { id: ctx.ids.uuid7(), occurred: ctx.clock.now(), event: "x", resource };
    expect((await api.post("/events", JSON.stringify([event]))).status).toBe(204);
    const { db, begun } = meanwhile(ctx.db, () => deleteAutomation(ctx, openScope(""), id));
    await createTriggerPass({ ...ctx, db })(FOREVER);
    expect(begun).toHaveLength(1);
    await Promise.all(begun);
    expect((await api.get(`/automations/${id}`)).status).toBe(404);
    expect(await executeActions(ctx, FOREVER)).toBe(0);
    expect(await readRecord(api, `/deployments/${deployment_id}`)).toMatchObject({ paused: false });
  });

  test("is not looked for among all that others are about to do", async () => {
    await using api = await open();
    const made = await api.post("/automations/", {
      name: "watch",
      trigger: { type: "event", expect: ["x"], posture: "Reactive", threshold: 1, within: 0 },
      actions: [{ type: "do-nothing" }],
    });
    const { id } = made.body as { id: string };
    const plans = await plansOf(api, (ctx) => deleteAutomation(ctx, openScope(""), id));
    const ofActions = plans.filter((plan) => plan.includes("automation_actions"));
    expect(ofActions).toHaveLength(2);
    for (const plan of ofActions)
      expect(plan).toMatch(/automation_actions_by_workspace.*automation_id/s);
  });
});
