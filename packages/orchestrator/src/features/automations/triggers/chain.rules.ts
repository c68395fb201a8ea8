// Automations whose actions make each other fire would never come to an end.

/** So many automations may make each other fire, one after another. */
export const LONGEST_CHAIN = 10;

/** Events from here on make nothing fire. */
export const isTooDeep = (depth: number): boolean => depth > LONGEST_CHAIN;
