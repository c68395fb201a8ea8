import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { ANY_ID, flowRun, pairs, verdicts } from "../../testing/rule-tests.ts";
import {
  createDeployment,
  createRunsOf,
  proposeFlow,
  slotsTaken,
} from "../../testing/run-requests.ts";
import { describeEachApi } from "../../testing.ts";
import { holdSlot } from "./hold-slot.ts";

const RENEWING = { version: "3.4.11" };

test("only a run that starts with a slot looks after it", async () => {
  const initial = { state_details: { deployment_concurrency_lease_id: ANY_ID } };
  expect(await verdicts(holdSlot, (pair) => flowRun({ ...pair, initial }))).toEqual(
    pairs(["PENDING"], ["RUNNING"], "DATABASE"),
  );
  expect(await verdicts(holdSlot, flowRun)).toEqual({});
  const run = { deployment_id: null };
  expect(await verdicts(holdSlot, (pair) => flowRun({ ...pair, initial, run }))).toEqual({});
});

describeEachApi("a run that starts", (open) => {
  test("holds its slot for as long as its client renews, and takes it again if it is still free", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createDeployment(api, { concurrency_limit: 1 });
    const [first, second, third] = await createRunsOf(api, deployment, { count: 3 });
    const claim = await proposeFlow(api, first, "PENDING");
    const lease = claim.state?.state_details["deployment_concurrency_lease_id"];
    clock.advanceMs(299_000);
    const started = await proposeFlow(api, first, "RUNNING", RENEWING);
    expect(started.state?.state_details["deployment_concurrency_lease_id"]).toBe(lease);
    clock.advanceMs(299_000);
    expect(await proposeFlow(api, second, "PENDING")).toMatchObject({ status: "REJECT" });
    clock.advanceMs(2000);
    expect(await proposeFlow(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
    clock.advanceMs(301_000);
    const late = await proposeFlow(api, second, "RUNNING", RENEWING);
    expect(late).toMatchObject({ status: "ACCEPT", state: { type: "RUNNING" } });
    expect(late.state?.state_details["deployment_concurrency_lease_id"]).not.toBe(null);
    expect(await slotsTaken(api, deployment)).toBe(1);
    expect(await proposeFlow(api, third, "PENDING")).toMatchObject({ status: "REJECT" });
  });

  test("is cancelled when another has its slot by then", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createDeployment(api, { concurrency_limit: 1 });
    const [first, second] = await createRunsOf(api, deployment, { count: 2 });
    await proposeFlow(api, first, "PENDING");
    clock.advanceMs(301_000);
    await proposeFlow(api, second, "PENDING");
    expect(await proposeFlow(api, first, "RUNNING", RENEWING)).toMatchObject({
      status: "REJECT",
      state: { type: "CANCELLED" },
    });
    expect(await slotsTaken(api, deployment)).toBe(1);
  });

  test("keeps its slot until it has ended when its client does not renew", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createDeployment(api, { concurrency_limit: 1 });
    const [first, second] = await createRunsOf(api, deployment, { count: 2 });
    await proposeFlow(api, first, "PENDING");
    await proposeFlow(api, first, "RUNNING", { version: "3.4.10" });
    clock.advanceMs(86_400_000);
    expect(await proposeFlow(api, second, "PENDING")).toMatchObject({ status: "REJECT" });
    await proposeFlow(api, first, "COMPLETED");
    expect(await proposeFlow(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("takes no slot for a start that must wait for its time", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createDeployment(api, { concurrency_limit: 1 });
    const scheduled_time = "2026-01-01T01:00:00.000000Z";
    const state = { type: "SCHEDULED", state_details: { scheduled_time } };
    const [id] = await createRunsOf(api, deployment, { state });
    await proposeFlow(api, id, "PENDING");
    clock.advanceMs(301_000);
    for (let time = 0; time < 2; time += 1) {
      expect(await proposeFlow(api, id, "RUNNING", RENEWING)).toMatchObject({ status: "WAIT" });
      expect(await slotsTaken(api, deployment)).toBe(0);
    }
  });
});
