/** From what went wrong to what went well: what stands lowest is seen first. */
export const STATE_ORDER = [
  "FAILED",
  "CRASHED",
  "CANCELLED",
  "CANCELLING",
  "PAUSED",
  "LATE",
  "SCHEDULED",
  "PENDING",
  "RUNNING",
  "COMPLETED",
] as const;

export const CHART_STATE_TYPES = STATE_ORDER.filter((state) => state !== "LATE");

/** `CANCELLING` → `Cancelling`. */
export const stateWord = (state: string): string =>
  state.charAt(0) + state.slice(1).toLowerCase().replaceAll("_", " ");
