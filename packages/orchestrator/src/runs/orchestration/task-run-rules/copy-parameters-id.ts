import { change, only } from "../rule.ts";
import { withDetails } from "../run-state.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

/** A background task finds its parameters by an id that stays with it. */
export const copyParametersId: TaskRunRule = {
  name: "copy-parameters-id",
  from: only("SCHEDULED", "PENDING"),
  to: only("PENDING", "RUNNING"),
  before: ({ initial, proposed }) => {
    const id = initial?.state_details.task_parameters_id ?? null;
    if (id === null || proposed.state_details.task_parameters_id !== null) return;
    return change(withDetails(proposed, { task_parameters_id: id }));
  },
};
