import { expect, test } from "vitest";
import {
  ALL,
  ANY_ID,
  ENDS,
  FROM_ALL,
  flowRun,
  OTHER_ID,
  pairs,
  verdicts,
  without,
} from "../../../testing/rule-tests.ts";
import { REOFFERED, fenceLateClaimant as rule } from "./fence-late-claimant.ts";

const mine = { state_details: { claim_id: ANY_ID } };
const theirs = { state_details: { claim_id: OTHER_ID } };

test("a claimant whose run went to another is told so, whatever it proposes", async () => {
  expect(
    await verdicts(rule, (pair) => flowRun({ ...pair, initial: theirs, proposed: mine })),
  ).toEqual(pairs(FROM_ALL, ALL, "ABORT"));
});

test("so is a claimant whose run is offered again", async () => {
  expect(await verdicts(rule, (pair) => flowRun({ ...pair, proposed: mine }))).toEqual(
    pairs(FROM_ALL, ALL, "ABORT"),
  );
});

test("a claimant that gives no id cannot start a run that was taken back from it", async () => {
  const initial = { name: REOFFERED };
  expect(
    await verdicts(rule, (pair) =>
      flowRun({ ...pair, ...(pair.from === "SCHEDULED" && { initial }) }),
    ),
  ).toEqual(pairs(["SCHEDULED"], ["RUNNING"], "ABORT"));
});

test("the claim stays with the run until it has ended or is offered again", async () => {
  expect(await verdicts(rule, (pair) => flowRun({ ...pair, initial: mine }))).toEqual(
    pairs(without(ALL, ...ENDS), without(ALL, "SCHEDULED"), "CHANGE"),
  );
});

test("who holds the claim is let pass", async () => {
  const held = (pair: { from: (typeof FROM_ALL)[number]; to: (typeof ALL)[number] }) =>
    flowRun({ ...pair, initial: mine, ...(pair.from !== null && { proposed: mine }) });
  expect(await verdicts(rule, held)).toEqual({});
  expect(await verdicts(rule, flowRun)).toEqual({});
});
