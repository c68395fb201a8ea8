import { floatOf } from "@orchestrator/exact-json";
import { describe, expect, test } from "vitest";
import { type ProblemWords, validateParameters } from "./json-schema.ts";

type Schema = Readonly<Record<string, unknown>>;

function refusal(schema: Schema, values: unknown, words: ProblemWords = "client"): string | null {
  const validation = validateParameters(schema, values, { words });
  expect(validation.schemaProblem).toBeNull();
  return validation.refusal;
}

const needs = (schema: unknown): Schema => ({
  type: "object",
  properties: { x: schema },
  required: ["x"],
});

describe("in the words of the established client", () => {
  test.each<[schema: unknown, value: unknown, reason: string]>([
    [{ type: "string" }, 1, "1 is not of type 'string'"],
    [{ type: ["integer", "boolean"] }, "a", "'a' is not of type 'integer', 'boolean'"],
    [{ type: "integer" }, null, "None is not of type 'integer'"],
    [{ enum: ["a", "b"] }, "c", "'c' is not one of ['a', 'b']"],
    [{ const: "a" }, true, "'a' was expected"],
    [{ pattern: "^a+$" }, "c", "'c' does not match '^a+$'"],
    [{ minLength: 1 }, "", "'' should be non-empty"],
    [{ minLength: 2 }, "c", "'c' is too short"],
    [{ maxLength: 2 }, "it's", '"it\'s" is too long'],
    [{ maxItems: 0 }, [1, null], "[1, None] is expected to be empty"],
    [{ minimum: 3 }, 1, "1 is less than the minimum of 3"],
    [{ maximum: floatOf(3) }, 4.5, "4.5 is greater than the maximum of 3.0"],
    [{ exclusiveMinimum: 3 }, 3, "3 is less than or equal to the minimum of 3"],
    [{ exclusiveMaximum: 3 }, 3, "3 is greater than or equal to the maximum of 3"],
    [{ multipleOf: 2 }, 3, "3 is not a multiple of 2"],
    [{ uniqueItems: true }, [1, 1], "[1, 1] has non-unique elements"],
    [{ minProperties: 2 }, { a: 1 }, "{'a': 1} does not have enough properties"],
    [{ not: { type: "string" } }, "a", "'a' should not be valid under {'type': 'string'}"],
    [{ contains: { type: "string" } }, [1], "[1] does not contain items matching the given schema"],
    [{ items: false }, [1, 2], "Expected at most 0 items but found 2 extra: [1, 2]"],
    [false, 1, "False schema does not allow 1"],
    [
      { properties: { a: {} }, additionalProperties: false },
      { b: 1, c: 2 },
      "Additional properties are not allowed ('b', 'c' were unexpected)",
    ],
    [
      { patternProperties: { "^a": {} }, additionalProperties: false },
      { b: 1 },
      "'b' does not match any of the regexes: '^a'",
    ],
    [{ required: ["a"] }, {}, "'a' is a required property"],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, "'b' is a dependency of 'a'"],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, "'ab' is too long"],
    [
      { anyOf: [{ type: "integer" }, { type: "null" }] },
      "a",
      "'a' is not valid under any of the given schemas",
    ],
    [
      { anyOf: [{ type: "integer", minimum: 4 }, { type: "null" }] },
      2,
      "2 is less than the minimum of 4",
    ],
    [
      { oneOf: [{ type: "integer" }, { type: "number" }] },
      2,
      "2 is valid under more than one of the given schemas",
    ],
  ])("names the field that %j refuses, and why it refuses %j", (schema, value, reason) => {
    expect(refusal(needs(schema), { x: value })).toBe(
      `Validation failed for field 'x'. Failure reason: ${reason}`,
    );
  });

  test("names no field where a parameter is missing", () => {
    const schema = needs({ type: "string" });
    expect(refusal(schema, {})).toBe(
      "Validation failed. Failure reason: 'x' is a required property",
    );
  });

  test("leads to fields within lists and objects, whatever their names", () => {
    const within = (name: string) =>
      needs({ items: { properties: { [name]: { items: { type: "string" } } }, required: [name] } });
    expect(refusal(within("b"), { x: [{ b: ["a", 2] }] })).toContain("for field 'x[0].b[1]'.");
    expect(refusal(within("it's"), { x: [{ "it's": [2] }] })).toContain(
      `for field "x[0]['it\\\\'s'][0]".`,
    );
  });

  test("names the outermost problem, and of several as deep the last by its name", () => {
    const number = { type: "integer" };
    const inner = { type: "object", properties: { b: number }, required: ["b"] };
    const schema = { properties: { a: inner, c: number, d: number }, required: ["a", "c", "d"] };
    expect(refusal(schema, { a: { b: "x" }, c: "y", d: "z" })).toContain("field 'd'");
    expect(refusal(schema, { a: { b: "x" }, c: 1, d: 2 })).toContain("field 'a.b'");
  });

  test("says of a parameter that may be left out that it fits neither its type nor null, but not to a new deployment", () => {
    const schema = { properties: { x: { type: "string" } } };
    expect(refusal(schema, { x: 1 })).toContain("1 is not valid under any of the given schemas");
    expect(refusal(schema, { x: 1 }, "client-of-deployment")).toContain("is not of type 'string'");
  });

  test("says why the branch of a union that comes closest does not fit", () => {
    const one = (name: string) => ({
      properties: { [name]: { type: "integer" } },
      required: [name],
    });
    const schema = needs({ anyOf: [one("a"), one("b")] });
    expect(refusal(schema, { x: { a: "q" } })).toBe(
      "Validation failed for field 'x.a'. Failure reason: 'q' is not of type 'integer'",
    );
  });

  test("shows values as Python does, and long ones in part", () => {
    const value = { a: null, b: [true, floatOf(1), 1e20, -0.5], c: 12345678901234567890n };
    expect(refusal(needs({ type: "integer" }), { x: value })).toContain(
      "{'a': None, 'b': [True, 1.0, 100000000000000000000, -0.5], 'c': 12345678901234567890} is not",
    );
    const long = refusal(needs({ type: "integer" }), { x: ["a".repeat(5000)] });
    expect(long?.length).toBeLessThan(1200);
  });

  test("tells each problem of a form beside its field, what is too much in one sentence", () => {
    const schema = { ...needs({ type: "string" }), additionalProperties: false };
    const { problems } = validateParameters(schema, { y: 1, z: 2 }, { words: "client" });
    expect(problems).toEqual([
      { path: ["x"], message: "'x' is a required property" },
      {
        path: [],
        message: "Additional properties are not allowed ('y', 'z' were unexpected)",
      },
    ]);
  });

  test("has no refusal where values fit", () => {
    expect(refusal(needs({ type: "string" }), { x: "a" })).toBeNull();
  });
});
