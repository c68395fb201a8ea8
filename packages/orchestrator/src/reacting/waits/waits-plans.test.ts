import { openScope } from "@orchestrator/kernel/scope";
import { expect, test } from "vitest";
import { fillTable } from "../../testing/many-rows.ts";
import { plansOf } from "../../testing/plans.ts";
import { createTestFlowRun } from "../../testing/run-requests.ts";
import { describeEachApi } from "../../testing.ts";
import { waitInFlowRun } from "./run-waits.service.ts";

const scope = openScope("test");

describeEachApi("a wait of a run that has waited 500 times", (open) => {
  test("begins without a scan of the ended waits, and a sleep without counting those for events", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    await fillTable(
      api,
      500,
      ({ numbers }) => `
      insert into flow_run_waits (workspace_id, created, flow_run_id, key, expires, attempt, event,
        pattern, after_position, anchor, outcome)
      select '${scope.workspaceId}', '', '${id}', n, '3000', 1, 'order.paid', '{}', 0, '', 'event'
      from ${numbers}`,
    );
    const planOf = async (body: { readonly event?: string }) => {
      const key = `key ${body.event}`;
      const plans = await plansOf(api, (ctx) =>
        waitInFlowRun(ctx, scope, { id, body: { key, timeout_seconds: 60, ...body } }),
      );
      return plans.join("\n");
    };
    const openOfRun = /\bflow_run_waits_open_by_run\b/;
    const openForEvents = /\bflow_run_waits_open\b/;
    const sleep = await planOf({});
    expect(sleep).toMatch(openOfRun);
    expect(sleep).not.toMatch(openForEvents);
    const event = await planOf({ event: "order.paid" });
    expect(event).toMatch(openOfRun);
    expect(event).toMatch(openForEvents);
  });
});
