import type { TaskRunPolicy } from "@orchestrator/contract";
import { plusSeconds } from "@orchestrator/kernel/pure";
import { fractionOf } from "../../../limits/occupancy.rules.ts";
import { only, replace } from "../rule.ts";
import { receiveState } from "../run-state.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

/**
 * A task that fails is tried again as often as its policy says, unless it said that this is of no
 * use.
 */
export const retryTaskRunRule: TaskRunRule = {
  name: "retry",
  from: only("RUNNING"),
  to: only("FAILED"),
  before: ({ ctx, proposed, run, now }) => {
    if (proposed.state_details.retriable === false) return;
    const policy = JSON.parse(run.empirical_policy) as TaskRunPolicy;
    if (policy.retries == null || run.run_count > policy.retries) return;
    const awaiting = receiveState(
      {
        type: "SCHEDULED",
        name: "AwaitingRetry",
        message: proposed.message,
        data: proposed.data,
        state_details: {
          scheduled_time: plusSeconds(
            now,
            retryDelay(policy, run.run_count, fractionOf(ctx.ids.uuid4())),
          ),
        },
      },
      { ids: ctx.ids, now },
    );
    return replace(awaiting, "The task is tried again");
  },
};

/** The delay before the next try; a list holds one for each try, the last for all further ones. */
export function retryDelay(
  { retry_delay, retry_jitter_factor }: TaskRunPolicy,
  runCount: number,
  fraction: number,
): number {
  const delay = Array.isArray(retry_delay)
    ? ((retry_delay as readonly number[])[Math.min(runCount - 1, retry_delay.length - 1)] ?? 0)
    : ((retry_delay as number | null | undefined) ?? 0);
  if (retry_jitter_factor == null || retry_jitter_factor === 0) return delay;
  const least = 1 - Math.min(0.25, retry_jitter_factor);
  return delay * (least + fraction * (1 + retry_jitter_factor - least));
}
