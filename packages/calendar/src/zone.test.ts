import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../tests/support/rounds.ts";
import { findZone, LATER_THEN_FIRST, readZone, toUtc, toWall, type WallPolicy } from "./zone.ts";

/** Microseconds of a UTC or wall-clock time. */
function at(text: string): number {
  return Date.parse(`${text}Z`) * 1000;
}

function shown(micros: number): string {
  return new Date(micros / 1000).toISOString().slice(0, 19);
}

const NEW_YORK = readZone("America/New_York");
const ALL_ZONES = Intl.supportedValuesOf("timeZone");

describe("a wall-clock time", () => {
  test.each([
    ["UTC", "2026-06-01T12:00:00", "2026-06-01T12:00:00"],
    ["America/New_York", "2026-01-15T12:00:00", "2026-01-15T07:00:00"],
    ["America/New_York", "2026-07-15T12:00:00", "2026-07-15T08:00:00"],
    ["Asia/Kathmandu", "2026-07-15T12:00:00", "2026-07-15T17:45:00"],
    ["Asia/Kathmandu", "1985-12-31T18:00:00", "1985-12-31T23:30:00"],
    ["Australia/Lord_Howe", "2026-01-15T12:00:00", "2026-01-15T23:00:00"],
    ["Australia/Lord_Howe", "2026-07-15T12:00:00", "2026-07-15T22:30:00"],
    ["Pacific/Apia", "2011-12-30T09:59:59", "2011-12-29T23:59:59"],
    ["Pacific/Apia", "2011-12-30T10:00:00", "2011-12-31T00:00:00"],
    ["Africa/Monrovia", "1970-06-01T12:00:00", "1970-06-01T11:15:30"],
    ["America/Montreal", "2023-03-12T05:10:02", "2023-03-12T00:10:02"],
    ["Europe/Berlin", "2190-07-01T12:00:00", "2190-07-01T14:00:00"],
    ["Etc/GMT+5", "2026-07-15T12:00:00", "2026-07-15T07:00:00"],
  ])("in %s of %s UTC is %s, and leads back", (name, utc, wall) => {
    const zone = readZone(name);
    expect(shown(toWall(at(utc), zone))).toBe(wall);
    expect(shown(toUtc(at(wall), zone, LATER_THEN_FIRST))).toBe(utc);
  });

  test.each<[string, string, WallPolicy, string]>([
    [
      "America/New_York",
      "2018-03-11T02:30:00",
      { gap: "later", overlap: "earlier" },
      "2018-03-11T07:30:00",
    ],
    [
      "America/New_York",
      "2018-03-11T02:30:00",
      { gap: "earlier", overlap: "earlier" },
      "2018-03-11T06:30:00",
    ],
    [
      "America/New_York",
      "2018-03-11T03:00:00",
      { gap: "earlier", overlap: "earlier" },
      "2018-03-11T07:00:00",
    ],
    [
      "America/New_York",
      "2018-11-04T01:30:00",
      { gap: "later", overlap: "earlier" },
      "2018-11-04T05:30:00",
    ],
    [
      "America/New_York",
      "2018-11-04T01:30:00",
      { gap: "later", overlap: "later" },
      "2018-11-04T06:30:00",
    ],
    [
      "America/New_York",
      "2018-11-04T02:00:00",
      { gap: "later", overlap: "later" },
      "2018-11-04T07:00:00",
    ],
    [
      "America/New_York",
      "2018-11-04T00:59:59",
      { gap: "later", overlap: "later" },
      "2018-11-04T04:59:59",
    ],
    [
      "Australia/Lord_Howe",
      "2026-10-04T02:15:00",
      { gap: "later", overlap: "earlier" },
      "2026-10-03T15:45:00",
    ],
    [
      "Australia/Lord_Howe",
      "2026-10-04T02:15:00",
      { gap: "earlier", overlap: "earlier" },
      "2026-10-03T15:15:00",
    ],
    [
      "Australia/Lord_Howe",
      "2026-04-05T01:45:00",
      { gap: "later", overlap: "earlier" },
      "2026-04-04T14:45:00",
    ],
    [
      "Australia/Lord_Howe",
      "2026-04-05T01:45:00",
      { gap: "later", overlap: "later" },
      "2026-04-04T15:15:00",
    ],
    [
      "Pacific/Apia",
      "2011-12-30T09:00:00",
      { gap: "later", overlap: "earlier" },
      "2011-12-30T19:00:00",
    ],
    [
      "Pacific/Apia",
      "2011-12-30T09:00:00",
      { gap: "earlier", overlap: "earlier" },
      "2011-12-29T19:00:00",
    ],
  ])("in %s of %s with %j is %s UTC", (name, wall, policy, utc) => {
    expect(shown(toUtc(at(wall), readZone(name), policy))).toBe(utc);
  });

  test("keeps its microseconds", () => {
    expect(toWall(at("2026-01-15T12:00:00") + 123_456, NEW_YORK)).toBe(
      at("2026-01-15T07:00:00") + 123_456,
    );
  });
});

describe("any zone", () => {
  const instants = fc.integer({
    min: at("1900-01-01T00:00:00") / 1e6,
    max: at("2200-12-31T23:59:59") / 1e6,
  });
  const zones = fc.constantFrom(...ALL_ZONES);

  test("has the offset that Intl says at any instant", () => {
    fc.assert(
      fc.property(zones, instants, (name, second) => {
        expect(shown(toWall(second * 1e6, readZone(name)))).toBe(askIntl(name, second));
      }),
      { numRuns: rounds(60, 300) },
    );
  });

  test("has exactly one segment for an instant, and segments that meet", () => {
    fc.assert(
      fc.property(zones, instants, (name, second) => {
        const zone = readZone(name);
        const segment = zone.segmentAt(second * 1e6);
        const next = zone.segmentAt(segment.end);
        expect(segment.start).toBeLessThanOrEqual(second * 1e6);
        expect(segment.end).toBeGreaterThan(second * 1e6);
        expect(next.start).toBeLessThanOrEqual(segment.end);
        if (next.start === segment.end) expect(next.before).toBe(segment.offset);
        else expect(next.offset).toBe(segment.offset);
      }),
      { numRuns: rounds(60, 300) },
    );
  });

  test("gives an instant back from its wall-clock time, the first or the second of two", () => {
    fc.assert(
      fc.property(zones, instants, (name, second) => {
        const zone = readZone(name);
        const wall = toWall(second * 1e6, zone);
        const first = toUtc(wall, zone, { gap: "later", overlap: "earlier" });
        const last = toUtc(wall, zone, { gap: "later", overlap: "later" });
        expect([first, last]).toContain(second * 1e6);
        expect(first).toBeLessThanOrEqual(last);
      }),
      { numRuns: rounds(60, 300) },
    );
  });

  test.each([
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Recife",
    "Africa/Casablanca",
    "Europe/London",
  ])("%s agrees with Intl on both sides of every transition", (name) => {
    const zone = readZone(name);
    let seen = 0;
    for (let utc = at("1969-12-31T00:00:00"); utc < at("2100-01-01T00:00:00"); ) {
      const { end } = zone.segmentAt(utc);
      for (const second of [end / 1e6 - 1, end / 1e6])
        expect(shown(toWall(second * 1e6, zone))).toBe(askIntl(name, second));
      utc = end;
      seen++;
    }
    expect(seen).toBeGreaterThan(100);
  });
});

describe("the name of a zone", () => {
  test.each([
    "UTC",
    "Etc/UTC",
    "GMT",
    "US/Eastern",
    "America/Montreal",
    "Asia/Calcutta",
    "Asia/Kolkata",
    "EST5EDT",
    "America/Argentina/Rio_Gallegos",
    "America/Port-au-Prince",
    "GB-Eire",
  ])("may be %s", (name) => {
    expect(findZone(name).problem).toBeNull();
  });

  test.each([
    ["", '"" is not a time zone of the IANA database.'],
    [
      "america/new_york",
      '"america/new_york" is not a time zone of the IANA database; did you mean "America/New_York"?',
    ],
    [
      "America/New York",
      '"America/New York" is not a time zone of the IANA database; did you mean "America/New_York"?',
    ],
    [
      "Amercia/Chicago",
      '"Amercia/Chicago" is not a time zone of the IANA database; did you mean "America/Chicago"?',
    ],
    ["Berlin", '"Berlin" is not a time zone of the IANA database; did you mean "Europe/Berlin"?'],
    ["utc", '"utc" is not a time zone of the IANA database; did you mean "UTC"?'],
    ["+02:00", '"+02:00" is not a time zone of the IANA database.'],
    ["PST", '"PST" is not a time zone of the IANA database.'],
    ["SystemV/EST5", '"SystemV/EST5" is not a time zone of the IANA database.'],
    ["Mars/Olympus_Mons", '"Mars/Olympus_Mons" is not a time zone of the IANA database.'],
    ["../../etc/passwd", '"../../etc/passwd" is not a time zone of the IANA database.'],
  ])("may not be %j", (name, problem) => {
    expect(findZone(name).problem).toBe(problem);
  });

  test("may not be endless", () => {
    expect(findZone("A".repeat(100_000)).problem?.length).toBeLessThan(200);
  });
});

const formats = new Map<string, Intl.DateTimeFormat>();

function askIntl(name: string, second: number): string {
  const known = formats.get(name);
  const format =
    known ??
    new Intl.DateTimeFormat("sv-SE", { timeZone: name, dateStyle: "short", timeStyle: "medium" });
  formats.set(name, format);
  return format.format(second * 1000).replace(" ", "T");
}
