import { describe, expect, test } from "vitest";
import { templates } from "../testing/engine.ts";
import { readTime } from "./read-time.ts";
import { DAY_MICROS, TimeSpan } from "./time-kinds.ts";

function shown(expression: string, at: string): string | null {
  const context = { at: readTime(at), span: new TimeSpan(30n * DAY_MICROS) };
  return templates.render(`{{ ${expression} }}`, context).text;
}

const BERLIN = `at.in_timezone("Europe/Berlin")`;

/**
 * Recorded from pendulum. The clocks there are set forward on 29 March 2026, and back on 25
 * October.
 */
describe("a time at a place whose clocks are set", () => {
  test.each([
    ["2026-10-10T12:00:00Z", ".add(days=30)", "2026-11-09 14:00:00+01:00"],
    ["2026-10-10T12:00:00Z", ".add(days=30, hours=1)", "2026-11-09 15:00:00+01:00"],
    ["2026-10-10T12:00:00Z", ".add(hours=720)", "2026-11-09 13:00:00+01:00"],
    ["2026-10-10T12:00:00Z", ".add(months=1)", "2026-11-10 14:00:00+01:00"],
    ["2026-10-10T12:00:00Z", ".add()", "2026-10-10 14:00:00+02:00"],
    ["2026-11-10T12:00:00Z", ".subtract(weeks=5)", "2026-10-06 13:00:00+02:00"],
    ["2026-11-10T12:00:00Z", ".subtract(minutes=43200)", "2026-10-11 14:00:00+02:00"],
    ["2026-10-10T12:00:00Z", " + span", "2026-11-09 13:00:00+01:00"],
    ["2026-11-10T12:00:00Z", " - span", "2026-10-11 14:00:00+02:00"],
    ["2026-10-10T12:00:00Z", ".replace(month=12)", "2026-12-10 14:00:00+01:00"],
  ])("from %s %s is %s", (at, change, expected) => {
    expect(shown(BERLIN + change, at)).toBe(expected);
  });

  test.each([
    ["2026-03-28T01:30:00Z", ".add(days=1)", "2026-03-29 03:30:00+02:00"],
    ["2026-03-28T01:30:00Z", ".add(days=1, minutes=40)", "2026-03-29 03:10:00+02:00"],
    ["2026-04-29T00:30:00Z", ".subtract(months=1)", "2026-03-29 03:30:00+02:00"],
    ["2026-10-10T12:00:00Z", ".replace(month=3, day=29, hour=2)", "2026-03-29 01:00:00+01:00"],
  ])("from %s %s is %s, for there is no such time", (at, change, expected) => {
    expect(shown(BERLIN + change, at)).toBe(expected);
  });

  test.each([
    ["2026-10-24T00:30:00Z", ".add(days=1)", "2026-10-25 02:30:00+01:00"],
    ["2026-10-24T00:30:00Z", ".add(hours=24)", "2026-10-25 02:30:00+02:00"],
    ["2026-10-24T00:30:00Z", ".add(hours=25)", "2026-10-25 02:30:00+01:00"],
    ["2026-10-25T01:30:00Z", ".add(minutes=1)", "2026-10-25 02:31:00+01:00"],
    ["2026-10-10T12:00:00Z", ".replace(day=25, hour=2)", "2026-10-25 02:00:00+02:00"],
    ["2026-10-25T00:30:00Z", ".replace(minute=31)", "2026-10-25 02:31:00+02:00"],
    ["2026-10-25T01:30:00Z", ".replace(minute=31)", "2026-10-25 02:31:00+01:00"],
  ])("from %s %s is %s, of two such times", (at, change, expected) => {
    expect(shown(BERLIN + change, at)).toBe(expected);
  });

  test("is none that a calendar cannot show", () => {
    expect(shown(`${BERLIN}.add(hours=1)`, "9999-12-31T22:30:00Z")).toBeNull();
    expect(shown(`${BERLIN}.add(days=1)`, "9999-12-31T12:00:00Z")).toBeNull();
  });
});

test.each([
  ["at.add(days=30)", "2026-11-09 14:00:00+02:00"],
  ["at + span", "2026-11-09 14:00:00+02:00"],
  ["at.replace(month=12)", "2026-12-10 14:00:00+02:00"],
])("a time of which only the distance from UTC is known keeps it: %s is %s", (expression, text) => {
  expect(shown(expression, "2026-10-10T14:00:00+02:00")).toBe(text);
});
