import { expect, test } from "vitest";
import { ALL, flowRun, pairs, verdicts, without } from "../../../testing/rule-tests.ts";
import { guardCancelling } from "./guard-cancelling.ts";

test("a run that is being cancelled can only become cancelled", async () => {
  expect(await verdicts(guardCancelling, flowRun)).toEqual(
    pairs(["CANCELLING"], without(ALL, "CANCELLED"), "REJECT"),
  );
});
