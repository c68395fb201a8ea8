import { TemplateError } from "../template-error.ts";
import { readTime } from "./read-time.ts";
import { DateTime, positionOf } from "./time-kinds.ts";

/** The same moment as the clocks of a place show it. */
export function inZone(moment: DateTime, zone: string): DateTime {
  const utc = positionOf(moment);
  if (zone.toUpperCase() === "UTC") return new DateTime(utc, 0n);
  const offset = offsetIn(zone, utc);
  return new DateTime(utc + offset, offset, zone);
}

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
