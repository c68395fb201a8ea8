import { writeJson } from "@orchestrator/exact-json";
import { expect, test } from "vitest";
import { jsonObject, moment, pair, parseDuration } from "./options.ts";

test.each([
  ["90", 90],
  ["30s", 30],
  ["10m", 600],
  ["10 min", 600],
  ["1h30m", 5400],
  ["2 hours", 7200],
  ["1.5h", 5400],
  ["1d 2h", 93_600],
  ["2weeks", 1_209_600],
])("%s is a time span of %d seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each(["", "x", "5x", "10 months", "1h-30m", "-5", "m", "1.2.3h"])(
  "%j is no time span",
  (text) => {
    expect(() => parseDuration(text)).toThrow("time span");
  },
);

test("pairs hold JSON or texts, and the later wins", () => {
  const first = pair('a={"b": [1]}');
  expect(pair("t=x=y", pair("n=3", pair("a=plain", first)))).toEqual({
    a: "plain",
    n: 3,
    t: "x=y",
  });
  expect(writeJson(pair("n=1.0"))).toBe('{"n":1.0}');
  expect(writeJson(pair("n=1e5"))).toBe('{"n":100000.0}');
  expect(() => pair("n=[1e400]")).toThrow("too large");
  expect(() => pair("novalue")).toThrow("name=value");
  expect(() => pair("=x")).toThrow("name=value");
});

test("JSON objects are objects, and times are times", () => {
  expect(jsonObject('{"a": null}')).toEqual({ a: null });
  expect(writeJson(jsonObject('{"a": [1e5, 12345678901234567890]}'))).toBe(
    '{"a":[100000.0,12345678901234567890]}',
  );
  for (const text of ["[]", "3", "null", "{"]) expect(() => jsonObject(text)).toThrow("JSON");
  expect(moment("2026-11-15T09:00:00Z")).toBe("2026-11-15T09:00:00.000Z");
  expect(() => moment("yesterday")).toThrow("2026");
});
