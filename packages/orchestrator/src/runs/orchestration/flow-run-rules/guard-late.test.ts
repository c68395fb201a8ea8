import { expect, test } from "vitest";
import { FROM_ALL, flowRun, pairs, verdicts, without } from "../../../testing/rule-tests.ts";
import { guardLate } from "./guard-late.ts";

const proposed = { name: "Late" };

test("only a run that still waits can become late", async () => {
  expect(await verdicts(guardLate, (pair) => flowRun({ ...pair, proposed }))).toEqual(
    pairs(without(FROM_ALL, "SCHEDULED"), ["SCHEDULED"], "REJECT"),
  );
});

test("a run becomes late only once", async () => {
  const initial = { name: "Late" };
  expect(await verdicts(guardLate, (pair) => flowRun({ ...pair, initial, proposed }))).toEqual(
    pairs(FROM_ALL, ["SCHEDULED"], "REJECT"),
  );
});

test("any other name goes", async () => {
  expect(await verdicts(guardLate, flowRun)).toEqual({});
});
