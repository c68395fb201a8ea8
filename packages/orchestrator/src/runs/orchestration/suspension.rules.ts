/** The name of the state in which a suspended run waits for an event. */
export const AWAITING_EVENT = "AwaitingEvent";

/** The name of the state in which a suspended run waits for its time. */
export const SLEEPING = "Sleeping";

export const isSuspension = (name: string | null): boolean =>
  name === AWAITING_EVENT || name === SLEEPING;
