import { expect, test } from "vitest";
import { ANY_ID, flowRun, pairs, verdicts } from "../../../testing/rule-tests.ts";
import { respectOverlap } from "./respect-overlap.ts";

const given = { schedule: { id: ANY_ID, overlap: "skip" }, run: { run_count: 0 } };

test("only the claim of a run that never ran, of a schedule that minds, asks for other runs", async () => {
  expect(await verdicts(respectOverlap, (pair) => flowRun({ ...pair, ...given }))).toEqual(
    pairs(["SCHEDULED"], ["PENDING"], "DATABASE"),
  );
  for (const other of [
    { schedule: null },
    { run: { run_count: 1 } },
    { run: { run_count: 0, deployment_id: null } },
  ]) {
    const changed = { ...given, ...other };
    expect(await verdicts(respectOverlap, (pair) => flowRun({ ...pair, ...changed }))).toEqual({});
  }
});
