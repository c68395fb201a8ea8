import { civilDate, DAY_SECONDS, dayNumber, daysInMonth } from "./civil.ts";
import { quoteShortened, refuse } from "./schedule-error.ts";

const SHAPE = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?Z?)?$/;

/**
 * The wall-clock second of `20260101T090000` or `20260101`. A Z at the end is read over: the zone
 * stands elsewhere.
 */
export function parseWallTime(name: string, text: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (SHAPE.exec(text) ?? [])
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  const isDate = year >= 1 && month >= 1 && month <= 12 && day >= 1;
  if (!isDate || day > daysInMonth(year, month) || hour > 23 || minute > 59 || second > 59)
    refuse(`${name} is a time such as 20260101T090000, not ${quoteShortened(text)}.`);
  return dayNumber({ year, month, day }) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
}

export function formatWallTime(wall: number): string {
  const dayIndex = Math.floor(wall / DAY_SECONDS);
  const { year, month, day } = civilDate(dayIndex);
  const time = wall - dayIndex * DAY_SECONDS;
  const clock = [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60];
  return `${digits(year, 4)}${digits(month)}${digits(day)}T${clock.map((n) => digits(n)).join("")}`;
}

function digits(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}
