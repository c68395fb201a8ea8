import { expect, test } from "vitest";
import { type CsvCell, csvLine } from "./csv-line.ts";

const CASES: [CsvCell, string][] = [
  ["plain", "plain"],
  ["", ""],
  [null, ""],
  [12.5, "12.5"],
  [-3, "-3"],
  [true, "true"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["two\r\nlines", '"two\r\nlines"'],
  [" spaced", '" spaced"'],
  ["=1+1", "'=1+1"],
  ["+49", "'+49"],
  ["-2", "'-2"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ['=HYPERLINK("http://evil.example","x")', '"\'=HYPERLINK(""http://evil.example"",""x"")"'],
  ["＝1", "'＝1"],
];

test.each(CASES)("the cell %j is written as %j", (cell, written) => {
  expect(csvLine([cell, "end"])).toBe(`${written},end\r\n`);
});
