import { stateItLedTo } from "../earlier-transitions.ts";
import { ANY, answered, type RuleVerdict } from "../rule.ts";
import type { TaskRunRule, TaskRunTransition } from "../task-run-transition.ts";

/**
 * A request that is sent again gets the same answer also when the task run has gone on meanwhile,
 * and does not take it back. The last states are looked at each time: few clients propose states of
 * tasks, most report them as events.
 */
export const answerEarlierTaskRunTransition: TaskRunRule = {
  name: "answer-earlier-transition",
  from: ANY,
  to: ANY,
  before: (transition) =>
    transition.proposed.state_details.transition_id === null ? undefined : firstAnswer(transition),
};

async function firstAnswer({
  tx,
  run,
  proposed,
}: TaskRunTransition): Promise<RuleVerdict | undefined> {
  const state = await stateItLedTo(tx, { of: "task run", runId: run.id, proposed });
  return state && answered(state, proposed);
}
