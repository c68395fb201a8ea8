import { expect, test } from "vitest";
import { EXACT_JSON_FORMAT } from "./exact-answers.ts";

const copied = (text: string): string => EXACT_JSON_FORMAT.write(EXACT_JSON_FORMAT.read(text));

test("values that people have given are copied as they are", () => {
  const run = '{"parameters":{"a":[1.0,{"b":2.0}],"c":12345678901234567890},"labels":{"d":3.0}}';
  expect(copied(`[${run}]`)).toBe(`[${run}]`);
  expect(copied('{"name":"x","value":1.0}')).toBe('{"name":"x","value":1.0}');
});

test("what the server counts and measures is a number", () => {
  const runs = [{ total_run_time: 0, state: { type: "RUNNING" } }, { estimated_run_time: 12 }];
  const text = '[{"total_run_time":0.0,"state":{"type":"RUNNING"}},{"estimated_run_time":12.0}]';
  expect(EXACT_JSON_FORMAT.read(text)).toStrictEqual(runs);
});
