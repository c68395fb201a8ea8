import type { OrchestratorContext } from "../context.ts";
import { plusSeconds } from "./derive-run.ts";
import type { RunState } from "./run-state.ts";

const MS_PER_SECOND = 1000;

/** The name of the state in which the process that ran a run waits to try it again. */
export const AWAITING_RETRY = "AwaitingRetry";

/**
 * When the server acts on a run that is still in this state; null when it may stay. A run that has once sent a heartbeat
 * is expected to go on whenever it runs, and may be silent for `silenceSeconds`.
 */
export function deadlineOf(
  { settings }: Pick<OrchestratorContext, "settings">,
  { type, name, timestamp, state_details }: RunState,
  silenceSeconds: number | null = null,
): string | null {
  const { scheduled_time } = state_details;
  const begins = scheduled_time !== null && scheduled_time > timestamp ? scheduled_time : timestamp;
  if (type === "PENDING" || (type === "SCHEDULED" && name === AWAITING_RETRY)) {
    return plusSeconds(begins, settings.claimTimeout / MS_PER_SECOND);
  }
  if (type === "PAUSED") return state_details.pause_timeout;
  if (type === "RUNNING" && silenceSeconds !== null) return plusSeconds(timestamp, silenceSeconds);
  if (type === "CANCELLING") {
    return plusSeconds(timestamp, settings.cancellingTimeout / MS_PER_SECOND);
  }
  return null;
}
