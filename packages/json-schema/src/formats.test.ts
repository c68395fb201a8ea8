import { expect, test } from "vitest";
import { FORMATS } from "./formats.ts";
import { validateValues } from "./testing/validator.ts";

// Told by the validator of the established server.
test.each([
  [
    "date",
    ["2026-02-28", "2024-02-29"],
    ["2026-02-29", "26-01-01", "0000-01-01", "2026-1-1", "٢٠٢٦-01-01", ""],
  ],
  [
    "date-time",
    [
      "2026-02-28T10:00:00Z",
      "2026-02-28t10:00:00z",
      "2026-02-28T10:00:00+02:00",
      "2026-02-28T10:00:00.123456789Z",
    ],
    [
      "2026-02-28 10:00:00Z",
      "2026-02-28T10:00:00",
      "2026-02-28T24:00:00Z",
      "2026-02-28T10:00:60Z",
      "2026-02-30T10:00:00Z",
      "2026-02-28T10:00:00+24:00",
    ],
  ],
  ["time", ["10:00:00Z", "10:00:00.5+01:00", "10:00:00z"], ["10:00:00", "10:00Z"]],
  ["email", ["a@b", "@"], ["a", ""]],
  ["idn-email", ["ü@b"], ["x"]],
  ["ipv4", ["1.2.3.4"], ["01.2.3.4", "1.2.3", "256.1.1.1", "1.2.3.4 "]],
  ["ipv6", ["::1", "::ffff:1.2.3.4"], ["fe80::1%eth0", "1::2::3", "x"]],
  [
    "uuid",
    ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
    ["123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}", "x"],
  ],
  ["regex", ["a(b)", "(?P<x>a)", "(?<=a)b", ""], ["a(b", "[a-z", "a{2,1}"]],
  ["json-pointer", ["", "/a", "/a~0b", "/"], ["a", "/a~2"]],
  ["relative-json-pointer", ["0", "1/a", "0#", "10#"], ["01", "-1", "a", "", "1a", "1#/a"]],
  [
    "idn-hostname",
    ["example.com", "Example.com", "münchen.de", "a.com.", "日本.jp", "1.2"],
    [
      "a_b",
      "",
      "-a.com",
      "a..b",
      "a b",
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "ab--c.com",
    ],
  ],
])("the format %s is that of %j and not of %j", (name, good, bad) => {
  const isFormed = FORMATS[name] ?? (() => null);
  expect([...good, ...bad].filter((text) => isFormed(text))).toEqual(good);
});

test("formats are checked only where that is asked for", () => {
  const schema = { properties: { day: { format: "date" } } };
  const values = { day: "tomorrow" };
  expect(validateValues(schema, values).problems).toEqual([]);
  expect(validateValues(schema, values, { checksFormats: true }).problems).toHaveLength(1);
});

test("formats that nobody checks say nothing, whatever they are called", () => {
  for (const format of ["uri", "hostname", "duration", "password", "toString", 5]) {
    const schema = { properties: { a: { format } } };
    const { schemaProblem, problems } = validateValues(schema, { a: "-" }, { checksFormats: true });
    expect([schemaProblem, problems]).toEqual([null, []]);
  }
});
