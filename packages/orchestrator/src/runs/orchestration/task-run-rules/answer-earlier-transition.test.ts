import { expect, test } from "vitest";
import { ALL, ANY_ID, OTHER_ID, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { createTestTaskRun, proposeTask, readRecord } from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { answerEarlierTaskRunTransition as rule } from "./answer-earlier-transition.ts";

test("the history is asked about transitions that have an id", async () => {
  const proposed = { state_details: { transition_id: ANY_ID } };
  expect(await verdicts(rule, (pair) => taskRun({ ...pair, proposed }))).toEqual(
    pairs(ALL, ALL, "DATABASE"),
  );
  expect(await verdicts(rule, taskRun)).toEqual({});
});

describeEachApi("a transition of a task run that is sent again when it has gone on", (open) => {
  test("gets the answer of the first time, and does not take the task run back", async () => {
    await using api = await open();
    const id = await createTestTaskRun(api);
    const crashed = { type: "CRASHED", state_details: { transition_id: ANY_ID } };
    const scheduled = { type: "SCHEDULED", state_details: { transition_id: OTHER_ID } };
    const first = await proposeTask(api, id, crashed);
    const second = await proposeTask(api, id, scheduled);
    expect(second.status).toBe("ACCEPT");
    expect(await proposeTask(api, id, crashed)).toEqual(first);
    expect(await readRecord(api, `/task_runs/${id}`)).toMatchObject({ state_id: second.state?.id });
  });

  test("does so for a task in the background, but is not let take one that another has", async () => {
    await using api = await open();
    const of = (type: string, transition_id?: string) => ({
      type,
      state_details: { deferred: true, ...(transition_id && { transition_id }) },
    });
    const id = await createTestTaskRun(api, { state: of("SCHEDULED") });
    const taken = of("PENDING", OTHER_ID);
    expect(await proposeTask(api, id, taken)).toMatchObject({ status: "ACCEPT" });
    const failed = of("FAILED", ANY_ID);
    const first = await proposeTask(api, id, failed);
    expect(await proposeTask(api, id, of("SCHEDULED"))).toMatchObject({ status: "ACCEPT" });
    const others = await proposeTask(api, id, of("PENDING"));
    expect(await proposeTask(api, id, failed)).toEqual(first);
    expect(await proposeTask(api, id, taken)).toMatchObject({ status: "ABORT" });
    expect(await readRecord(api, `/task_runs/${id}`)).toMatchObject({ state_id: others.state?.id });
  });
});
