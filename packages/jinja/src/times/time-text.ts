import { clockOf, dateOf, wallDayNumber } from "./calendar.ts";
import {
  ClockTime,
  DAY_MICROS,
  DateTime,
  Day,
  SECOND_MICROS,
  type TimeKind,
  TimeSpan,
} from "./time-kinds.ts";

const two = (value: number): string => String(value).padStart(2, "0");

export function dayText(days: number): string {
  const { year, month, day } = dateOf(days);
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

/** Microseconds are told only where there are any. */
export function clockText(wall: bigint): string {
  const { hour, minute, second, microsecond } = clockOf(wall);
  const fraction = microsecond === 0 ? "" : `.${String(microsecond).padStart(6, "0")}`;
  return `${two(hour)}:${two(minute)}:${two(second)}${fraction}`;
}

/** `+02:00` */
export function offsetText(offset: bigint, separator = ":"): string {
  const size = offset < 0n ? -offset : offset;
  const seconds = Number(size / SECOND_MICROS);
  const text = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60].map(two).join(separator);
  const rest = seconds % 60 === 0 ? "" : `${separator}${two(seconds % 60)}`;
  return `${offset < 0n ? "-" : "+"}${text}${rest}`;
}

export function isoText(time: DateTime, separator = "T"): string {
  const offset = time.offset === null ? "" : offsetText(time.offset);
  return `${dayText(wallDayNumber(time.wall))}${separator}${clockText(time.wall)}${offset}`;
}

/** As Python prints it. */
export function timeValueText(time: TimeKind): string {
  if (time instanceof DateTime) return isoText(time, " ");
  if (time instanceof Day) return dayText(Number(time.days));
  return time instanceof ClockTime ? clockText(time.micros) : spanText(time);
}

/** Days may be negative; the rest of a span never is. */
export function spanParts({ micros }: TimeSpan): {
  readonly days: number;
  readonly seconds: number;
  readonly microseconds: number;
} {
  const rest = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  return {
    days: Number((micros - rest) / DAY_MICROS),
    seconds: Number(rest / SECOND_MICROS),
    microseconds: Number(rest % SECOND_MICROS),
  };
}

function spanText(span: TimeSpan): string {
  const { days, seconds, microseconds } = spanParts(span);
  const clock = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const fraction = microseconds === 0 ? "" : `.${String(microseconds).padStart(6, "0")}`;
  const before = days === 0 ? "" : `${days} day${Math.abs(days) === 1 ? "" : "s"}, `;
  return `${before}${clock}${fraction}`;
}

/** As Python prints it within a list. */
export function shownTime(time: TimeKind): string {
  if (time instanceof TimeSpan) {
    const parts = Object.entries(spanParts(time)).filter(([, count]) => count !== 0);
    return `datetime.timedelta(${parts.map(([name, count]) => `${name}=${count}`).join(", ") || "0"})`;
  }
  if (time instanceof Day) {
    const { year, month, day } = dateOf(Number(time.days));
    return `datetime.date(${year}, ${month}, ${day})`;
  }
  if (time instanceof ClockTime)
    return `datetime.time(${clockParts(time.micros, false).join(", ")})`;
  const { year, month, day } = dateOf(wallDayNumber(time.wall));
  const parts = [year, month, day, ...clockParts(time.wall, true)].join(", ");
  const zone = time.offset === null ? "" : `, tzinfo=Timezone('${zoneName(time)}')`;
  return `${time.offset === null ? "datetime.datetime" : "DateTime"}(${parts}${zone})`;
}

function clockParts(wall: bigint, withSeconds: boolean): number[] {
  const { hour, minute, second, microsecond } = clockOf(wall);
  if (microsecond !== 0) return [hour, minute, second, microsecond];
  return withSeconds || second !== 0 ? [hour, minute, second] : [hour, minute];
}

export function zoneName({ offset, zone }: DateTime): string {
  if (zone !== null) return zone;
  return offset === null ? "" : offset === 0n ? "UTC" : offsetText(offset);
}
