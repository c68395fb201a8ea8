import { readFileSync } from "node:fs";
import { readJson } from "@orchestrator/exact-json";
import { expect, test } from "vitest";
import { templates } from "./testing/engine.ts";
import { readTime } from "./times/read-time.ts";
import { TimeSpan } from "./times/time-kinds.ts";

/**
 * Templates with what Jinja 3.1 makes of them in the environment of the established server,
 * recorded from it.
 */
interface Answers {
  readonly context: Readonly<Record<string, unknown>>;
  readonly answers: readonly (readonly [template: string, text: string])[];
}

const { context, answers } = readJson(
  readFileSync(new URL("./jinja-answers.json", import.meta.url), "utf8"),
) as Answers;

/** JSON has neither times nor spans. */
function withTimes(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withTimes);
  if ("$time" in value) return readTime(String(value.$time));
  if ("$span" in value) return new TimeSpan(BigInt(Math.round(Number(value.$span) * 1_000_000)));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTimes(each)]));
}

const given = withTimes(context) as Readonly<Record<string, unknown>>;

test("a table of answers is there", () => {
  expect(answers.length).toBeGreaterThan(1000);
});

test.each(answers)("%j", (template, text) => {
  expect(templates.render(template, given)).toEqual({ text, problem: null });
});
