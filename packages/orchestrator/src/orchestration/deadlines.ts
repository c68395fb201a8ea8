import type { OrchestratorContext } from "../context.ts";
import { plusSeconds } from "./derive-run.ts";
import type { RunState } from "./run-state.ts";

const MS_PER_SECOND = 1000;

/** When the server acts on a run that is still in this state; null when it may stay. */
export function deadlineOf(
  { settings }: Pick<OrchestratorContext, "settings">,
  { type, timestamp, state_details }: RunState,
): string | null {
  if (type === "PENDING") {
    const { scheduled_time } = state_details;
    const begins =
      scheduled_time !== null && scheduled_time > timestamp ? scheduled_time : timestamp;
    return plusSeconds(begins, settings.claimTimeout / MS_PER_SECOND);
  }
  if (type === "PAUSED") return state_details.pause_timeout;
  if (type === "CANCELLING") {
    return plusSeconds(timestamp, settings.cancellingTimeout / MS_PER_SECOND);
  }
  return null;
}
