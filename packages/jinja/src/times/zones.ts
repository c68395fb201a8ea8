import { TemplateError } from "../template-error.ts";
import { checkedWall } from "./calendar.ts";
import { readTime } from "./read-time.ts";
import { DAY_MICROS, DateTime, positionOf } from "./time-kinds.ts";

/** The same moment as the clocks of a place show it. */
export function inZone(moment: DateTime, zone: string): DateTime {
  const utc = positionOf(moment);
  if (zone.toUpperCase() === "UTC") return new DateTime(utc, 0n);
  const offset = offsetIn(zone, utc);
  return new DateTime(utc + offset, offset, zone);
}

/** So much later by any clock that runs; those of a place may be set meanwhile. */
export function addMicros(moment: DateTime, micros: bigint): DateTime {
  const { wall, offset, zone } = moment;
  if (zone === null) return new DateTime(checkedWall(wall + micros), offset);
  const then = inZone(new DateTime(positionOf(moment) + micros, 0n), zone);
  checkedWall(then.wall);
  return then;
}

/**
 * How to take a time that the clocks of a place show twice, or not at all because they are set
 * forward.
 */
export type Fold = "first" | "second";

/** The same place, when its clocks show another time. */
export function whenShown({ offset, zone }: DateTime, wall: bigint, fold: Fold): DateTime {
  if (zone === null) return new DateTime(checkedWall(wall), offset);
  checkedWall(wall);
  const offsets = [offsetIn(zone, wall - DAY_MICROS), offsetIn(zone, wall + DAY_MICROS)] as const;
  const [isEarlier, isLater] = offsets.map((each) => offsetIn(zone, wall - each) === each);
  // Of a time that is skipped, the first lies before the moment at which the clocks are set, and
  // the second behind it.
  const takesEarlier = isEarlier === isLater ? (fold === "first") === isEarlier : isEarlier;
  return inZone(new DateTime(wall - offsets[takesEarlier === true ? 0 : 1], 0n), zone);
}

/** Which of two it is where its clocks show the same time twice. */
export const clockFoldOf = (moment: DateTime): Fold =>
  whenShown(moment, moment.wall, "first").offset === moment.offset ? "first" : "second";

const MAX_FORMATS = 100;
/** To make one takes long. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const name = zone.toLowerCase();
  let format = formats.get(name);
  if (format !== undefined) return format;
  format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const [oldest] = formats.keys();
  if (formats.size >= MAX_FORMATS && oldest !== undefined) formats.delete(oldest);
  formats.set(name, format);
  return format;
}

function offsetIn(zone: string, utc: bigint): bigint {
  let parts: Intl.DateTimeFormatPart[];
  try {
    parts = formatOf(zone).formatToParts(Number(utc / 1000n));
  } catch {
    throw new TemplateError(`there is no time zone named '${zone.slice(0, 50)}'`);
  }
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const digits = name.replace("GMT", "");
  return digits === "" ? 0n : (readTime(`2000-01-01T00:00:00${digits}`)?.offset ?? 0n);
}
