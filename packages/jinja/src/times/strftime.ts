import { TemplateError } from "../template-error.ts";
import { clockOf, dateOf, dayOfYear, isoWeek, wallDayNumber, weekdayOf } from "./calendar.ts";
import {
  type ClockTime,
  DAY_MICROS,
  DateTime,
  Day,
  SECOND_MICROS,
  type TimeKind,
  TimeSpan,
} from "./time-kinds.ts";
import { offsetText, zoneName } from "./time-text.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const pad = (value: number, width = 2, filler = "0"): string =>
  String(value).padStart(width, filler);

/** Whoever reads the result wants no more. */
export const MAX_FORMAT = 200;

/** A time with the letters behind `%` replaced by its parts, in English. */
export function formatTime(time: TimeKind, format: string): string {
  if (time instanceof TimeSpan)
    throw new TemplateError("a timedelta cannot be formatted like a time");
  if (format.length > MAX_FORMAT) throw new TemplateError("the format of a time is too long");
  const moment = momentLike(time);
  return format.replace(
    /%(-?[a-zA-Z%])/g,
    (found, letter: string) => part(moment, letter) ?? found,
  );
}

function momentLike(time: DateTime | Day | ClockTime): DateTime {
  if (time instanceof DateTime) return time;
  if (time instanceof Day) return new DateTime(time.days * DAY_MICROS, null);
  return new DateTime(time.micros - 25_567n * DAY_MICROS, null);
}

function part(moment: DateTime, letter: string): string | undefined {
  const isBare = letter.startsWith("-");
  const text =
    datePart(moment, letter.slice(isBare ? 1 : 0)) ??
    clockPart(moment, letter.slice(isBare ? 1 : 0));
  // `%-d` is the day without the zero before it.
  return isBare && text !== undefined ? text.replace(/^[0 ]+(?=.)/, "") : text;
}

function datePart(moment: DateTime, letter: string): string | undefined {
  const days = wallDayNumber(moment.wall);
  const { year, month, day } = dateOf(days);
  const weekday = weekdayOf(days);
  switch (letter) {
    case "Y":
      return String(year);
    case "y":
      return pad(year % 100);
    case "C":
      return pad(Math.floor(year / 100));
    case "m":
      return pad(month);
    case "d":
      return pad(day);
    case "e":
      return pad(day, 2, " ");
    case "B":
      return MONTHS[month - 1];
    case "b":
    case "h":
      return MONTHS[month - 1]?.slice(0, 3);
    case "A":
      return WEEKDAYS[weekday];
    case "a":
      return WEEKDAYS[weekday]?.slice(0, 3);
    case "j":
      return pad(dayOfYear(days), 3);
    case "u":
      return String(weekday + 1);
    case "w":
      return String((weekday + 1) % 7);
    case "U":
      return pad(Math.floor((dayOfYear(days) + 6 - ((weekday + 1) % 7)) / 7));
    case "W":
      return pad(Math.floor((dayOfYear(days) + 6 - weekday) / 7));
    case "G":
      return String(isoWeek(days).year);
    case "V":
      return pad(isoWeek(days).week);
    case "D":
    case "x":
      return `${pad(month)}/${pad(day)}/${pad(year % 100)}`;
    case "F":
      return `${year}-${pad(month)}-${pad(day)}`;
    case "c":
      return [
        WEEKDAYS[weekday]?.slice(0, 3),
        MONTHS[month - 1]?.slice(0, 3),
        pad(day, 2, " "),
        clockPart(moment, "T"),
        year,
      ].join(" ");
    default:
      return undefined;
  }
}

function clockPart(moment: DateTime, letter: string): string | undefined {
  const { hour, minute, second, microsecond } = clockOf(moment.wall);
  switch (letter) {
    case "H":
      return pad(hour);
    case "k":
      return pad(hour, 2, " ");
    case "I":
      return pad(hour % 12 || 12);
    case "l":
      return pad(hour % 12 || 12, 2, " ");
    case "p":
      return hour < 12 ? "AM" : "PM";
    case "P":
      return hour < 12 ? "am" : "pm";
    case "M":
      return pad(minute);
    case "S":
      return pad(second);
    case "f":
      return pad(microsecond, 6);
    case "T":
    case "X":
      return `${pad(hour)}:${pad(minute)}:${pad(second)}`;
    case "R":
      return `${pad(hour)}:${pad(minute)}`;
    case "r":
      return `${pad(hour % 12 || 12)}:${pad(minute)}:${pad(second)} ${hour < 12 ? "AM" : "PM"}`;
    case "z":
      return moment.offset === null ? "" : offsetText(moment.offset, "");
    case "Z":
      return zoneName(moment);
    case "s":
      return String((moment.wall - (moment.offset ?? 0n)) / SECOND_MICROS);
    case "n":
      return "\n";
    case "t":
      return "\t";
    case "%":
      return "%";
    default:
      return undefined;
  }
}
