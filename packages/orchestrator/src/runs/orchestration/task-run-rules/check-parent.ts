import { ANY_OR_NONE, abort, only, replace } from "../rule.ts";
import { type RunState, receiveState } from "../run-state.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

/** A task runs only while its flow runs. */
export const checkParent: TaskRunRule = {
  name: "check-parent",
  from: ANY_OR_NONE,
  to: only("RUNNING"),
  before: ({ ctx, run, parent, now }) => {
    if (run.flow_run_id === null) return;
    if (parent?.state == null) return abort("The flow run of this task run has no state");
    const { type, state_details } = JSON.parse(parent.state) as RunState;
    if (type === "RUNNING") return;
    if (type !== "PAUSED") return abort(`The flow run of this task run is ${type}`);
    const { pause_timeout, pause_reschedule } = state_details;
    const paused = receiveState(
      { type: "PAUSED", name: "NotReady", state_details: { pause_timeout, pause_reschedule } },
      { ids: ctx.ids, now },
    );
    return replace(paused, "The flow run is paused");
  },
};
