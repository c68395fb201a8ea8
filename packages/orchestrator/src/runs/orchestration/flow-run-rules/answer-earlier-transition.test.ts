import { expect, test } from "vitest";
import { ALL, ANY_ID, flowRun, OTHER_ID, pairs, verdicts } from "../../../testing/rule-tests.ts";
import { createTestFlowRun, proposeFlow, readRecord } from "../../../testing/run-requests.ts";
import { describeEachApi } from "../../../testing.ts";
import { answerEarlierFlowRunTransition as rule } from "./answer-earlier-transition.ts";

const sent = { state_details: { transition_id: ANY_ID } };

test("the history is asked about transitions that the run has behind it, whatever the states are", async () => {
  const run = { earlier_transitions: `${OTHER_ID} ${ANY_ID}` };
  expect(await verdicts(rule, (pair) => flowRun({ ...pair, proposed: sent, run }))).toEqual(
    pairs(ALL, ALL, "DATABASE"),
  );
});

test("transitions with other ids, or with none, are new", async () => {
  for (const [earlier_transitions, proposed] of [
    [OTHER_ID, sent],
    [null, sent],
    [ANY_ID, {}],
  ] as const) {
    const run = { earlier_transitions };
    expect(await verdicts(rule, (pair) => flowRun({ ...pair, proposed, run }))).toEqual({});
  }
});

describeEachApi("a transition that is sent again when the run has gone on", (open) => {
  test("gets the answer of the first time, and does not take the run back", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    const running = { type: "RUNNING", state_details: { transition_id: ANY_ID } };
    const completed = { type: "COMPLETED", state_details: { transition_id: OTHER_ID } };
    const first = await proposeFlow(api, id, running);
    const second = await proposeFlow(api, id, completed);
    expect(await proposeFlow(api, id, running)).toEqual(first);
    expect(await proposeFlow(api, id, completed)).toEqual(second);
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({
      state_id: second.state?.id,
      run_count: 1,
    });
  });

  test("is refused where it would work on a run that others have claimed", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "SCHEDULED" } });
    const pending = { type: "PENDING", state_details: { transition_id: ANY_ID } };
    const { state } = await proposeFlow(api, id, pending);
    const running = { type: "RUNNING", state_details: { transition_id: OTHER_ID } };
    await proposeFlow(api, id, running);
    expect(await proposeFlow(api, id, pending)).toMatchObject({ status: "ACCEPT", state });
    await proposeFlow(api, id, "SCHEDULED", { force: true });
    for (const type of ["PENDING", "RUNNING", "COMPLETED"]) {
      const others = await proposeFlow(api, id, type);
      expect(others.status).toBe("ACCEPT");
      for (const again of [pending, running])
        expect(await proposeFlow(api, id, again)).toMatchObject({
          status: "ABORT",
          state: { id: others.state?.id },
        });
    }
  });

  test("is refused where it would work on a run that was stopped", async () => {
    await using api = await open();
    for (const type of ["CANCELLING", "CANCELLED", "CRASHED"]) {
      const id = await createTestFlowRun(api, { state: { type: "SCHEDULED" } });
      const pending = { type: "PENDING", state_details: { transition_id: ANY_ID } };
      const running = { type: "RUNNING", state_details: { transition_id: OTHER_ID } };
      for (const state of [pending, running]) await proposeFlow(api, id, state);
      const stopped = await proposeFlow(api, id, type);
      expect(stopped.status).toBe("ACCEPT");
      for (const again of [pending, running])
        expect(await proposeFlow(api, id, again)).toMatchObject({
          status: type === "CANCELLING" ? "REJECT" : "ABORT",
          state: { id: stopped.state?.id },
        });
    }
  });

  test("is told of the state that was put in the place of the one it asks for", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { empirical_policy: { retries: 1, retry_delay: 0 } });
    await proposeFlow(api, id, "RUNNING");
    const failed = { type: "FAILED", state_details: { transition_id: ANY_ID } };
    const { state } = await proposeFlow(api, id, failed);
    const retried = await proposeFlow(api, id, "RUNNING");
    expect(await proposeFlow(api, id, failed)).toMatchObject({
      status: "REJECT",
      state: { id: state?.id, name: "AwaitingRetry" },
    });
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({
      state_id: retried.state?.id,
    });
  });
});
