import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { flowRun, pairs, verdicts } from "../../../testing/rule-tests.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
} from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { markLateRuns } from "../../retention/late-runs.loop.ts";
import { cancelLate } from "./cancel-late.ts";

test("only a deployment's run that would be called late is looked at", async () => {
  const proposed = { name: "Late" };
  expect(await verdicts(cancelLate, (pair) => flowRun({ ...pair, proposed }))).toEqual(
    pairs(["SCHEDULED"], ["SCHEDULED"], "DATABASE"),
  );
  expect(await verdicts(cancelLate, flowRun)).toEqual({});
  const run = { deployment_id: null };
  expect(await verdicts(cancelLate, (pair) => flowRun({ ...pair, proposed, run }))).toEqual({});
});

describeEachApi("a run that is late for want of a slot", (open) => {
  test("is cancelled where new runs give way, and waits elsewhere", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    for (const [collision_strategy, isFull, expected] of [
      ["CANCEL_NEW", true, { state_type: "CANCELLED" }],
      ["CANCEL_NEW", false, { state_name: "Late" }],
      ["ENQUEUE", true, { state_name: "Late" }],
    ] as const) {
      const name = `${collision_strategy} ${isFull}`;
      const concurrency_options = { collision_strategy };
      const deployment = await createTestDeployment(api, {
        name,
        concurrency_limit: 1,
        concurrency_options,
      });
      const [first, second] = await createRunsOf(api, deployment, { count: 2 });
      await proposeFlow(api, first, "PENDING");
      if (!isFull) await proposeFlow(api, first, "COMPLETED");
      clock.advanceMs(20_000);
      await markLateRuns(api.ctx, new AbortController().signal);
      expect(await readRecord(api, `/flow_runs/${second}`)).toMatchObject(expected);
    }
  });
});
