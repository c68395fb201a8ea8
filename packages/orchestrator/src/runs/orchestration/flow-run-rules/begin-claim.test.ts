import { expect, test } from "vitest";
import {
  ANY_ID,
  decide,
  FROM_ALL,
  flowRun,
  pairs,
  verdicts,
  without,
} from "../../../testing/rule-tests.ts";
import { beginClaim } from "./begin-claim.ts";

test("a claim begins whenever a run becomes PENDING", async () => {
  expect(await verdicts(beginClaim, flowRun)).toEqual(
    pairs(without(FROM_ALL, "PENDING"), ["PENDING"], "CHANGE"),
  );
});

test("its id is that of the state it begins with, whatever claim there was before", async () => {
  const initial = { state_details: { claim_id: ANY_ID } };
  const { state } = await decide(
    beginClaim,
    flowRun({ from: "SCHEDULED", to: "PENDING", initial }),
  );
  expect(state?.state_details.claim_id).toBe(state?.id);
});
