import { ANY_OR_NONE, change, only } from "../rule.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

/** The name of a second run of a task says why it runs. */
export const renameRerun: TaskRunRule = {
  name: "rename-rerun",
  from: ANY_OR_NONE,
  to: only("RUNNING"),
  before: ({ initial, proposed, counts }) => {
    if (counts.runCount === 0) return;
    const name = initial?.name === "AwaitingRetry" ? "Retrying" : "Rerunning";
    return change({ ...proposed, name });
  },
};
