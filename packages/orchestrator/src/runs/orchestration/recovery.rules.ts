/** The name of the state in which a run whose process was lost waits to be claimed again. */
export const AWAITING_RECOVERY = "AwaitingRecovery";
