import { readJson } from "@orchestrator/exact-json";
import { plusSeconds } from "@orchestrator/kernel/pure";
import type { FlowRunRule } from "../flow-run-transition.ts";
import { AWAITING_RECOVERY } from "../recovery.rules.ts";
import { countRecoveries, readLabels } from "../recovery.store.ts";
import { change, only, replace } from "../rule.ts";
import { receiveState } from "../run-state.ts";

/** The label of a deployment whose runs go on when their process was lost: `resume`. */
const ON_CRASH = "orchestrator.on-crash";

/** How long a recovery waits, by how many came before it since the run last finished a task. */
const BACKOFF_SECONDS = [0, 10, 60] as const;

/** A run whose process was lost is offered again, and goes on behind what it has finished. */
export const recover: FlowRunRule = {
  name: "recover",
  from: only("PENDING", "RUNNING"),
  to: only("CRASHED"),
  before: async ({ ctx, tx, run, initial, policy, proposed, now }) => {
    if (run.deployment_id === null && run.work_queue_id === null) return;
    const labels = readJson(await readLabels(tx, run.id)) as Readonly<Record<string, unknown>>;
    if (labels[ON_CRASH] !== "resume") return;
    const earlier = await countRecoveries(tx, run.id);
    const seconds = BACKOFF_SECONDS[earlier];
    const cause = proposed.message ?? "The process of the run was lost";
    if (seconds === undefined) {
      const message = `${cause}; the run was recovered ${earlier} times and finished nothing since`;
      return change({ ...proposed, message });
    }
    // It is the same execution, unless none has begun.
    policy.change({ retry_type: null, ...(initial?.type === "RUNNING" && { resuming: true }) });
    const awaiting = receiveState(
      {
        type: "SCHEDULED",
        name: AWAITING_RECOVERY,
        message: cause,
        state_details: { scheduled_time: plusSeconds(now, seconds) },
      },
      { ids: ctx.ids, now },
    );
    return replace(awaiting, "The run is offered again, as its process was lost");
  },
};
