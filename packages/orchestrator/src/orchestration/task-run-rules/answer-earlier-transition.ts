import { readJson } from "@orchestrator/kernel";
import { listStates } from "../../features/states/states.store.ts";
import { ANY, answered, type Verdict } from "../rule.ts";
import type { RunState } from "../run-state.ts";
import type { TaskRunRule, TaskRunTransition } from "../task-run-transition.ts";

/**
 * A request that is sent again gets the same answer also when the task run has gone on meanwhile, and does not take it
 * back. The history is asked each time: few clients propose states of tasks, most report them as events.
 */
export const answerEarlierTransition: TaskRunRule = {
  name: "answer-earlier-transition",
  from: ANY,
  to: ANY,
  before: (transition) =>
    transition.proposed.state_details.transition_id === null ? undefined : firstAnswer(transition),
};

async function firstAnswer({ tx, run, proposed }: TaskRunTransition): Promise<Verdict | undefined> {
  const { transition_id } = proposed.state_details;
  const states = readJson(await listStates(tx, { of: "task run", runId: run.id })) as RunState[];
  const state = states.find(({ state_details: made }) => made.transition_id === transition_id);
  return state && answered(state, proposed);
}
