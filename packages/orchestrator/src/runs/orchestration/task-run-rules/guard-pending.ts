import { abort, change, only } from "../rule.ts";
import { withDetails } from "../run-state.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

/** One worker takes a background task, and may say how far it is. */
export const guardPendingTaskRun: TaskRunRule = {
  name: "guard-pending",
  from: only("PENDING", "RUNNING", "CANCELLING", "CANCELLED"),
  to: only("PENDING"),
  before: ({ initial, proposed }) => {
    if (initial === null) return;
    const isProgress =
      initial.type === "PENDING" && proposed.name !== "Pending" && proposed.name !== initial.name;
    if (!isProgress) return abort(`The task run is ${initial.type} and cannot be claimed`);
    return change(withDetails(proposed, { scheduled_time: initial.state_details.scheduled_time }));
  },
};
