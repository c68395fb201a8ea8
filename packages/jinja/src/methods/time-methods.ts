import { TemplateError } from "../template-error.ts";
import {
  checkedDays,
  clockOf,
  dateOf,
  dayOfYear,
  daysInMonth,
  isoWeek,
  wallDayNumber,
  wallOf,
  weekdayOf,
} from "../times/calendar.ts";
import { formatTime } from "../times/strftime.ts";
import {
  ClockTime,
  DAY_MICROS,
  DateTime,
  Day,
  positionOf,
  SECOND_MICROS,
  type TimeKind,
  TimeSpan,
} from "../times/time-kinds.ts";
import { clockText, dayText, isoText, spanParts, zoneName } from "../times/time-text.ts";
import { formatTokens } from "../times/token-format.ts";
import { addMicros, clockFoldOf, inZone, whenShown } from "../times/zones.ts";
import { bindArguments, numberArgument, textArgument, wholeArgument } from "../values/arguments.ts";
import { type Arguments, Tuple, type Value } from "../values/kinds.ts";
import { type FoundMember, findMethod, type Methods } from "./method.ts";

export function timeMember(time: TimeKind, name: string): FoundMember | undefined {
  const parts = partsOf(time);
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (part !== undefined)
    return { kind: "value", value: typeof part === "number" ? BigInt(part) : part };
  if (time instanceof DateTime) {
    if (name === "tzinfo" || name === "timezone" || name === "timezone_name")
      return { kind: "value", value: time.offset === null ? null : zoneName(time) };
    return findMethod(DATETIME_METHODS, time, name) ?? findMethod(DAY_METHODS, dayOf(time), name);
  }
  if (time instanceof Day) return findMethod(DAY_METHODS, time, name);
  if (time instanceof ClockTime) return findMethod(CLOCK_METHODS, time, name);
  return findMethod(SPAN_METHODS, time, name);
}

type Parts = Readonly<Record<string, number | undefined>>;

function partsOf(time: TimeKind): Parts {
  if (time instanceof TimeSpan) return { ...spanParts(time) };
  if (time instanceof Day) return { ...dateOf(Number(time.days)) };
  if (time instanceof ClockTime) return { ...clockOf(time.micros) };
  const days = wallDayNumber(time.wall);
  const { month } = dateOf(days);
  return {
    ...dateOf(days),
    ...clockOf(time.wall),
    day_of_year: dayOfYear(days),
    day_of_week: weekdayOf(days),
    week_of_year: isoWeek(days).week,
    days_in_month: daysInMonth(dateOf(days).year, month),
    quarter: Math.ceil(month / 3),
    int_timestamp: Math.floor(seconds(time)),
  };
}

const dayOf = ({ wall }: DateTime): Day => new Day(BigInt(wallDayNumber(wall)));

/** Since 1970. */
const seconds = (moment: DateTime): number => Number(positionOf(moment)) / Number(SECOND_MICROS);

const PARTS = ["year?", "month?", "day?", "hour?", "minute?", "second?", "microsecond?"];

function replaced(moment: DateTime, args: Arguments): DateTime {
  const date = dateOf(wallDayNumber(moment.wall));
  const clock = clockOf(moment.wall);
  const present = [
    date.year,
    date.month,
    date.day,
    clock.hour,
    clock.minute,
    clock.second,
    clock.microsecond,
  ];
  const { positional, named } = args;
  const zone = named.get("tzinfo");
  const rest = new Map([...named].filter(([name]) => name !== "tzinfo"));
  const given = bindArguments({ positional, named: rest }, PARTS).map((value, place) =>
    wholeArgument(value, present[place] ?? 0),
  );
  const [year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0, microsecond = 0] = given;
  if (
    hour < 0 ||
    hour > 23 ||
    minute < 0 ||
    minute > 59 ||
    second < 0 ||
    second > 59 ||
    microsecond < 0 ||
    microsecond > 999_999
  )
    throw new TemplateError("the time of day is out of range");
  const wall = wallOf(checkedDays({ year, month, day }), { hour, minute, second, microsecond });
  return zone === null ? new DateTime(wall, null) : whenShown(moment, wall, clockFoldOf(moment));
}

const SHIFTS = [
  "years?",
  "months?",
  "weeks?",
  "days?",
  "hours?",
  "minutes?",
  "seconds?",
  "microseconds?",
];

/**
 * Months first, then what has a length of its own; a day that the month does not have is its last.
 * Where it goes on by days or more, the clocks show the same time of the day afterwards; by hours
 * and less, as much time has passed.
 */
function shifted(moment: DateTime, args: Arguments, sign: 1 | -1): DateTime {
  const [years = 0, months = 0, ...rest] = bindArguments(args, SHIFTS).map(
    (value) => sign * numberArgument(value, 0),
  );
  const date = dateOf(wallDayNumber(moment.wall));
  const count = (date.year + years) * 12 + date.month - 1 + months;
  const [year, month] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1];
  const day = Math.min(date.day, daysInMonth(year, month));
  const lengths = [
    7n * DAY_MICROS,
    DAY_MICROS,
    3600n * SECOND_MICROS,
    60n * SECOND_MICROS,
    SECOND_MICROS,
    1n,
  ];
  const length = rest.reduce(
    (sum, each, place) => sum + Math.round(each * Number(lengths[place] ?? 0n)),
    0,
  );
  if (!Number.isSafeInteger(length)) throw new TemplateError("the date is out of range");
  const [weeks = 0, days = 0] = rest;
  if (years === 0 && months === 0 && weeks === 0 && days === 0)
    return addMicros(moment, BigInt(length));
  const wall = wallOf(checkedDays({ year, month, day }), clockOf(moment.wall)) + BigInt(length);
  return whenShown(moment, wall, "second");
}

const zoned = (moment: DateTime, args: Arguments): DateTime => {
  const [zone] = bindArguments(args, ["tz"]);
  return inZone(moment, textArgument(zone, "UTC"));
};

/** In English, whatever language is asked for. */
const tokens = (moment: DateTime, args: Arguments): string =>
  formatTokens(moment, textArgument(bindArguments(args, ["fmt", "locale?"])[0], ""));

const DATETIME_METHODS: Methods<DateTime> = {
  isoformat: (moment, args) => isoText(moment, textArgument(bindArguments(args, ["sep?"])[0], "T")),
  strftime: (moment, args) =>
    formatTime(moment, textArgument(bindArguments(args, ["format"])[0], "")),
  ctime: (moment) => formatTime(moment, "%c"),
  timestamp: (moment) => seconds(moment),
  date: (moment) => dayOf(moment),
  time: (moment) => new ClockTime(((moment.wall % DAY_MICROS) + DAY_MICROS) % DAY_MICROS),
  replace: (moment, args) => replaced(moment, args),
  astimezone: zoned,
  in_timezone: zoned,
  in_tz: zoned,
  utcoffset: ({ offset }) => (offset === null ? null : new TimeSpan(offset)),
  tzname: (moment) => (moment.offset === null ? null : zoneName(moment)),
  add: (moment, args) => shifted(moment, args, 1),
  subtract: (moment, args) => shifted(moment, args, -1),
  format: (moment, args) => tokens(moment, args),
  to_iso8601_string: (moment) => isoText(moment).replace(/\+00:00$/, "Z"),
  to_datetime_string: (moment) => formatTime(moment, "%F %T"),
  to_date_string: (moment) => formatTime(moment, "%F"),
  to_time_string: (moment) => formatTime(moment, "%T"),
  to_rfc3339_string: (moment) => isoText(moment),
  to_day_datetime_string: (moment) => formatTokens(moment, "ddd, MMM D, YYYY h:mm A"),
  to_formatted_date_string: (moment) => formatTokens(moment, "MMM DD, YYYY"),
};

const DAY_METHODS: Methods<Day> = {
  format: ({ days }, args) => tokens(new DateTime(days * DAY_MICROS, null), args),
  isoformat: ({ days }) => dayText(Number(days)),
  strftime: (day, args) => formatTime(day, textArgument(bindArguments(args, ["format"])[0], "")),
  weekday: ({ days }) => BigInt(weekdayOf(Number(days))),
  isoweekday: ({ days }) => BigInt(weekdayOf(Number(days)) + 1),
  toordinal: ({ days }) => days + 719_163n,
  isocalendar: ({ days }) => {
    const { year, week } = isoWeek(Number(days));
    return new Tuple([year, week, weekdayOf(Number(days)) + 1].map((part): Value => BigInt(part)));
  },
};

const CLOCK_METHODS: Methods<ClockTime> = {
  isoformat: ({ micros }) => clockText(micros),
  strftime: (clock, args) =>
    formatTime(clock, textArgument(bindArguments(args, ["format"])[0], "")),
};

const SPAN_METHODS: Methods<TimeSpan> = {
  total_seconds: ({ micros }) => Number(micros) / Number(SECOND_MICROS),
  in_seconds: ({ micros }) => micros / SECOND_MICROS,
  in_minutes: ({ micros }) => micros / (60n * SECOND_MICROS),
  in_hours: ({ micros }) => micros / (3600n * SECOND_MICROS),
  in_days: ({ micros }) => micros / DAY_MICROS,
  total_minutes: ({ micros }) => Number(micros) / Number(60n * SECOND_MICROS),
  total_hours: ({ micros }) => Number(micros) / Number(3600n * SECOND_MICROS),
  total_days: ({ micros }) => Number(micros) / Number(DAY_MICROS),
};
