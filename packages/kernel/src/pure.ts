// The door to what threads load: functions of their arguments, without the libraries that the rest of the kernel needs.

export { type CivilDate, civilDate, dayNumber, daysInMonth } from "./calendar/civil.ts";
export {
  isOver,
  MOST_OCCURRENCES,
  neverOccurs,
  occurrences,
  type Schedule,
  validateSchedule,
} from "./calendar/occurrences.ts";
export { withDefaultStart } from "./calendar/rrule.ts";
export { systemClock } from "./clock/clock.ts";
export { formatMicros, parseMicros } from "./clock/timestamp.ts";
export { NeedsThread } from "./compute/needs-thread.ts";
export { labelOf, RESOURCE_PREFIXES, type ResourceLabels } from "./event-log/resource-labels.ts";
export { MASK } from "./http/masking.ts";
export { readJson, writeJson } from "./json/exact-json.ts";
export { isFloat, withoutFraction } from "./json/float.ts";
export { mapMembers } from "./json/key-order.ts";
export { isSameJson } from "./json/same-json.ts";
export { isWellFormed } from "./json/well-formed.ts";
