import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMicros, parseMicros, plusSeconds } from "./timestamp.ts";

const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const YEAR_0 = Date.parse("0000-01-01T00:00:00Z") * 1000;
const YEAR_10000_MS = Date.parse("9999-12-31T23:59:59.999Z") + 1;

/** Every microsecond that a number can hold exactly. */
const exactMicros = fc.maxSafeInteger();

test.each([
  [0, "1970-01-01T00:00:00.000000Z"],
  [1, "1970-01-01T00:00:00.000001Z"],
  [1_000, "1970-01-01T00:00:00.001000Z"],
  [-1, "1969-12-31T23:59:59.999999Z"],
  [1_794_646_800_000_010, "2026-11-14T09:00:00.000010Z"],
  [YEAR_0, "0000-01-01T00:00:00.000000Z"],
])("writes %i microseconds as %s, and reads it back", (micros, text) => {
  expect(formatMicros(micros)).toBe(text);
  expect(parseMicros(text)).toBe(micros);
});

test("reads back every microsecond as it was written, in a fixed width", () => {
  fc.assert(
    fc.property(exactMicros, (micros) => {
      const text = formatMicros(micros);
      expect(text).toMatch(SHAPE);
      expect(parseMicros(text)).toBe(micros);
    }),
  );
});

test.each([
  ["minute", 60_000_000],
  ["day", 86_400_000_000],
])("tells of any moment of a %s what it tells of it alone", (_, length) => {
  const within = fc.maxSafeInteger().map((any) => (Math.abs(any) % (length + 2)) - 1);
  fc.assert(
    fc.property(exactMicros, within, (micros, later) => {
      const start = Math.floor(micros / length) * length;
      const moment = start + later;
      fc.pre(Number.isSafeInteger(start) && Number.isSafeInteger(moment));
      formatMicros(start);
      const ms = Math.floor(moment / 1000);
      const text = `${new Date(ms).toISOString().slice(0, 23)}${String(moment - ms * 1000).padStart(3, "0")}Z`;
      expect([formatMicros(moment), parseMicros(text)]).toEqual([text, moment]);
    }),
  );
});

test.each([
  "2026-11-14T09:00:60.000000Z",
  "2026-11-14T09:00:0x.000000Z",
  "2026-11-14T09:00:00.00000/Z",
  "2026-11-14T09:00:00,000000Z",
  "2026-11-14T09:00:00.000000z",
])("refuses to read %j also in a minute that it knows", (text) => {
  formatMicros(1_794_646_800_000_000);
  expect(() => parseMicros(text)).toThrow(RangeError);
});

test("sorts as text in the order of time", () => {
  fc.assert(
    fc.property(exactMicros, exactMicros, (one, other) => {
      expect(Math.sign(one - other)).toBe(compare(formatMicros(one), formatMicros(other)));
    }),
  );
});

test("keeps the milliseconds of times too far off for exact microseconds", () => {
  fc.assert(
    fc.property(fc.integer({ min: Math.ceil(2 ** 53 / 1000), max: YEAR_10000_MS - 1 }), (ms) => {
      const text = new Date(ms).toISOString().replace("Z", "999Z");
      const kept = formatMicros(parseMicros(text));
      expect(kept).toMatch(SHAPE);
      expect(kept.slice(0, 23)).toBe(text.slice(0, 23));
    }),
  );
  expect(formatMicros(parseMicros("9999-12-31T23:59:59.999999Z"))).toBe(
    "9999-12-31T23:59:59.999000Z",
  );
});

test("writes a fraction of a microsecond in the fixed width as well", () => {
  expect(formatMicros(1500.25)).toMatch(SHAPE);
});

test.each([YEAR_10000_MS * 1000, YEAR_0 - 1000, Number.NaN, Number.POSITIVE_INFINITY])(
  "refuses to write %d, which has no four-digit year",
  (micros) => {
    expect(() => formatMicros(micros)).toThrow(RangeError);
    expect(formatMicros(0)).toBe("1970-01-01T00:00:00.000000Z");
  },
);

test.each([
  "",
  "2026-11-14",
  "2026-11-14T09:00:00Z",
  "2026-11-14T09:00:00.000Z",
  "2026-11-14T09:00:00.000000",
  "2026-11-14T09:00:00.000000+00:00",
  "2026-11-14 09:00:00.000000Z",
  "2026-11-14T09:00:00.000000Z\n",
  "2026-13-14T09:00:00.000000Z",
  "2026-11-14T25:00:00.000000Z",
])("refuses to read %j", (text) => {
  expect(() => parseMicros(text)).toThrow(RangeError);
});

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

test("seconds are added to the microsecond, and what lies beyond all times is the first or the last", () => {
  const now = "2026-01-01T00:00:00.000000Z";
  expect(plusSeconds(now, 0.000_001)).toBe("2026-01-01T00:00:00.000001Z");
  expect(plusSeconds(now, -0.5)).toBe("2025-12-31T23:59:59.500000Z");
  expect(plusSeconds(now, 1e300)).toBe("9999-12-31T00:00:00.000000Z");
  expect(plusSeconds(now, -1e300)).toBe("0001-01-01T00:00:00.000000Z");
});
