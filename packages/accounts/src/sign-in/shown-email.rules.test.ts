import { expect, test } from "vitest";
import { shownEmail } from "./shown-email.rules.ts";

test.each([
  ["bob@example.com", "bo…@example.com"],
  ["x@example.com", "x…@example.com"],
  [" Bob@Example.com ", "Bo…@Example.com"],
  [`a@${"d".repeat(200)}.org`, `a…@${"d".repeat(100)}`],
  ["P@ssw0rd!", "P…"],
  ["P@ssw0rd", "P…"],
  ["correct horse battery", "c…"],
  ["p@ss word", "p…"],
  ["", ""],
])("%j is shown as %j", (given, shown) => {
  expect(shownEmail(given)).toBe(shown);
});
