import { expect, test } from "vitest";
import {
  ALL,
  ANY_ID,
  decide,
  flowRun,
  OTHER_ID,
  pairs,
  verdicts,
} from "../../../testing/rule-tests.ts";
import { keepLease } from "./keep-lease.ts";

const held = { state_details: { deployment_concurrency_lease_id: ANY_ID } };

test("the lease of a run's slot goes with it from any state to any other", async () => {
  expect(await verdicts(keepLease, (pair) => flowRun({ ...pair, initial: held }))).toEqual(
    pairs(ALL, ALL, "CHANGE"),
  );
  const { state } = await decide(
    keepLease,
    flowRun({ from: "RUNNING", to: "PAUSED", initial: held }),
  );
  expect(state).toMatchObject(held);
});

test("a run that holds no slot carries no lease, and one that says which it has keeps that one", async () => {
  expect(await verdicts(keepLease, flowRun)).toEqual({});
  const own = { state_details: { deployment_concurrency_lease_id: OTHER_ID } };
  expect(
    await verdicts(keepLease, (pair) => flowRun({ ...pair, initial: held, proposed: own })),
  ).toEqual({});
});
