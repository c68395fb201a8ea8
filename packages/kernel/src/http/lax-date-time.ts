/** Days up to the 28th exist in every month, so for them the shape alone proves the date. */
export const CANONICAL_TIMESTAMP =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/;

/**
 * The same in the spellings that clients mostly use; only the fraction has to be brought to its
 * length.
 */
const PLAIN =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,6}))?(?:Z|\+00:00)$/;

// A plus sign in a query string arrives as a space, so an offset may begin with one.
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[Zz]|([+\- ])(\d{2}):?(\d{2})?)?)?$/;
const NUMERIC = /^[+-]?\d+(?:\.\d*)?$/;

/**
 * Numbers beyond this are milliseconds, as in other JSON interfaces; in seconds it is the year
 * 2603.
 */
const SECONDS_LIMIT = 2e10;
const FIRST_SECOND = Date.parse("0001-01-01T00:00:00Z") / 1000;
const LAST_SECOND = Date.parse("9999-12-31T23:59:59Z") / 1000;

/**
 * `2026-11-14T09:00:00.000000Z` from ISO text with `T` or a space, with or without an offset
 * (without one it is UTC), from a bare date, or from a unix number; undefined when it is no moment.
 */
export function normaliseDateTime(value: unknown): string | undefined {
  if (typeof value === "number") return fromUnix(value);
  if (typeof value !== "string") return undefined;
  const plain = PLAIN.exec(value);
  if (plain !== null) return `${value.slice(0, 19)}.${(plain[1] ?? "").padEnd(6, "0")}Z`;
  const text = value.trim();
  const parts = ISO.exec(text);
  if (parts !== null) return fromIso(parts);
  return NUMERIC.test(text) ? fromUnix(Number(text)) : undefined;
}

function fromIso(parts: RegExpExecArray): string | undefined {
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", sign] =
    parts;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  let seconds = midnight / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  if (sign !== undefined) {
    const hours = Number(parts[9]);
    const minutes = Number(parts[10] ?? "0");
    if (hours > 23 || minutes > 59) return undefined;
    seconds += (hours * 3600 + minutes * 60) * (sign === "-" ? 1 : -1);
  }
  return format(seconds, fraction.slice(0, 6).padEnd(6, "0"));
}

function fromUnix(value: number): string | undefined {
  const seconds = Math.abs(value) > SECONDS_LIMIT ? value / 1000 : value;
  const whole = Math.floor(seconds);
  const micros = Math.round((seconds - whole) * 1e6);
  return micros === 1e6
    ? format(whole + 1, "000000")
    : format(whole, String(micros).padStart(6, "0"));
}

function format(seconds: number, micros: string): string | undefined {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${micros}Z`;
}
