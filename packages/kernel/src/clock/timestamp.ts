// The one representation of time: fixed-width UTC text with microseconds. It sorts, compares and
// goes to the wire as it stands; arithmetic is done on integer microseconds through these functions.

const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

let cachedMs = Number.NaN;
let cachedText = "";

/** 2026-11-14T09:00:00.000000Z for a count of microseconds since 1970. */
export function formatMicros(micros: number): string {
  const ms = Math.floor(micros / 1000);
  const rest = micros - ms * 1000;
  if (ms !== cachedMs) {
    cachedText = new Date(ms).toISOString().slice(0, -1);
    cachedMs = ms;
  }
  return rest === 0 ? `${cachedText}000Z` : `${cachedText}${String(rest).padStart(3, "0")}Z`;
}

/** Microseconds since 1970 of a timestamp in the shape that `formatMicros` writes. */
export function parseMicros(timestamp: string): number {
  if (!SHAPE.test(timestamp)) throw new RangeError(`Not a timestamp: ${timestamp}`);
  const ms = Date.parse(`${timestamp.slice(0, 23)}Z`);
  return ms * 1000 + Number(timestamp.slice(23, 26));
}
