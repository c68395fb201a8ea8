import { floatOf } from "@orchestrator/exact-json";
import { sentences } from "@orchestrator/json-schema/problems";
import { createComputePool } from "@orchestrator/kernel/compute";
import { openScope } from "@orchestrator/kernel/scope";
import { afterAll, describe, expect, test } from "vitest";
import { type ValidationRequest, validateValue } from "./validate.ts";

const threads = createComputePool({ budget: { cpuMs: 150, memoryMb: 64 } });
afterAll(() => threads.close());
const someone = threads.for(openScope("test"));

/** A pool that has no thread: what asks for one is not cheap. */
const noThreads = {
  run: () => Promise.reject(new Error("a thread is needed")),
};

const problems = async (request: ValidationRequest): Promise<string[]> => {
  const validation = await validateValue(someone, request);
  expect(validation.schemaProblem).toBeNull();
  return sentences(validation.problems);
};

const manyTimes = (schema: unknown) => ({
  allOf: Array.from({ length: 19_000 }, () => ({ $ref: "#/$defs/a" })),
  $defs: { a: schema },
});

describe("in the event loop", () => {
  test.each<[string, ValidationRequest]>([
    [
      "of a flow with many parameters",
      {
        schema: {
          type: "object",
          properties: Object.fromEntries(
            Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: "string", maxLength: 100 }]),
          ),
          required: ["p1"],
        },
        values: { p1: "x", p2: "y".repeat(50) },
      },
    ],
    ["with words to choose from", { schema: { enum: ["a", "b"] }, values: "a" }],
    [
      "with a pattern for a value that is not given",
      { schema: { properties: { a: { pattern: "^x" } } }, values: {} },
    ],
  ])("a schema %s is checked", async (_name, request) => {
    expect((await validateValue(noThreads, request)).problems).toEqual([]);
  });

  test.each<[string, ValidationRequest]>([
    ["with a pattern", { schema: { pattern: "^x" }, values: "x" }],
    ["with a pattern for names", { schema: { patternProperties: { "^x": {} } }, values: { x: 1 } }],
    ["that wants unique items", { schema: { uniqueItems: true }, values: [1, 2] }],
    ["that compares whole values", { schema: { const: { a: 1 } }, values: { a: 1 } }],
    ["that is long", { schema: { description: "x".repeat(20_000) }, values: 1 }],
    [
      "that looks at many values",
      { schema: { items: { type: "integer" } }, values: Array(50_000).fill(1) },
    ],
  ])("a schema %s is not checked", async (_name, request) => {
    await expect(validateValue(noThreads, request)).rejects.toThrow("a thread is needed");
    expect(await problems(request)).toEqual([]);
  });
});

describe("on a thread", () => {
  test.each([
    ["^(a+)+$", `${"a".repeat(35)}!`],
    ["a+b", "a".repeat(400_000)],
    ["^(.*)(.*)(.*)(.*)(.*)(.*)z$", "y".repeat(3000)],
  ])("the pattern %s is stopped at the budget", async (pattern, text) => {
    const schema = { properties: { a: { items: { pattern } } } };
    await expect(validateValue(someone, { schema, values: { a: [text] } })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("takes more than its budget of 150 ms of CPU time"),
    });
  });

  test("a pattern for the same text over and over again is stopped at the budget", async () => {
    const schema = manyTimes({ not: { items: { pattern: "a*b" } } });
    const values = ["a".repeat(1000)];
    await expect(validateValue(someone, { schema, values })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  test("numbers are the same as in here", async () => {
    const items = [1763110800123456789n, floatOf(1)];
    const schema = { uniqueItems: true, items: { enum: [1763110800123456789n, 1, []] } };
    expect(await problems({ schema, values: items })).toEqual([]);
  });

  test("a schema that cannot be used says why", async () => {
    const description = "x".repeat(20_000);
    const wrong = await validateValue(someone, {
      schema: { description, type: "none" },
      values: 1,
    });
    expect(wrong.schemaProblem?.message).toContain("is none of");
    const $defs = { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } };
    const circular = await validateValue(someone, {
      schema: { description, $ref: "#/$defs/a", $defs },
      values: 1,
    });
    expect(circular.schemaProblem?.isCircular).toBe(true);
  });

  test("values that are nested too deeply are refused", async () => {
    const values = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    const found = await problems({ schema: { uniqueItems: true }, values });
    expect(found).toEqual([expect.stringMatching(/nested too deeply$/)]);
  });
});
