import { expect, test } from "vitest";
import { flowRun, pairs, verdicts } from "../../../testing/rule-tests.ts";
import { keepResult } from "./keep-result.ts";

const kept = { data: { type: "reference" } };

test("a completed run does not lose its result to a completion without one", async () => {
  const expected = pairs(["COMPLETED"], ["COMPLETED"], "REJECT");
  expect(await verdicts(keepResult, (pair) => flowRun({ ...pair, initial: kept }))).toEqual(
    expected,
  );
  const proposed = { data: { type: "unpersisted" } };
  expect(
    await verdicts(keepResult, (pair) => flowRun({ ...pair, initial: kept, proposed })),
  ).toEqual(expected);
});

test("a new result may take the place of the old one, or of none", async () => {
  expect(await verdicts(keepResult, flowRun)).toEqual({});
  expect(
    await verdicts(keepResult, (pair) => flowRun({ ...pair, initial: kept, proposed: kept })),
  ).toEqual({});
});
