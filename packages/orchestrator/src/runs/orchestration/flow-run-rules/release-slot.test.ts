import type { State, StateType } from "@orchestrator/contract";
import { expect, test } from "vitest";
import {
  ALL,
  ANY_ID,
  flowRun,
  later,
  pairs,
  verdicts,
  without,
} from "../../../testing/rule-tests.ts";
import {
  createRunsOf,
  createTestDeployment,
  proposeFlow,
  readRecord,
  slotsTaken,
} from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import type { From } from "../rule.ts";
import { releaseSlot } from "./release-slot.ts";

const UNDER_WAY = ["PENDING", "RUNNING", "PAUSED", "CANCELLING"] as const;
const OVER = without(ALL, "PENDING", "RUNNING", "CANCELLING");

test("a run that is no longer under way gives its slot back", async () => {
  expect(await verdicts(releaseSlot, flowRun)).toEqual(pairs(UNDER_WAY, OVER, "DATABASE"));
  const run = { deployment_id: null };
  expect(await verdicts(releaseSlot, (pair) => flowRun({ ...pair, run }))).toEqual({});
});

test("so does one that has kept its slot while it waited", async () => {
  const initial = { state_details: { deployment_concurrency_lease_id: ANY_ID } };
  expect(await verdicts(releaseSlot, (pair) => flowRun({ ...pair, initial }))).toEqual(
    pairs(ALL, OVER, "DATABASE"),
  );
});

test("one that pauses in its process keeps it, unless the pause has no end", async () => {
  const inProcess = { state_details: { pause_timeout: later(60) } };
  const suspended = { state_details: { pause_timeout: later(60), pause_reschedule: true } };
  const said = (proposed: typeof inProcess) => (pair: { from: From; to: StateType }) =>
    flowRun({ ...pair, proposed });
  expect(await verdicts(releaseSlot, said(inProcess))).toEqual(
    pairs(UNDER_WAY, without(OVER, "PAUSED"), "DATABASE"),
  );
  expect(await verdicts(releaseSlot, said(suspended))).toEqual(pairs(UNDER_WAY, OVER, "DATABASE"));
});

describeEachApi("the slot of a run", (open) => {
  test("comes back with whatever ends, suspends or reschedules the run, forced or not", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const runs = await createRunsOf(api, deployment, { count: OVER.length });
    for (const [index, type] of OVER.entries()) {
      const id = runs[index];
      const force = index % 2 === 0;
      for (const step of ["PENDING", "RUNNING"]) await proposeFlow(api, id, step, { force: false });
      expect(await slotsTaken(api, deployment)).toBe(1);
      expect(await proposeFlow(api, id, type, { force })).toMatchObject({ state: { type } });
      expect(await slotsTaken(api, deployment)).toBe(0);
    }
  });

  test("stays with a run that is tried again in its process, until that is over", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [id] = await createRunsOf(api, deployment, { empirical_policy: { retries: 2 } });
    for (const type of ["PENDING", "RUNNING", "FAILED", "RUNNING", "FAILED"]) {
      await proposeFlow(api, id, type);
      expect(await slotsTaken(api, deployment)).toBe(1);
    }
    expect(await proposeFlow(api, id, "CANCELLED")).toMatchObject({ status: "ACCEPT" });
    expect(await slotsTaken(api, deployment)).toBe(0);
  });

  test("comes back with a run that was forced to run and ends while it waits to be tried again", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [id] = await createRunsOf(api, deployment, { empirical_policy: { retries: 2 } });
    for (const type of ["PENDING", "RUNNING"]) await proposeFlow(api, id, type);
    await proposeFlow(api, id, "RUNNING", { force: true });
    await proposeFlow(api, id, "FAILED");
    expect(await slotsTaken(api, deployment)).toBe(1);
    await proposeFlow(api, id, "CANCELLED");
    expect(await slotsTaken(api, deployment)).toBe(0);
  });

  test("stays with a run that is forced to run, under the lease that its client renews", async () => {
    await using api = await open();
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [id] = await createRunsOf(api, deployment);
    for (const type of ["PENDING", "RUNNING"]) await proposeFlow(api, id, type);
    const leaseOf = async () => {
      const { state } = (await readRecord(api, `/flow_runs/${id}`)) as { state: State };
      return state.state_details.deployment_concurrency_lease_id;
    };
    const lease = await leaseOf();
    expect(lease).toEqual(expect.any(String));
    await proposeFlow(api, id, "RUNNING", { force: true });
    expect(await leaseOf()).toBe(lease);
    await proposeFlow(api, id, "COMPLETED");
    expect(await slotsTaken(api, deployment)).toBe(0);
  });

  test("is not the only one a run may hold: others stay with it until it has ended", async () => {
    await using api = await open();
    await api.post("/v2/concurrency_limits/", { name: "db", limit: 1 });
    const deployment = await createTestDeployment(api, { concurrency_limit: 1 });
    const [id] = await createRunsOf(api, deployment);
    for (const type of ["PENDING", "RUNNING"]) await proposeFlow(api, id, type);
    const holder = { type: "flow_run", id };
    const taken = { names: ["db"], slots: 1, mode: "concurrency", holder };
    await api.post("/v2/concurrency_limits/increment-with-lease", taken);
    await proposeFlow(api, id, "PAUSED");
    expect(await slotsTaken(api, deployment)).toBe(0);
    expect(await readRecord(api, "/v2/concurrency_limits/db")).toMatchObject({ active_slots: 1 });
    await proposeFlow(api, id, "FAILED");
    expect(await readRecord(api, "/v2/concurrency_limits/db")).toMatchObject({ active_slots: 0 });
  });
});
