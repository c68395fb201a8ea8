import { expect, test } from "vitest";
import { yamlText } from "./yaml-text.rules.ts";

test.each([
  ["plain", "plain"],
  ["two words", "two words"],
  ["text/html", "text/html"],
  ["", '""'],
  ["yes", '"yes"'],
  ["Off", '"Off"'],
  ["null", '"null"'],
  ["12", '"12"'],
  ["1e3", '"1e3"'],
  ["2026-11-15", '"2026-11-15"'],
  ["key: value", '"key: value"'],
  ["# none", '"# none"'],
  ["a #b", '"a #b"'],
  ["@hourly", '"@hourly"'],
  ["*/5 * * * *", '"*/5 * * * *"'],
  ["- a", '"- a"'],
  [" spaced", '" spaced"'],
  ["spaced ", '"spaced "'],
  ["two\nlines\ttab", '"two\\nlines\\ttab"'],
  ['a "quote"', '"a \\"quote\\""'],
  ["a\u2028b\u0085", '"a\\u2028b\\u0085"'],
  ["Käse", '"Käse"'],
])("the text %j is written so that it is read as that text", (text, written) => {
  expect(yamlText({ value: text })).toBe(`value: ${written}\n`);
});

test("objects and lists of objects have lines of their own, lists of words one line", () => {
  const value = {
    version: 1,
    none: null,
    flag: true,
    empty: {},
    nothing: [],
    words: ["a", "b c", "1"],
    nested: [{ a: 1, b: [{ c: "d" }] }, { "odd: key": { e: [1, 2] } }],
  };
  expect(yamlText(value)).toBe(`version: 1
none: null
flag: true
empty: {}
nothing: []
words: [a, b c, "1"]
nested:
  - a: 1
    b:
      - c: d
  - "odd: key":
      e: [1, 2]
`);
});
