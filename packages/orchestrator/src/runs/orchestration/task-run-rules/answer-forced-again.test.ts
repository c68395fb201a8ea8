import { expect, test } from "vitest";
import { ALL, ANY_ID, OTHER_ID, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { createTestTaskRun, proposeTask, readRecord } from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { answerForcedTaskRunAgain as rule } from "./answer-forced-again.ts";

const FORCED = { force: true };
const sent = { state_details: { transition_id: ANY_ID } };

test("the history is asked about transitions that have an id", async () => {
  expect(await verdicts(rule, (pair) => taskRun({ ...pair, proposed: sent }))).toEqual(
    pairs(ALL, ALL, "DATABASE"),
  );
  expect(await verdicts(rule, taskRun)).toEqual({});
});

describeEachApi("a forced state of a task run that is sent again", (open) => {
  test("gets the answer of the first time, and does not take the task run back", async () => {
    await using api = await open();
    const id = await createTestTaskRun(api);
    const failed = { type: "FAILED", message: "No", ...sent };
    const first = await proposeTask(api, id, failed, FORCED);
    const running = { type: "RUNNING", state_details: { transition_id: OTHER_ID } };
    const second = await proposeTask(api, id, running, FORCED);
    expect(await proposeTask(api, id, failed, FORCED)).toEqual(first);
    expect(await readRecord(api, `/task_runs/${id}`)).toMatchObject({ state_id: second.state?.id });
    const other = await proposeTask(api, id, { ...failed, message: "Never" }, FORCED);
    expect(await readRecord(api, `/task_runs/${id}`)).toMatchObject({ state_id: other.state?.id });
  });
});
