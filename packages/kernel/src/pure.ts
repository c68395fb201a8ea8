// The door to what threads load as well: clocks, ids and errors, without the libraries behind the
// other doors.

export { type Clock, sleep, systemClock, yieldingBetweenSteps } from "./clock/clock.ts";
export { formatMicros, parseMicros, plusSeconds } from "./clock/timestamp.ts";
export { AppError, type ErrorCode, isAppError } from "./errors/app-error.ts";
export {
  RESOURCE_PREFIXES,
  type ResourceLabels,
  resourceLabel,
} from "./event-log/resource-labels.ts";
export { MASK } from "./http/masking.ts";
export { type Ids, systemIds } from "./ids/ids.ts";
