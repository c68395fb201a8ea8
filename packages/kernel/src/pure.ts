// The door to what threads load as well: clocks, ids and errors, without the libraries behind the other doors.

export { type Clock, sleep, systemClock, takingTurns } from "./clock/clock.ts";
export { formatMicros, parseMicros, plusSeconds } from "./clock/timestamp.ts";
export { AppError, type ErrorCode, isAppError } from "./errors/app-error.ts";
export { labelOf, RESOURCE_PREFIXES, type ResourceLabels } from "./event-log/resource-labels.ts";
export { MASK } from "./http/masking.ts";
export { type Ids, systemIds } from "./ids/ids.ts";
