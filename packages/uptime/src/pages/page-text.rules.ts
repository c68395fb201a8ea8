// Figures and times in words. All times are UTC, as the page says.

import { parseMicros } from "@orchestrator/kernel/pure";

const DAY_MICROS = 86_400_000_000;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const WEEKDAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** `2026-11-14…` as `14 Nov 2026`. */
export function dateText(time: string): string {
  const [year = "", month = "", day = ""] = time.slice(0, "2026-11-14".length).split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

export function utcTimeText(time: string): string {
  return `${dateText(time)}, ${clockText(time)} UTC`;
}

const clockText = (time: string): string =>
  time.slice("2026-11-14T".length, "2026-11-14T09:05".length);

/** From one time to another; the day is said once where both have the same. */
export function rangeText(from: string, until: string): string {
  if (utcTimeText(from) === utcTimeText(until)) return utcTimeText(from);
  if (dateText(from) !== dateText(until)) return `${utcTimeText(from)} to ${utcTimeText(until)}`;
  return `${dateText(from)}, ${clockText(from)} to ${clockText(until)} UTC`;
}

/** As mail and feeds write it. */
export function mailTime(time: string): string {
  const [year = "", month = "", day = ""] = time.slice(0, "2026-11-14".length).split("-");
  const clock = time.slice("2026-11-14T".length, "2026-11-14T09:05:00".length);
  // The first day of 1970 was a Thursday.
  const weekday = WEEKDAYS[(Math.floor(parseMicros(time) / DAY_MICROS) + 4) % 7];
  return `${weekday}, ${day} ${MONTHS[Number(month) - 1]} ${year} ${clock} +0000`;
}

const UNITS = [
  { seconds: 86_400, name: "d" },
  { seconds: 3600, name: "h" },
  { seconds: 60, name: "min" },
  { seconds: 1, name: "s" },
] as const;

/** The two largest units: `2 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const first = UNITS.findIndex((unit) => whole >= unit.seconds);
  if (first === -1) return "less than a second";
  let rest = whole;
  const parts = UNITS.slice(first, first + 2).map((unit) => {
    const count = Math.floor(rest / unit.seconds);
    rest -= count * unit.seconds;
    return count === 0 ? "" : `${count} ${unit.name}`;
  });
  return parts.filter((part) => part !== "").join(" ");
}

/** Rounded down: what is not 100 % must not look like it. */
export function uptimePercentText(percent: number): string {
  const floored = Math.floor(percent * 100 + 1e-6) / 100;
  return `${Number.isInteger(floored) ? floored : floored.toFixed(2)} %`;
}

export function latencyText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
