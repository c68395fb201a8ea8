import { describe, expect, test } from "vitest";
import type { ValidationOptions } from "./json-schema.ts";
import { checkSchema, validateValues } from "./testing/validator.ts";
import { sentences } from "./value-problem.ts";

type Schema = Readonly<Record<string, unknown>>;

function problems(schema: Schema, values: unknown, options: ValidationOptions = {}): string[] {
  const validation = validateValues(schema, values, options);
  expect(validation.schemaProblem).toBeNull();
  return sentences(validation.problems);
}

/** Whole, and altered by a number. */
const LONG = 1763110800123456789n;

/** A schema with one required member. */
function member(schema: unknown, more: Schema = {}): Schema {
  return { type: "object", properties: { a: schema }, required: ["a"], ...more };
}

describe("validateValues", () => {
  test.each<[schema: unknown, value: unknown, problem: string]>([
    [{ type: "integer" }, "x", "must be integer"],
    [{ type: "integer" }, 1.5, "must be integer"],
    [{ type: ["string", "null"] }, 1, "must be string or null"],
    [{ type: "object" }, [], "must be object"],
    [{ enum: ["a", 1, { b: [] }] }, "c", 'must be one of "a", 1, {"b":[]}'],
    [{ const: 5 }, 6, "must be 5"],
    [{ minimum: 5 }, 4, "must be at least 5"],
    [{ maximum: 5 }, 6, "must be at most 5"],
    [{ exclusiveMinimum: 5 }, 5, "must be more than 5"],
    [{ exclusiveMaximum: 5 }, 5, "must be less than 5"],
    [{ multipleOf: 0.1 }, 0.25, "must be a multiple of 0.1"],
    [{ minLength: 2 }, "🚀", "must have at least 2 characters"],
    [{ maxLength: 1 }, "ab", "must have at most 1 character"],
    [{ pattern: "^a+$" }, "b", 'must match the pattern "^a+$"'],
    [{ minItems: 1 }, [], "must have at least 1 item"],
    [{ maxItems: 1 }, [1, 2], "must have at most 1 item"],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "must not hold the same item twice",
    ],
    [{ minProperties: 1 }, {}, "must have at least 1 member"],
    [{ maxProperties: 0 }, { b: 1 }, "must have at most 0 members"],
    [{ contains: { type: "string" } }, [1], "must contain at least 1 items of the wanted kind"],
    [{ not: { type: "string" } }, "x", "must not have this form"],
    [false, 1, "is not allowed"],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "x", "must be integer or null"],
    [{ oneOf: [{ type: "integer" }, { type: "number" }] }, 1, "fits more than one of the forms"],
    [{ anyOf: [{ type: "null" }, { type: "string", maxLength: 1 }] }, "ab", "at most 1 character"],
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of the schema language
    [{ if: { type: "string" }, then: { minLength: 1 }, else: false }, "", "at least 1 character"],
  ])("refuses by %j the value %j", (schema, value, problem) => {
    const found = problems(member(schema), { a: value });
    expect(found).toEqual([expect.stringContaining(problem)]);
    expect(found[0]).toMatch(/^parameters\.a: /);
  });

  test.each<[schema: unknown, value: unknown]>([
    [{ type: "integer" }, 1.0],
    [{ multipleOf: 0.0001 }, 0.0075],
    [{ maxLength: 1 }, "🚀"],
    [{ enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 }],
    [{ format: "uuid" }, "not one"],
    [{ unknown: "keyword", type: "string" }, "x"],
    [{ pattern: "^\\d+$" }, "12"],
    [{ pattern: "a-\\_b" }, "a-_b"],
    [{ pattern: "\\A(?P<year>\\d{4})\\Z" }, "2026"],
    [{ pattern: "(?i)^abc$" }, "ABC"],
    [{ properties: { toString: { type: "string" } } }, {}],
    [true, null],
  ])("accepts by %j the value %j", (schema, value) => {
    expect(problems(member(schema), { a: value })).toEqual([]);
  });

  test.each<[schema: unknown, value: unknown, problem: string]>([
    [{ type: "string" }, LONG, "must be string"],
    [{ enum: [LONG, 1] }, LONG + 1n, `must be one of ${LONG}, 1`],
    [{ const: LONG }, LONG - 1n, `must be ${LONG}`],
    [{ minimum: LONG }, LONG - 1n, `must be at least ${LONG}`],
    [{ maximum: 5 }, LONG, "must be at most 5"],
    [{ exclusiveMaximum: LONG }, LONG, `must be less than ${LONG}`],
    [{ multipleOf: 2 }, LONG, "must be a multiple of 2"],
    [{ multipleOf: 2 }, 2 ** 53 - 1, "must be a multiple of 2"],
    [{ multipleOf: LONG }, LONG + 1n, `must be a multiple of ${LONG}`],
    [{ multipleOf: 0.7 }, LONG, "must be a multiple of 0.7"],
    [{ multipleOf: LONG }, 0.5, `must be a multiple of ${LONG}`],
    [{ uniqueItems: true }, [1e21, 10n ** 21n], "must not hold the same item twice"],
  ])("compares every digit: refuses by %o the value %o", (schema, value, problem) => {
    expect(problems(member(schema), { a: value })).toEqual([`parameters.a: ${problem}`]);
  });

  test.each<[schema: unknown, value: unknown]>([
    [{ type: "integer" }, LONG],
    [{ type: "number" }, -LONG],
    [{ enum: [LONG] }, LONG],
    [{ enum: [1e18, 1e21] }, 10n ** 18n],
    [{ const: 10n ** 21n }, 1e21],
    [{ minimum: LONG, maximum: LONG, multipleOf: LONG }, LONG],
    [{ exclusiveMinimum: 9007199254740992n }, 9007199254740993n],
    [{ multipleOf: 0.25 }, LONG],
    [{ multipleOf: 1e-7 }, LONG],
    [{ maxLength: LONG, maxItems: LONG }, "x"],
    [{ contains: true, maxContains: LONG }, [1]],
  ])("compares every digit: accepts by %o the value %o", (schema, value) => {
    expect(problems(member(schema), { a: value })).toEqual([]);
  });

  test("names every problem with its place", () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        servers: {
          type: "array",
          items: { type: "object", properties: { port: { type: "integer" } }, required: ["port"] },
        },
        "odd name": { type: "integer" },
      },
      required: ["name"],
      additionalProperties: false,
    };
    const values = { servers: [{ port: 1 }, {}, { port: "x" }], "odd name": "", extra: 1 };
    expect(problems(schema, values)).toEqual([
      "parameters.servers[1].port: is required",
      "parameters.servers[2].port: must be integer",
      'parameters["odd name"]: must be integer',
      "parameters.name: is required",
      "parameters.extra: is not an expected name",
    ]);
  });

  test("tells of a union only what is wrong with the branch that was meant", () => {
    const cat = member(
      { const: "cat" },
      { properties: { a: { const: "cat" }, lives: { type: "integer" } } },
    );
    const dog = member(
      { const: "dog" },
      { properties: { a: { const: "dog" }, tricks: { type: "array" } } },
    );
    const schema = member(
      { anyOf: [{ $ref: "#/$defs/cat" }, { $ref: "#/$defs/dog" }] },
      { $defs: { cat, dog } },
    );
    expect(problems(schema, { a: { a: "dog", tricks: 1 } })).toEqual([
      "parameters.a.tricks: must be array",
    ]);
  });

  test("takes null for what may be left out and has no default", () => {
    const schema = {
      properties: {
        a: { type: "integer" },
        b: { type: "integer", default: 1 },
        c: { type: "integer" },
        d: { type: "integer", default: 1 },
      },
      required: ["c", "d"],
    };
    const values = { a: null, b: null, c: null, d: null };
    const required = ["parameters.c: must be integer", "parameters.d: must be integer"];
    expect(problems(schema, values)).toEqual(["parameters.b: must be integer", ...required]);
    expect(problems(schema, values, { allowNullWithDefault: true })).toEqual(required);
  });

  test("takes null for optional members of definitions as well", () => {
    const schema = member(
      { $ref: "#/definitions/M" },
      { definitions: { M: { properties: { x: { type: "string" } } } } },
    );
    expect(problems(schema, { a: { x: null } })).toEqual([]);
  });

  test("does not miss required values when asked not to", () => {
    const schema = member({ type: "object", required: ["deep"] });
    expect(problems(schema, {}, { ignoreRequired: true })).toEqual([]);
    expect(problems(schema, { a: {} }, { ignoreRequired: true })).toEqual([]);
    expect(problems(schema, { a: 1 }, { ignoreRequired: true })).toEqual([
      "parameters.a: must be object",
    ]);
  });

  test("reads a list of schemas under items as the schemas of the first items", () => {
    const schema = member({
      items: [{ type: "string" }, { type: "integer" }],
      additionalItems: false,
    });
    expect(problems(schema, { a: ["x", 1] })).toEqual([]);
    expect(problems(schema, { a: [1, "x", 3] })).toEqual([
      "parameters.a[0]: must be string",
      "parameters.a[1]: must be integer",
      "parameters.a[2]: is not allowed",
    ]);
  });

  test.each([
    { $ref: "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55" },
    { $ref: { block_document_id: "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55" } },
    { token: "t" },
  ])("takes for a block its data or a reference: %j", (value) => {
    expect(problems(BLOCK, { a: value })).toEqual([]);
  });

  test.each([{ $ref: "x" }, { $ref: {} }, { $ref: { a: 1 } }, {}])(
    "refuses %j for a block",
    (value) => {
      expect(problems(BLOCK, { a: value })).toEqual(["parameters.a.token: is required"]);
    },
  );

  const BLOCK = member(
    { $ref: "#/definitions/Secret" },
    {
      definitions: {
        Secret: {
          title: "Secret",
          block_type_slug: "secret",
          properties: { token: { type: "string" } },
          required: ["token"],
        },
      },
    },
  );

  test("follows a schema that refers to itself for what is inside", () => {
    const schema = {
      properties: { value: { type: "integer" }, next: { $ref: "#" } },
      required: ["value"],
    };
    expect(problems(schema, { value: 1, next: { value: 2, next: { value: "x" } } })).toEqual([
      "parameters.next.next.value: must be integer",
    ]);
  });

  test.each([
    [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }],
    [{ $ref: "#text", $defs: { a: { $anchor: "text", type: "string" } } }],
    [
      {
        $id: "https://x.test/s",
        $ref: "https://x.test/s#/$defs/a~1b",
        $defs: { "a/b": { type: "string" } },
      },
    ],
    [
      {
        $ref: "#/components/schemas/a%20b",
        components: { schemas: { "a b": { type: "string" } } },
      },
    ],
    [{ allOf: [{ type: "string" }, { $ref: "#/allOf/0" }] }],
  ])("finds what %j refers to", (schema) => {
    expect(problems(schema, 1)[0]).toBe("parameters: must be string");
    expect(problems(schema, "x")).toEqual([]);
  });

  test.each<[schema: Schema, value: unknown, problems: string[]]>([
    [{ properties: { a: true }, unevaluatedProperties: false }, { a: 1, b: 2 }, ["b"]],
    [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1, b: 2 }, ["b"]],
    [
      {
        anyOf: [{ properties: { a: true } }, { required: ["b"], properties: { b: true } }],
        unevaluatedProperties: false,
      },
      { a: 1, b: 2 },
      [],
    ],
    [{ not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1 }, ["a"]],
    [{ if: { properties: { a: { const: 1 } } }, unevaluatedProperties: false }, { a: 2 }, ["a"]],
    [
      { properties: { a: { properties: { b: true } } }, unevaluatedProperties: false },
      { b: 1 },
      ["b"],
    ],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], ["[1]"]],
    [{ contains: { const: 2 }, unevaluatedItems: false }, [1, 2], ["[0]"]],
    [{ if: true, else: { items: true }, unevaluatedItems: false }, [1], ["[0]"]],
    [{ $ref: "#/$defs/a", $defs: { a: { items: true } }, unevaluatedItems: false }, [1], []],
  ])("judges by %j in %j only what nothing else has judged", (schema, value, places) => {
    const found = validateValues(schema, value).problems;
    expect(sentences(found, "").map((text) => text.split(":")[0])).toEqual(places);
  });

  test("takes a schema as text", () => {
    expect(validateValues('{"type":"object"}', 1).problems).toEqual([
      { path: [], message: "must be object" },
    ]);
  });
});

describe("checkSchema", () => {
  test.each<[schema: Schema, problem: string]>([
    [{ type: "int" }, 'type: "int" is none of null, boolean'],
    [{ properties: { a: { type: "int" } } }, "properties.a.type: "],
    [{ properties: { a: 5 } }, "properties.a: must be an object, true or false"],
    [{ properties: [] }, "properties: must be an object"],
    [{ required: "a" }, "required: must be a list of names"],
    [{ minLength: -1 }, "minLength: must be a whole number, 0 or more"],
    [{ multipleOf: 0 }, "multipleOf: must be more than 0"],
    [{ maximum: "5" }, "maximum: must be a number"],
    [{ enum: "a" }, "enum: must be a list"],
    [{ anyOf: [] }, "anyOf: must be a list of one schema or more"],
    [{ pattern: "(" }, "pattern: the pattern is not a valid regular expression"],
    [{ patternProperties: { "(": {} } }, 'patternProperties["("]: the pattern'],
    [{ $ref: 5 }, "must be a text"],
  ])("says what is wrong with %j", (schema, problem) => {
    const found = checkSchema(schema);
    expect(found?.message).toContain(problem);
    expect(found?.isCircular).toBe(false);
    expect(validateValues(schema, {})).toMatchObject({ schemaProblem: found, problems: [] });
  });

  test.each<[Schema]>([
    [{ $ref: "#" }],
    [{ $ref: "#/definitions/a", definitions: { a: { $ref: "#/definitions/a" } } }],
    [
      {
        properties: { x: { $ref: "#/$defs/a" } },
        $defs: {
          a: { anyOf: [{ $ref: "#/$defs/b" }] },
          b: { allOf: [{ not: { $ref: "#/$defs/a" } }] },
        },
      },
    ],
    [{ if: false, else: { $ref: "#" } }],
  ])("tells that %j goes in a circle", (schema) => {
    expect(checkSchema(schema)?.isCircular).toBe(true);
  });

  test.each([
    ["#/definitions/none", 'there is nothing at "#/definitions/none"'],
    ["https://elsewhere.test/schema.json", "is in another document, which is not read"],
  ])("says that %s leads nowhere when a value is there", ($ref, problem) => {
    const schema = { properties: { a: { not: { $ref } }, b: { type: "integer" } } };
    expect(checkSchema(schema)).toBe(null);
    expect(validateValues(schema, { b: 1 })).toMatchObject({
      schemaProblem: null,
      problems: [],
    });
    expect(validateValues(schema, { a: 1 }).schemaProblem?.message).toContain(problem);
  });

  test.each<[unknown]>([["{"], ["5"], ["null"], ["[]"]])("refuses the text %j", (text) => {
    expect(checkSchema(text as string)?.message).toBe("must be an object, true or false");
  });

  test("accepts schemas of any draft as long as they can be read", () => {
    expect(
      checkSchema({ $schema: "http://json-schema.org/draft-07/schema#", type: "object" }),
    ).toBeNull();
    expect(checkSchema({})).toBeNull();
  });
});
