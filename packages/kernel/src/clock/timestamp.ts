// The one representation of time: fixed-width UTC text with microseconds. It sorts, compares and
// goes to the wire as it stands; arithmetic is done on integer microseconds through these
// functions.

const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

const LENGTH = "2026-11-14T09:00:00.000000Z".length;
const ISO_LENGTH = "2026-11-14T09:00:00.000Z".length;
const MINUTE_LENGTH = "2026-11-14T09:00:".length;
const DAY_LENGTH = "2026-11-14T".length;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/**
 * The minute and the day that were written last: nearly all times lie in one that was, and the
 * calendar is what takes long.
 */
let minute = Number.NaN;
let minuteText = "";
let day = Number.NaN;
let dayText = "";

/**
 * 2026-11-14T09:00:00.000000Z for a count of microseconds since 1970. Before 1685 and after 2254 a
 * number cannot hold every microsecond; such times keep their milliseconds. Throws outside the
 * years 0 to 9999.
 */
export function formatMicros(micros: number): string {
  const within = micros - minute;
  if (within >= 0 && within < MINUTE && Number.isInteger(within)) return formatWithin(within);
  const time = micros - day;
  if (!(time >= 0 && time < DAY && Number.isInteger(time))) return formatAnew(micros);
  const minutes = Math.floor(time / MINUTE);
  minute = day + minutes * MINUTE;
  minuteText = `${dayText}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:`;
  return formatWithin(micros - minute);
}

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : String(number));

function formatWithin(micros: number): string {
  const digits = String(100 * SECOND + micros);
  return `${minuteText}${digits.slice(1, 3)}.${digits.slice(3)}Z`;
}

function formatAnew(micros: number): string {
  const isExact = Number.isSafeInteger(micros);
  const ms = isExact ? Math.floor(micros / 1000) : Math.round(micros / 1000);
  const text = new Date(ms).toISOString();
  // Years of more than four digits are written longer, and would no longer sort.
  if (text.length !== ISO_LENGTH) throw new RangeError(`Not a time that can be kept: ${text}`);
  const start = Math.floor(ms / 60_000) * MINUTE;
  if (Number.isSafeInteger(start) && Number.isSafeInteger(start + MINUTE)) {
    minute = start;
    minuteText = text.slice(0, MINUTE_LENGTH);
  }
  const midnight = Math.floor(start / DAY) * DAY;
  if (Number.isSafeInteger(midnight) && Number.isSafeInteger(midnight + DAY)) {
    day = midnight;
    dayText = text.slice(0, DAY_LENGTH);
  }
  const rest = isExact ? micros - ms * 1000 : 0;
  return `${text.slice(0, -1)}${String(rest).padStart(3, "0")}Z`;
}

/** Microseconds since 1970 of a timestamp in the shape that `formatMicros` writes. */
export function parseMicros(timestamp: string): number {
  return parseWithin(timestamp) ?? parseAnew(timestamp);
}

/** Where it lies in the minute that is known. */
function parseWithin(timestamp: string): number | undefined {
  if (timestamp.length !== LENGTH || minuteText === "" || !timestamp.startsWith(minuteText))
    return undefined;
  if (timestamp[MINUTE_LENGTH + 2] !== "." || timestamp[LENGTH - 1] !== "Z") return undefined;
  const seconds = digitsIn(timestamp, MINUTE_LENGTH, MINUTE_LENGTH + 2);
  const micros = digitsIn(timestamp, MINUTE_LENGTH + 3, LENGTH - 1);
  // What has other characters than digits is no number, and this of none.
  return seconds < 60 && micros < SECOND ? minute + seconds * SECOND + micros : undefined;
}

function digitsIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function parseAnew(timestamp: string): number {
  if (!SHAPE.test(timestamp)) throw new RangeError(`Not a timestamp: ${timestamp}`);
  const ms = Date.parse(`${timestamp.slice(0, 23)}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`Not a timestamp: ${timestamp}`);
  const micros = ms * 1000 + Number(timestamp.slice(23, 26));
  return Number.isSafeInteger(micros) ? micros : ms * 1000;
}

/** The first and the last time that can be kept: what is further away is as good as never. */
const EARLIEST = parseMicros("0001-01-01T00:00:00.000000Z");
const LATEST = parseMicros("9999-12-31T00:00:00.000000Z");

/** To the microsecond, or the first or last time there is. */
export function plusSeconds(timestamp: string, seconds: number): string {
  const micros = parseMicros(timestamp) + Math.round(seconds * SECOND);
  return formatMicros(Math.min(Math.max(micros, EARLIEST), LATEST));
}
