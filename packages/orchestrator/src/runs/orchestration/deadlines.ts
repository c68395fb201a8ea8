import { plusSeconds } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import type { RunState } from "./run-state.ts";

const MS_PER_SECOND = 1000;

/** The name of the state in which the process that ran a run waits to try it again. */
export const AWAITING_RETRY = "AwaitingRetry";

/** Who is expected to act on a run. */
export interface Expected {
  /** The process that ran it is to try it again, and nobody else is offered it. */
  readonly isTriedInProcess?: boolean;
  /**
   * A run that has once sent a heartbeat is expected to go on whenever it runs, and may be silent
   * for so long.
   */
  readonly silenceSeconds?: number | null;
}

/** When the server acts on a run that is still in this state; null when it may stay. */
export function deadlineOf(
  { settings }: Pick<OrchestratorContext, "settings">,
  { type, timestamp, state_details }: RunState,
  { isTriedInProcess = false, silenceSeconds = null }: Expected = {},
): string | null {
  const { scheduled_time } = state_details;
  const begins = scheduled_time !== null && scheduled_time > timestamp ? scheduled_time : timestamp;
  if (type === "PENDING" || (type === "SCHEDULED" && isTriedInProcess)) {
    return plusSeconds(begins, settings.claimTimeout / MS_PER_SECOND);
  }
  if (type === "PAUSED") return state_details.pause_timeout;
  if (type === "RUNNING" && silenceSeconds !== null) return plusSeconds(timestamp, silenceSeconds);
  if (type === "CANCELLING") {
    return plusSeconds(timestamp, settings.cancellingTimeout / MS_PER_SECOND);
  }
  return null;
}
