import { ANY_OR_NONE, only } from "../rule.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

/** A task run knows in which execution of its flow it last ran. */
export const countFlowRun: TaskRunRule = {
  name: "count-flow-run",
  from: ANY_OR_NONE,
  to: only("RUNNING"),
  after: ({ parent, counts }) => {
    if (parent !== null) counts.flowRunRunCount = parent.run_count;
  },
};
