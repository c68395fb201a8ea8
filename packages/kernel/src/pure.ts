// The door to what threads load: functions of their arguments, without the libraries that the rest of the kernel needs.

export { systemClock } from "./clock/clock.ts";
export { formatMicros, parseMicros } from "./clock/timestamp.ts";
export { labelOf, RESOURCE_PREFIXES, type ResourceLabels } from "./event-log/resource-labels.ts";
export { MASK } from "./http/masking.ts";
