// The one representation of time: fixed-width UTC text with microseconds. It sorts, compares and
// goes to the wire as it stands; arithmetic is done on integer microseconds through these functions.

const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

const ISO_LENGTH = "2026-11-14T09:00:00.000Z".length;

let cachedMs = Number.NaN;
let cachedText = "";

/**
 * 2026-11-14T09:00:00.000000Z for a count of microseconds since 1970. Before 1685 and after 2254 a number
 * cannot hold every microsecond; such times keep their milliseconds. Throws outside the years 0 to 9999.
 */
export function formatMicros(micros: number): string {
  const isExact = Number.isSafeInteger(micros);
  const ms = isExact ? Math.floor(micros / 1000) : Math.round(micros / 1000);
  const rest = isExact ? micros - ms * 1000 : 0;
  if (ms !== cachedMs) {
    const text = new Date(ms).toISOString();
    // Years of more than four digits are written longer, and would no longer sort.
    if (text.length !== ISO_LENGTH) throw new RangeError(`Not a time that can be kept: ${text}`);
    cachedText = text.slice(0, -1);
    cachedMs = ms;
  }
  return rest === 0 ? `${cachedText}000Z` : `${cachedText}${String(rest).padStart(3, "0")}Z`;
}

/** Microseconds since 1970 of a timestamp in the shape that `formatMicros` writes. */
export function parseMicros(timestamp: string): number {
  if (!SHAPE.test(timestamp)) throw new RangeError(`Not a timestamp: ${timestamp}`);
  const ms = Date.parse(`${timestamp.slice(0, 23)}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`Not a timestamp: ${timestamp}`);
  const micros = ms * 1000 + Number(timestamp.slice(23, 26));
  return Number.isSafeInteger(micros) ? micros : ms * 1000;
}
