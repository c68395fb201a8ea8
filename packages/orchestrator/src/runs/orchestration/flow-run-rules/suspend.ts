import type { FlowRunRule } from "../flow-run-transition.ts";
import { abort, only } from "../rule.ts";
import { isSuspension } from "../suspension.rules.ts";

/** A run that waits without a process goes on in the same execution, which takes a deployment. */
export const suspend: FlowRunRule = {
  name: "suspend",
  from: only("RUNNING"),
  to: only("SCHEDULED"),
  before: ({ proposed, run }) => {
    if (!isSuspension(proposed.name) || run.deployment_id !== null) return;
    return abort("Only a run of a deployment can be suspended");
  },
  after: ({ policy }, { name }) => {
    if (isSuspension(name)) policy.change({ resuming: true });
  },
};
