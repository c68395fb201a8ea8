import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANONICAL_TIMESTAMP, normaliseDateTime } from "./lax-date-time.ts";
import { normaliseDuration } from "./lax-duration.ts";
import { normaliseBoolean, normaliseInteger, normaliseNumber } from "./lax-scalar.ts";
import { normaliseUuid } from "./lax-uuid.ts";

const UUID = "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b";

describe("normaliseUuid", () => {
  test.each([
    UUID,
    UUID.toUpperCase(),
    UUID.replaceAll("-", ""),
    UUID.replaceAll("-", "").toUpperCase(),
  ])("turns %s into lower case with hyphens", (spelling) => {
    expect(normaliseUuid(spelling)).toBe(UUID);
  });

  test.each([
    "",
    "abc",
    `${UUID}0`,
    UUID.replace("0", "g"),
    UUID.replace("-", ""),
    `${UUID}\n`,
    5,
    null,
    {},
  ])("refuses %j", (value) => {
    expect(normaliseUuid(value)).toBeUndefined();
  });
});

describe("normaliseDateTime", () => {
  test.each([
    ["2026-11-14T09:00:00.000000Z", "2026-11-14T09:00:00.000000Z"],
    ["2026-11-14T09:00:00Z", "2026-11-14T09:00:00.000000Z"],
    ["2026-11-14 09:00:00.1+00:00", "2026-11-14T09:00:00.100000Z"],
    ["2026-11-14T09:00:00", "2026-11-14T09:00:00.000000Z"],
    ["2026-11-14T09:00", "2026-11-14T09:00:00.000000Z"],
    ["2026-11-14", "2026-11-14T00:00:00.000000Z"],
    ["2026-11-14T09:00:00.1234567891-05:30", "2026-11-14T14:30:00.123456Z"],
    ["2026-11-14T09:00:00+0200", "2026-11-14T07:00:00.000000Z"],
    ["2026-11-14T09:00:00+02", "2026-11-14T07:00:00.000000Z"],
    ["2026-11-14T09:00:00 02:00", "2026-11-14T07:00:00.000000Z"],
    ["2024-02-29T23:59:59.999999z", "2024-02-29T23:59:59.999999Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"],
    ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
    [1_763_110_800, "2025-11-14T09:00:00.000000Z"],
    [1_763_110_800.25, "2025-11-14T09:00:00.250000Z"],
    [1_763_110_800_250, "2025-11-14T09:00:00.250000Z"],
    [-1.5, "1969-12-31T23:59:58.500000Z"],
    [0.9999999, "1970-01-01T00:00:01.000000Z"],
    ["1763110800", "2025-11-14T09:00:00.000000Z"],
  ])("turns %j into %s", (value, timestamp) => {
    expect(normaliseDateTime(value)).toBe(timestamp);
  });

  test.each([
    "2026-02-29T00:00:00Z",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-11-14T24:00:00Z",
    "2026-11-14T09:60:00Z",
    "2026-11-14T23:59:60Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "2026-11-14T09:00:00+24:00",
    "yesterday",
    "",
    "2026-11-14T",
    Number.NaN,
    1e20,
    true,
    null,
    [],
  ])("refuses %j", (value) => {
    expect(normaliseDateTime(value)).toBeUndefined();
  });

  test("leaves what it wrote unchanged", () => {
    const instant = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.nat(999_999), (date, micros) => {
        const written = `${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, "0")}Z`;
        expect(normaliseDateTime(written)).toBe(written);
        if (date.getUTCDate() <= 28) expect(written).toMatch(CANONICAL_TIMESTAMP);
      }),
    );
  });
});

describe("normaliseDuration", () => {
  test.each([
    [90, 90],
    [-1.5, -1.5],
    ["90", 90],
    ["1.5", 1.5],
    ["PT5M", 300],
    ["P1DT2H", 93_600],
    ["P2W", 1_209_600],
    ["-PT1.5S", -1.5],
    ["P1Y", 31_536_000],
    ["P1M", 2_592_000],
    ["P1Y2M3W4DT5H6M7.5S", 38_898_367.5],
    ["PT10,5S", 10.5],
    ["00:05:00", 300],
    ["1:02:03.5", 3723.5],
    ["00:05", 300],
    ["1 day, 0:00:01", 86_401],
    ["2 days 01:00:00", 176_400],
    ["1 day", 86_400],
    ["-2 d", -172_800],
    ["-1 day, 23:59:59", -1],
    ["-00:00:30", -30],
  ])("reads %j as %d seconds", (value, seconds) => {
    expect(normaliseDuration(value)).toBe(seconds);
  });

  test.each([
    "",
    "P",
    "PT",
    "P1",
    "P1YT",
    "P1D1Y",
    "5M",
    "5 months",
    "day",
    "00:60:00",
    "00:00:60",
    "1e5",
    "soon",
    1e15,
    true,
    null,
    {},
  ])("refuses %j", (value) => {
    expect(normaliseDuration(value)).toBeUndefined();
  });
});

describe("normaliseInteger", () => {
  test.each([
    [5, 5],
    ["5", 5],
    [" -7 ", -7],
    ["3.0", 3],
    [2.0, 2],
  ])("reads %j as %d", (value, number) => {
    expect(normaliseInteger(value)).toBe(number);
  });

  test.each(["", "5.5", 5.5, "five", "0x10", "1e3", true, null, 2 ** 53, "9007199254740993"])(
    "refuses %j",
    (value) => {
      expect(normaliseInteger(value)).toBeUndefined();
    },
  );
});

test("normaliseNumber reads numeric text and refuses what is not a finite number", () => {
  expect(["1.5", "-2e3", ".5", 4].map(normaliseNumber)).toEqual([1.5, -2000, 0.5, 4]);
  expect(["", "NaN", "Infinity", "1e999", "0x1", true, null].map(normaliseNumber)).toEqual(
    Array.from({ length: 7 }, () => undefined),
  );
});

test("normaliseBoolean reads the usual words and refuses the rest", () => {
  expect([true, 1, "true", "True", "on", "YES"].map(normaliseBoolean)).toEqual(
    Array.from({ length: 6 }, () => true),
  );
  expect([false, 0, "false", "off", "N"].map(normaliseBoolean)).toEqual(
    Array.from({ length: 5 }, () => false),
  );
  expect([2, "maybe", "", null, []].map(normaliseBoolean)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});
