import { expect, test } from "vitest";
import { ANY_ID, decide, flowRun, NOW, pairs, verdicts } from "../../../testing/rule-tests.ts";
import { guardPendingFlowRun } from "./guard-pending.ts";

const TAKEN = ["PENDING", "RUNNING", "CANCELLING", "CANCELLED"] as const;
const ENDED = ["COMPLETED", "FAILED", "CRASHED"] as const;

test("what is claimed, running or cancelled cannot be claimed", async () => {
  const run = { deployment_id: null };
  expect(await verdicts(guardPendingFlowRun, (pair) => flowRun({ ...pair, run }))).toEqual(
    pairs(TAKEN, ["PENDING"], "ABORT"),
  );
});

test.each([
  ["of a deployment", { deployment_id: ANY_ID }],
  ["in a work queue", { deployment_id: null, work_queue_id: ANY_ID }],
])(
  "nor can a run %s that has ended, which an offer from before would carry out twice",
  async (_where, run) => {
    expect(await verdicts(guardPendingFlowRun, (pair) => flowRun({ ...pair, run }))).toEqual(
      pairs([...TAKEN, ...ENDED], ["PENDING"], "ABORT"),
    );
  },
);

test("only who has claimed it says how far it is, by another name", async () => {
  const initial = { state_details: { scheduled_time: NOW } };
  const proposed = { name: "Submitting" };
  expect(
    await verdicts(guardPendingFlowRun, (pair) => flowRun({ ...pair, initial, proposed })),
  ).toEqual({
    ...pairs([...TAKEN, ...ENDED], ["PENDING"], "ABORT"),
    ...pairs(["PENDING"], ["PENDING"], "CHANGE"),
  });
});

test("the same name, or the first one, is no progress", async () => {
  for (const [from, to] of [
    ["Submitting", "Submitting"],
    ["Submitting", "Pending"],
  ] as const) {
    const { status } = await decide(
      guardPendingFlowRun,
      flowRun({ from: "PENDING", to: "PENDING", initial: { name: from }, proposed: { name: to } }),
    );
    expect(status).toBe("ABORT");
  }
});

test("progress changes neither the time of the run nor the slot it holds", async () => {
  const state_details = { scheduled_time: NOW, deployment_concurrency_lease_id: ANY_ID };
  const { state } = await decide(
    guardPendingFlowRun,
    flowRun({
      from: "PENDING",
      to: "PENDING",
      initial: { state_details },
      proposed: { name: "Submitting" },
    }),
  );
  expect(state).toMatchObject({ name: "Submitting", state_details });
});
