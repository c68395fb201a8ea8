const ENDS: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "CANCELLED", "CRASHED"]);

/** Whether a run has come to an end, good or bad. */
export const hasRunEnded = ({ state_type }: { readonly state_type: string | null }): boolean =>
  ENDS.has(state_type ?? "");
