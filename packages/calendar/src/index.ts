export { type CivilDate, civilDate, dayNumber, daysInMonth } from "./civil.ts";
export { anchorProblem } from "./interval.ts";
export {
  type CronSchedule,
  type IntervalSchedule,
  isScheduleOver,
  MOST_OCCURRENCES,
  neverOccurs,
  type OccurrenceOptions,
  occurrences,
  type RRuleSchedule,
  type Schedule,
  validateSchedule,
} from "./occurrences.ts";
export { isStoredForm, withDefaultStart } from "./rrule.ts";
export { ScheduleError } from "./schedule-error.ts";
export { searchInline } from "./search-steps.ts";
export { findZone } from "./zone.ts";
