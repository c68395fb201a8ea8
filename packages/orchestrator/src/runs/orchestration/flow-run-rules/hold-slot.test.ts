import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { ANY_ID, flowRun, pairs, verdicts } from "../../../testing/rule-tests.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  slotsTaken,
} from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { holdSlot } from "./hold-slot.ts";

const RENEWING = { version: "3.4.11" };

test("only a run that starts or goes on with a slot looks after it", async () => {
  const initial = { state_details: { deployment_concurrency_lease_id: ANY_ID } };
  expect(await verdicts(holdSlot, (pair) => flowRun({ ...pair, initial }))).toEqual(
    pairs(["PENDING", "SCHEDULED", "PAUSED"], ["RUNNING"], "DATABASE"),
  );
  expect(await verdicts(holdSlot, flowRun)).toEqual({});
  const run = { deployment_id: null };
  expect(await verdicts(holdSlot, (pair) => flowRun({ ...pair, initial, run }))).toEqual({});
});

describeEachApi("a run that starts", (open) => {
  test("holds its slot for as long as its client renews, and takes it again if it is still free", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
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
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
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
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
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
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
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

describeEachApi("a run that pauses where it runs", (open) => {
  const RENEW = { lease_duration: 300 };
  const paused = (minutes: number, clock: { now: () => string }) => ({
    type: "PAUSED",
    state_details: {
      pause_timeout: new Date(Date.parse(clock.now()) + minutes * 60_000).toISOString(),
    },
  });

  test("keeps its slot, so that it goes on without asking and no more than the limit run", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [first, second] = await createRunsOf(api, deployment, { count: 2 });
    await proposeFlow(api, first, "PENDING");
    const { state } = await proposeFlow(api, first, "RUNNING", RENEWING);
    const lease = String(state?.state_details["deployment_concurrency_lease_id"]);
    await proposeFlow(api, first, paused(60, clock), RENEWING);
    expect(await slotsTaken(api, deployment)).toBe(1);
    expect(await proposeFlow(api, second, "PENDING")).toMatchObject({ status: "REJECT" });
    clock.advanceMs(200_000);
    await api.post(`/v2/concurrency_limits/leases/${lease}/renew`, RENEW);
    clock.advanceMs(200_000);
    // Whoever resumes it says nothing about the client that runs it.
    expect(await api.post(`/flow_runs/${first}/resume`)).toMatchObject({
      body: { status: "ACCEPT", state: { type: "RUNNING" } },
    });
    expect(await slotsTaken(api, deployment)).toBe(1);
    // Its client was last heard of a while ago, and does not come back.
    clock.advanceMs(301_000);
    expect(await proposeFlow(api, second, "PENDING")).toMatchObject({ status: "ACCEPT" });
  });

  test("keeps its slot for as long as its client has renewed it, also where runs are given less at first", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createTestDeployment(api, {
      concurrency_limit: 1,
      concurrency_options: { collision_strategy: "ENQUEUE", grace_period_seconds: 60 },
    });
    const [first, second] = await createRunsOf(api, deployment, { count: 2 });
    await proposeFlow(api, first, "PENDING");
    const { state } = await proposeFlow(api, first, "RUNNING", RENEWING);
    const lease = String(state?.state_details["deployment_concurrency_lease_id"]);
    await proposeFlow(api, first, paused(60, clock), RENEWING);
    await api.post(`/v2/concurrency_limits/leases/${lease}/renew`, RENEW);
    await api.post(`/flow_runs/${first}/resume`);
    clock.advanceMs(299_000);
    expect(await proposeFlow(api, second, "PENDING")).toMatchObject({ status: "REJECT" });
    expect(await api.post(`/v2/concurrency_limits/leases/${lease}/renew`, RENEW)).toMatchObject({
      status: 204,
    });
  });

  test("waits to be resumed again when another has its slot by then", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [first, second] = await createRunsOf(api, deployment, { count: 2 });
    await proposeFlow(api, first, "PENDING");
    await proposeFlow(api, first, "RUNNING", RENEWING);
    await proposeFlow(api, first, paused(60, clock), RENEWING);
    clock.advanceMs(301_000);
    await proposeFlow(api, second, "PENDING");
    expect(await proposeFlow(api, first, "RUNNING", RENEWING)).toMatchObject({
      status: "WAIT",
      state: { type: "PAUSED" },
    });
    await proposeFlow(api, second, "CANCELLED");
    expect(await proposeFlow(api, first, "RUNNING", RENEWING)).toMatchObject({ status: "ACCEPT" });
    expect(await slotsTaken(api, deployment)).toBe(1);
  });

  test("gives its slot back where the pause has no end, and takes one again when it goes on", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [first, second] = await createRunsOf(api, deployment, { count: 2 });
    for (const type of ["PENDING", "RUNNING", "PAUSED"]) await proposeFlow(api, first, type);
    expect(await slotsTaken(api, deployment)).toBe(0);
    await proposeFlow(api, second, "PENDING");
    expect(await proposeFlow(api, first, "RUNNING")).toMatchObject({ status: "WAIT" });
    await proposeFlow(api, second, "CANCELLED");
    expect(await proposeFlow(api, first, "RUNNING")).toMatchObject({ status: "ACCEPT" });
    expect(await slotsTaken(api, deployment)).toBe(1);
  });

  test("holds nothing any more once it has ended, also where it was paused by force", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const runs = await createRunsOf(api, deployment, { count: 2 });
    for (const [index, id] of runs.entries()) {
      for (const type of ["PENDING", "RUNNING"]) await proposeFlow(api, id, type);
      const force = index === 1;
      const state = paused(60, { now: () => new Date().toISOString() });
      await proposeFlow(api, id, state, { force });
      expect(await slotsTaken(api, deployment)).toBe(1);
      await proposeFlow(api, id, "FAILED", { force });
      expect(await slotsTaken(api, deployment)).toBe(0);
    }
  });
});

describeEachApi("a run that is tried again after it has lost its slot", (open) => {
  test("waits for another instead of running beyond the limit", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [first] = await createRunsOf(api, deployment, { empirical_policy: { retries: 1 } });
    const [second] = await createRunsOf(api, deployment);
    await proposeFlow(api, first, "PENDING");
    await proposeFlow(api, first, "RUNNING", RENEWING);
    await proposeFlow(api, first, "FAILED", RENEWING);
    clock.advanceMs(301_000);
    await proposeFlow(api, second, "PENDING");
    expect(await proposeFlow(api, first, "RUNNING", RENEWING)).toMatchObject({ status: "WAIT" });
    await proposeFlow(api, second, "CANCELLED");
    expect(await proposeFlow(api, first, "RUNNING", RENEWING)).toMatchObject({ status: "ACCEPT" });
  });
});
