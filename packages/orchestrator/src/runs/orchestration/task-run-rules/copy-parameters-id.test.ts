import { expect, test } from "vitest";
import { ANY_ID, decide, OTHER_ID, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { copyParametersId } from "./copy-parameters-id.ts";

const initial = { state_details: { task_parameters_id: ANY_ID } };

test("a background task finds its parameters while it is taken and started", async () => {
  expect(await verdicts(copyParametersId, (pair) => taskRun({ ...pair, initial }))).toEqual(
    pairs(["SCHEDULED", "PENDING"], ["PENDING", "RUNNING"], "CHANGE"),
  );
  const { state } = await decide(
    copyParametersId,
    taskRun({ from: "SCHEDULED", to: "PENDING", initial }),
  );
  expect(state).toMatchObject(initial);
});

test("parameters that are proposed stay, and where there are none nothing is said", async () => {
  const proposed = { state_details: { task_parameters_id: OTHER_ID } };
  expect(
    await verdicts(copyParametersId, (pair) => taskRun({ ...pair, initial, proposed })),
  ).toEqual({});
  expect(await verdicts(copyParametersId, taskRun)).toEqual({});
});
