// However many propose states of one run at the same moment: there is one history, and every answer
// tells of it.

import { expect, test } from "vitest";
import {
  createTestFlowRun,
  proposeFlow,
  readRecord,
  type StateAnswer,
} from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const END = /^(COMPLETED|FAILED|CANCELLED|CRASHED)$/;

interface State {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly timestamp: string;
}

interface StateEvent {
  readonly resource: Readonly<Record<string, string>>;
}

const inShort = ({ type, name }: State) => ({ type, name });

/** What the event of a state says. */
const eventOf = (state: State, previous: State | undefined) => ({
  id: state.id,
  occurred: state.timestamp,
  follows: previous?.id ?? null,
  payload: {
    intended: { from: previous?.type ?? null, to: state.type },
    initial_state: previous === undefined ? null : inShort(previous),
    validated_state: inShort(state),
  },
});

/** All proposals at once, so many of each. */
async function race(api: TestApi, id: string, states: readonly (string | object)[], each = 4) {
  const proposals = Array.from({ length: each }, () => states).flat();
  return Promise.all(
    proposals.map((state) => proposeFlow(api, id, state as Parameters<typeof proposeFlow>[2])),
  );
}

/**
 * The types a run went through, once rows, events, answers and columns are seen to tell the same
 * story.
 */
async function history(
  api: TestApi,
  id: string,
  answers: readonly StateAnswer[],
): Promise<string[]> {
  const { body } = await api.get(`/flow_run_states/?flow_run_id=${id}`);
  const states = body as State[];
  const types = states.map(({ type }) => type);
  const events = (await api.events()) as unknown as StateEvent[];
  const resourceId = `orchestrator.flow-run.${id}`;
  expect(
    events.filter(({ resource }) => resource["orchestrator.resource.id"] === resourceId),
  ).toMatchObject(states.map((state, index) => eventOf(state, states[index - 1])));
  for (const [index, { timestamp }] of states.entries()) {
    expect(timestamp > (states[index - 1]?.timestamp ?? "")).toBe(true);
  }
  // Every state but the first was made for one answer, and no other answer made one.
  const known = new Set(states.map((state) => state.id));
  for (const { state } of answers) expect(known).toContain(state?.id);
  const accepted = answers
    .filter(({ status }) => status === "ACCEPT")
    .map(({ state }) => state?.id);
  expect(new Set(accepted).size).toBe(accepted.length);
  const last = states.at(-1) as State;
  const run = await readRecord(api, `/flow_runs/${id}`);
  expect(run).toMatchObject({
    state_id: last.id,
    state_type: last.type,
    state_name: last.name,
    state: { id: last.id, timestamp: last.timestamp },
    run_count: types.filter((type) => type === "RUNNING").length,
    start_time: states.find(({ type }) => type === "RUNNING" || END.test(type))?.timestamp ?? null,
    end_time: endTime(states),
  });
  return types;
}

/** When the states at the end of a history began that are all ends. */
function endTime(states: readonly State[]): string | null {
  const lastOpen = states.findLastIndex(({ type }) => !END.test(type));
  return states[lastOpen + 1]?.timestamp ?? null;
}

const count = (answers: readonly StateAnswer[], status: string) =>
  answers.filter((answer) => answer.status === status).length;

describeEachApi("states that are proposed at the same moment", (open) => {
  test("one of many claimants has the run, and the others are told to leave it", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "SCHEDULED" } });
    const answers = await race(api, id, ["PENDING"], 8);
    expect(await history(api, id, answers)).toEqual(["SCHEDULED", "PENDING"]);
    expect([count(answers, "ACCEPT"), count(answers, "ABORT")]).toEqual([1, 7]);
  });

  test("a run that is started and cancelled ends up being cancelled, and starts no more after that", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    const answers = await race(api, id, ["RUNNING", "CANCELLING"]);
    const [first, ...types] = await history(api, id, answers);
    expect(first).toBe("PENDING");
    expect(types.indexOf("CANCELLING")).toBe(types.length - 1);
    expect(count(answers, "ACCEPT")).toBe(types.length);
    expect(count(answers, "REJECT")).toBe(8 - types.length);
  });

  test("a run that completes with a result and fails keeps the time of its first end", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, { state: { type: "RUNNING" } });
    const completed = { type: "COMPLETED", data: { type: "reference" } };
    const answers = await race(api, id, [completed, "FAILED"]);
    const types = await history(api, id, answers);
    expect(types).toHaveLength(9);
    expect(count(answers, "ACCEPT")).toBe(8);
  });

  test("a run that fails and is cancelled is tried again no more once it is cancelled", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api, {
      state: { type: "RUNNING" },
      empirical_policy: { retries: 9 },
    });
    const answers = await race(api, id, ["FAILED", "CANCELLED", "CRASHED"]);
    const types = await history(api, id, answers);
    const retried = types.indexOf("SCHEDULED");
    // Only the first failure of a running run leads to another try, and an end stays an end.
    expect(types.lastIndexOf("SCHEDULED")).toBe(retried);
    expect([-1, 1]).toContain(retried);
    expect(types.at(-1)).toMatch(END);
    expect(count(answers, "REJECT")).toBe(retried === -1 ? 0 : 1);
    expect(count(answers, "ACCEPT")).toBe(types.length - 1 - count(answers, "REJECT"));
  });

  test("a request that is sent several times at once is answered alike and done once", async () => {
    await using api = await open();
    const id = await createTestFlowRun(api);
    const transition_id = "11111111-2222-4333-8444-555555555555";
    const state = { type: "RUNNING", state_details: { transition_id } };
    const answers = await race(api, id, [state], 8);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await history(api, id, answers.slice(0, 1))).toEqual(["PENDING", "RUNNING"]);
  });
});
