import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { FROM_ALL, flowRun, pairs, verdicts, without } from "../../../testing/rule-tests.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  slotsTaken,
} from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { acquireSlot } from "./acquire-slot.ts";

test("only a claim of a deployment's run asks for a slot", async () => {
  expect(await verdicts(acquireSlot, flowRun)).toEqual(
    pairs(without(FROM_ALL, "PENDING", "RUNNING", "CANCELLING"), ["PENDING"], "DATABASE"),
  );
  const run = { deployment_id: null };
  expect(await verdicts(acquireSlot, (pair) => flowRun({ ...pair, run }))).toEqual({});
  const clientVersion = [3, 0, 2];
  expect(await verdicts(acquireSlot, (pair) => flowRun({ ...pair, clientVersion }))).toEqual({});
});

describeEachApi("a claim of a run whose deployment has a limit", (open) => {
  test("takes a slot, or waits for one, however many claim at the same moment", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createTestDeployment(api, { concurrency_limit: 2 });
    const runs = await createRunsOf(api, deployment, { count: 5 });
    const answers = await Promise.all(runs.map((id) => proposeFlow(api, id, "PENDING")));
    const held = answers.filter(({ status }) => status === "ACCEPT");
    const leases = held.map(({ state }) => state?.state_details["deployment_concurrency_lease_id"]);
    expect(new Set(leases).size).toBe(2);
    expect(leases).not.toContain(null);
    const waiting = answers.filter(({ status }) => status === "REJECT");
    expect(waiting).toHaveLength(3);
    for (const { state } of waiting) {
      expect(state).toMatchObject({ type: "SCHEDULED", name: "AwaitingConcurrencySlot" });
      expect(state?.state_details["scheduled_time"]).toBe("2026-01-01T00:00:30.000000Z");
    }
    expect(await slotsTaken(api, deployment)).toBe(2);
    // Claimants that are never heard of again hold a slot for five minutes.
    clock.advanceMs(301_000);
    const [patient] = runs.filter((_, index) => answers[index]?.status === "REJECT");
    expect(await proposeFlow(api, patient, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("is cancelled instead where the deployment says so, and refused where the limit is 0", async () => {
    await using api = await open();
    const concurrency_options = { collision_strategy: "CANCEL_NEW" };
    const deployment = await createTestDeployment(api, {
      concurrency_limit: 1,
      concurrency_options,
    });
    const [first, second, third] = await createRunsOf(api, deployment, { count: 3 });
    await proposeFlow(api, first, "PENDING");
    expect(await proposeFlow(api, second, "PENDING")).toMatchObject({
      status: "REJECT",
      state: { type: "CANCELLED" },
    });
    await proposeFlow(api, first, "COMPLETED");
    await api.patch(`/v2/concurrency_limits/deployment:${deployment}`, { limit: 0 });
    expect(await proposeFlow(api, third, "PENDING")).toMatchObject({ status: "ABORT" });
  });

  test("holds no slot when it is refused for another reason", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [id] = await createRunsOf(api, deployment);
    for (const type of ["PENDING", "RUNNING", "PAUSED"]) await proposeFlow(api, id, type);
    expect(await slotsTaken(api, deployment)).toBe(0);
    expect(await proposeFlow(api, id, "PENDING")).toMatchObject({
      status: "REJECT",
      state: { type: "PAUSED" },
    });
    expect(await slotsTaken(api, deployment)).toBe(0);
  });

  test("needs no second slot when the run was to be tried again and has kept its own", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [id] = await createRunsOf(api, deployment, { empirical_policy: { retries: 1 } });
    for (const type of ["PENDING", "RUNNING", "FAILED"]) await proposeFlow(api, id, type);
    expect(await slotsTaken(api, deployment)).toBe(1);
    expect(await proposeFlow(api, id, "PENDING")).toMatchObject({ status: "ACCEPT" });
    expect(await slotsTaken(api, deployment)).toBe(1);
    await proposeFlow(api, id, "CRASHED");
    expect(await slotsTaken(api, deployment)).toBe(0);
  });
});
