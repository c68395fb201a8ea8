// What the calendar understands of a schedule, but the established clients do not. They read
// schedules when they read deployments, so that one such schedule would fail every list that holds
// it.

import type { Schedule } from "@orchestrator/contract";

/** In one sentence, or null. The schedule is one that the calendar understands. */
export function unreadableInSchedule({ cron, rrule }: Schedule): string | null {
  if (cron !== undefined) return unreadableInCron(cron);
  return rrule === undefined ? null : unreadableInRRule(rrule);
}

function unreadableInCron(cron: string): string | null {
  const [minute, hour, monthDays, month, weekdays, second] = cron.toUpperCase().trim().split(/\s+/);
  // An alias stands alone.
  if (minute === undefined || monthDays === undefined || weekdays === undefined)
    return cron === cron.trim() ? null : "No blanks stand around an alias such as @daily.";
  if ([minute, hour, month, second].some((field) => field?.includes("?")))
    return "A ? stands for the day-of-month or the day-of-week field only.";
  if ([monthDays, weekdays].some((field) => field.includes("?") && field !== "?"))
    return "A ? stands alone in its field.";
  if (monthDays.includes("W")) return "The workday nearest to a day (15W, LW) is not supported.";
  const days = weekdays.split(",");
  if (second !== undefined && days.some((item) => SEVEN.test(item)))
    return "With seconds in the expression, Sunday is 0 and not 7.";
  return unreadableInWeekdays(days);
}

/** The value, not the step of a range. */
const SEVEN = /(?:^|[-L])0*7(?!\d)/;

/** `5#2` and `L5` are days of the month, the others days of every week. */
function unreadableInWeekdays(items: readonly string[]): string | null {
  const isNamedLast = (item: string) => /^L\D/.test(item) || item.endsWith("L");
  if (items.some(isNamedLast)) return "The last Friday of a month is written L5, not 5L or LFRI.";
  const weekly = items.filter((item) => !/#|^L/.test(item));
  const isMixed = weekly.length > 0 && weekly.length < items.length;
  if (isMixed) return "Days such as 5#2 or L5 are not listed beside days of every week.";
  return null;
}

/** A zone is found only by this word in capitals, right before the colon. */
const ZONED_START = /(?:^|\s)DTSTART;[^:\s]*TZID=/i;
const READ_START = /(?:^|\s)DTSTART;(?:VALUE=DATE-TIME;)?TZID=(?!(?:UTC|GMT)[+-])[^:;\s]+:/;

function unreadableInRRule(rrule: string): string | null {
  if (/(?:^|\s)RDATE;(?!VALUE=DATE-TIME:)/i.test(rrule))
    return "RDATE takes no parameter but VALUE=DATE-TIME.";
  return ZONED_START.test(rrule) && !READ_START.test(rrule)
    ? "The zone of DTSTART is written DTSTART;TZID=Europe/Paris:, with nothing between the zone and the colon."
    : null;
}
