import { ANY, answered, type RunRule } from "../rule.ts";

/**
 * A request that is sent again because its answer was lost gets the same answer, and changes
 * nothing.
 */
export const answerRepeatedTransition: RunRule = {
  name: "answer-repeated-transition",
  from: ANY,
  to: ANY,
  before: ({ initial, proposed }) => {
    const id = proposed.state_details.transition_id;
    if (initial === null || id === null || initial.state_details.transition_id !== id) return;
    return answered(initial, proposed);
  },
};
