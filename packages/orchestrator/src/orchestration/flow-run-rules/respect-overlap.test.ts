import { expect, test } from "vitest";
import { ANY_ID, flowRun, pairs, verdicts } from "../../testing/rule-tests.ts";
import { respectOverlap } from "./respect-overlap.ts";

const ofSchedule = { created_by: JSON.stringify({ id: ANY_ID, type: "SCHEDULE" }), run_count: 0 };

test("only the claim of a schedule's run that never ran asks for other runs", async () => {
  expect(await verdicts(respectOverlap, (pair) => flowRun({ ...pair, run: ofSchedule }))).toEqual(
    pairs(["SCHEDULED"], ["PENDING"], "DATABASE"),
  );
  const byDeployment = JSON.stringify({ id: ANY_ID, type: "DEPLOYMENT" });
  for (const other of [
    { run_count: 1 },
    { deployment_id: null },
    { created_by: null },
    { created_by: byDeployment },
  ]) {
    const run = { ...ofSchedule, ...other };
    expect(await verdicts(respectOverlap, (pair) => flowRun({ ...pair, run }))).toEqual({});
  }
});
