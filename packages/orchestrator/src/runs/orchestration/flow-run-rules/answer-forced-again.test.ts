import { expect, test } from "vitest";
import { ALL, ANY_ID, flowRun, OTHER_ID, pairs, verdicts } from "../../../testing/rule-tests.ts";
import { createTestFlowRun, proposeFlow, readRecord } from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { answerForcedFlowRunAgain as rule } from "./answer-forced-again.ts";

const FORCED = { force: true };
const sent = { state_details: { transition_id: ANY_ID } };

test("the history is asked about the transition to the present state, and those that the run has behind it", async () => {
  const run = { earlier_transitions: ANY_ID };
  for (const known of [{ run }, { initial: sent }])
    expect(await verdicts(rule, (pair) => flowRun({ ...pair, ...known, proposed: sent }))).toEqual(
      pairs(ALL, ALL, "DATABASE"),
    );
  expect(await verdicts(rule, (pair) => flowRun({ ...pair, proposed: sent }))).toEqual({});
  expect(await verdicts(rule, (pair) => flowRun({ ...pair, run, initial: sent }))).toEqual({});
});

describeEachApi("a forced state that is sent again", (open) => {
  test("gets the answer of the first time, and neither is entered again nor takes the run back", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    const crashed = { type: "CRASHED", message: "Gone", ...sent };
    const first = await proposeFlow(api, id, crashed, FORCED);
    expect(await proposeFlow(api, id, crashed, FORCED)).toEqual(first);
    const scheduled = { type: "SCHEDULED", state_details: { transition_id: OTHER_ID } };
    const second = await proposeFlow(api, id, scheduled, FORCED);
    expect(await proposeFlow(api, id, crashed, FORCED)).toEqual(first);
    expect(await proposeFlow(api, id, scheduled, FORCED)).toEqual(second);
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state_id: second.state?.id });
    const { body } = await api.get(`/flow_run_states/?flow_run_id=${id}`);
    expect(body).toMatchObject([{ type: "PENDING" }, { type: "CRASHED" }, { type: "SCHEDULED" }]);
  });

  test("does not begin to cancel what was cancelled at once", async () => {
    await using api = await open({ dialect: "prefect" });
    const id = await createTestFlowRun(api, { state: { type: "SCHEDULED" } });
    const cancelling = { type: "CANCELLING", ...sent };
    const first = await proposeFlow(api, id, cancelling, FORCED);
    const second = await proposeFlow(api, id, cancelling, FORCED);
    expect([first, second]).toMatchObject(Array(2).fill({ status: "REJECT", state: first.state }));
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ state_type: "CANCELLED" });
  });

  test("is another one where it only has the details of an earlier state", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    const first = { type: "SCHEDULED", ...sent };
    const { state } = await proposeFlow(api, id, first, FORCED);
    const details = { ...state?.state_details, scheduled_time: "2099-01-01T00:00:00Z" };
    for (const other of [
      { type: "SCHEDULED", state_details: details },
      { ...first, name: "Late" },
      { ...first, message: "Again" },
      { ...first, type: "RUNNING" },
    ]) {
      const answer = await proposeFlow(api, id, other, FORCED);
      expect(answer.status).toBe("ACCEPT");
      expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({
        state_id: answer.state?.id,
      });
      expect(answer.state?.id).not.toBe(state?.id);
    }
  });

  test("is refused where it would work on a run that was stopped", async () => {
    await using api = await open();
    for (const type of ["CANCELLING", "CANCELLED"]) {
      const id = await createTestFlowRun(api);
      const running = { type: "RUNNING", ...sent };
      await proposeFlow(api, id, running, FORCED);
      const stopped = await proposeFlow(api, id, type);
      expect(await proposeFlow(api, id, running, FORCED)).toMatchObject({
        status: type === "CANCELLING" ? "REJECT" : "ABORT",
        state: { id: stopped.state?.id },
      });
    }
  });
});
