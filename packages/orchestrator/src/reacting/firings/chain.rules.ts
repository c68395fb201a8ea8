// Automations whose actions make each other fire would never come to an end.

/** The automations that have led to an event, one after another. */
export interface Chain {
  /** How many they are. */
  readonly depth: number;
  /**
   * The event that the first of them has answered, or the firing itself where the time has made it
   * fire.
   */
  readonly root: string;
}

/** So many automations may make each other fire, one after another. */
export const LONGEST_CHAIN = 10;

/**
 * Firings that other automations may cause for each that an event from outside causes directly,
 * over all generations.
 */
export const MOST_IN_CHAIN = 20;

/** Events from here on make nothing fire. */
export const isTooDeep = (depth: number): boolean => depth > LONGEST_CHAIN;
