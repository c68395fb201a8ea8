import { writeJson } from "@orchestrator/exact-json";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { ordinaryIntegers, YAML_NUMBERS } from "./yaml-numbers.ts";

test.each([
  ["1", "1"],
  ["1.0", "1.0"],
  ["-3.", "-3.0"],
  ["1e5", "100000.0"],
  ["2.5e+1", "25.0"],
  ["0.5", "0.5"],
  [".5", "0.5"],
  ["12345678901234567890", "12345678901234567890"],
  ["'1.0'", '"1.0"'],
  ["1.0.0", '"1.0.0"'],
])("%s of a file is %s", (text, json) => {
  const value: unknown = parse(`a: [${text}]`, ordinaryIntegers, YAML_NUMBERS);
  expect(writeJson(value)).toBe(`{"a":[${json}]}`);
});

test("numbers are written so that they are read as they were", () => {
  const text = "a: 1\nb: 1.0\nc: [0.5, 1e+16, 12345678901234567890]\n";
  const value: unknown = parse(text, ordinaryIntegers, YAML_NUMBERS);
  const written = stringify(value, YAML_NUMBERS);
  expect(written).toContain("b: 1.0\n");
  expect(writeJson(parse(written, ordinaryIntegers, YAML_NUMBERS))).toBe(writeJson(value));
});
