import { describe, expect, test } from "vitest";
import { checkSchema, validateValues } from "./testing/validator.ts";
import { sentences } from "./value-problem.ts";

function problems(schema: Readonly<Record<string, unknown>> | string, values: unknown): string[] {
  const validation = validateValues(schema, values);
  expect(validation.schemaProblem).toBeNull();
  return sentences(validation.problems);
}

const nested = (depth: number, open: string, close: string): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

describe("hostile schemas", () => {
  test.each([200, 20_000])("nested %i levels deep are refused", (depth) => {
    expect(checkSchema(nested(depth, '{"not":', "}"))?.message).toMatch(/nested/);
  });

  test("that are too large are refused", () => {
    expect(checkSchema({ description: "x".repeat(600_000) })?.message).toMatch(/larger/);
    const parts = Object.fromEntries(Array.from({ length: 21_000 }, (_, i) => [`p${i}`, {}]));
    expect(checkSchema({ properties: parts })?.message).toMatch(/more than 20000 parts/);
  });

  test("with a pattern that is too long are refused", () => {
    expect(checkSchema({ pattern: "a".repeat(1001) })?.message).toMatch(/longer than 1000/);
  });

  test("with a pattern too large for the engine are survived", () => {
    const schema = { properties: { a: { pattern: "(((a{1000}){1000}){1000})" } } };
    expect(problems(schema, { a: "aaa" })).toHaveLength(1);
  });

  test("with common patterns on long texts are checked as any other", () => {
    const schema = { properties: { a: { pattern: "^[a-z]+(-[a-z]+)*$" } } };
    expect(problems(schema, { a: `${"word-".repeat(5000)}end` })).toEqual([]);
    expect(problems(schema, { a: "A" })).toEqual([
      expect.stringContaining("must match the pattern"),
    ]);
  });

  test("whose references double with each level are cut off", () => {
    const levels = Array.from({ length: 40 }, (_, i) => {
      const next = { $ref: `#/$defs/l${i + 1}` };
      return [`l${i}`, { allOf: [next, next] }];
    });
    const $defs = { ...Object.fromEntries(levels), l40: { type: "object" } };
    expect(problems({ $ref: "#/$defs/l0", $defs }, {})).toEqual([
      "parameters: takes too much work to check",
    ]);
  });

  const zeros = Array.from({ length: 300_000 }, () => 0);
  const manyMembers = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i}`, 0]));
  const manyNames = Array.from({ length: 40_000 }, (_, i) => `n${i}`);
  const manyTimes = (schema: unknown) => ({
    allOf: Array.from({ length: 19_000 }, () => ({ $ref: "#/$defs/a" })),
    $defs: { a: schema },
  });
  const perItem = (schema: unknown) => ({ items: schema });

  test.each<[name: string, schema: Readonly<Record<string, unknown>>, value: unknown]>([
    ["items that may be anything", manyTimes({ items: true }), zeros],
    ["items that are seen", manyTimes({ prefixItems: [true], unevaluatedItems: true }), zeros],
    ["items in search of one", manyTimes({ contains: true }), zeros],
    ["branches that accept all", perItem({ allOf: Array(19_000).fill(true) }), zeros],
    ["branches that refuse all", { not: perItem({ anyOf: Array(19_000).fill(false) }) }, zeros],
    ["missing names", { not: perItem({ required: manyNames }) }, zeros.map(() => ({}))],
    [
      "names that depend on another",
      { not: perItem({ dependentRequired: { a: manyNames } }) },
      zeros.map(() => ({ a: 1 })),
    ],
    [
      "schemas that depend on names",
      perItem({
        dependentSchemas: Object.fromEntries(manyNames.slice(0, 9000).map((n) => [n, true])),
      }),
      zeros.map(() => ({})),
    ],
    [
      "properties that are not given",
      perItem({ properties: Object.fromEntries(manyNames.slice(0, 9000).map((n) => [n, true])) }),
      zeros.map(() => ({})),
    ],
    ["members that may be anything", manyTimes({ additionalProperties: true }), manyMembers],
    ["members to count", manyTimes({ maxProperties: 9000 }), manyMembers],
    ["members that are seen", manyTimes({ unevaluatedProperties: true }), manyMembers],
    ["names of members", manyTimes({ propertyNames: true }), manyMembers],
    ["characters to count", manyTimes({ maxLength: 100_000 }), "x".repeat(100_000)],
    [
      "references to blocks",
      manyTimes({ block_type_slug: "x" }),
      { $ref: Object.fromEntries(manyNames.slice(0, 5000).map((n) => [n, n])) },
    ],
  ])("that ask for endless work with %s are cut off", (_name, schema, value) => {
    expect(problems(schema, value)).toEqual([
      expect.stringMatching(/: takes too much work to check$/),
    ]);
  });

  test("with a pattern for many long texts are checked as any other", () => {
    const schema = perItem({ pattern: "^[a-z]+$" });
    const texts = Array.from({ length: 500 }, () => "a".repeat(1000));
    expect(problems(schema, texts)).toEqual([]);
  });

  test("with names in plenty, properties and required, are read", () => {
    const properties = Object.fromEntries(manyNames.slice(0, 15_000).map((n) => [n, {}]));
    expect(checkSchema({ properties, required: manyNames.slice(0, 20_000) })).toBeNull();
  });

  test("with a type named over and over again name it once", () => {
    const type = Array.from({ length: 50_000 }, () => "string");
    expect(problems({ properties: { a: { type } } }, { a: 1 })).toEqual([
      "parameters.a: must be string",
    ]);
  });

  test("with names of prototypes check own members only", () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}},"required":["hasOwnProperty"]}',
    ) as Record<string, unknown>;
    expect(problems(schema, {})).toEqual(["parameters.hasOwnProperty: is required"]);
    const values = JSON.parse('{"__proto__":"x","constructor":"x","hasOwnProperty":1}') as unknown;
    expect(problems(schema, values)).toEqual([
      "parameters.__proto__: must be integer",
      "parameters.constructor: must be integer",
    ]);
    expect(Object.hasOwn(Object.prototype, "type")).toBe(false);
  });

  test("with a type named as a member of every object are refused", () => {
    expect(checkSchema({ type: "constructor" })?.message).toMatch(/is none of/);
  });

  test("cannot smuggle in code", () => {
    const text = "');globalThis.hacked=1;//`${globalThis.hacked=1}`";
    const schema = { properties: { [text]: { const: text, pattern: "^x" } }, required: [text] };
    expect(problems(schema, { [text]: "y" })).toHaveLength(2);
    expect(Object.hasOwn(globalThis, "hacked")).toBe(false);
  });
});

describe("hostile values", () => {
  test("of ten thousand wrong items name a hundred", () => {
    const schema = { properties: { a: { items: { type: "integer" } } } };
    const found = problems(schema, { a: Array.from({ length: 10_000 }, () => "x") });
    expect(found).toHaveLength(100);
    expect(found[99]).toBe("parameters.a[99]: must be integer");
  });

  test("of ten thousand items are compared with each other", () => {
    const schema = { properties: { a: { uniqueItems: true } } };
    const items = Array.from({ length: 10_000 }, (_, i) => ({ deep: { i } }));
    expect(problems(schema, { a: items })).toEqual([]);
    expect(problems(schema, { a: [...items, { deep: { i: 5000 } }] })).toHaveLength(1);
  });

  test("of many failing branches stay bounded", () => {
    const branch = { items: { type: "integer" } };
    const schema = { properties: { a: { anyOf: Array.from({ length: 50 }, () => branch) } } };
    const items = Array.from({ length: 10_000 }, () => "x");
    expect(problems(schema, { a: items }).length).toBeLessThanOrEqual(100);
  });

  test.each([600, 100_000])("nested %i deep end a recursive schema early", (depth) => {
    const schema = { properties: { a: { $ref: "#" } }, type: "object" };
    const values = JSON.parse(nested(depth, '{"a":', "}")) as unknown;
    expect(problems(schema, values)).toEqual([expect.stringMatching(/nested too deeply$/)]);
  });

  test("nested deep are survived where they are compared", () => {
    const values = JSON.parse(`{"a":${nested(100_000, "[", "]")}}`) as unknown;
    expect(problems({ properties: { a: { const: [1] } } }, values)).toHaveLength(1);
  });
});
