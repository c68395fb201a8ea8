import { type Static, Type } from "typebox";
import { describe, expect, expectTypeOf, test } from "vitest";
import { JsonObject, JsonValue } from "./json-value.ts";
import { Model, NamedParameters, TaggedUnion } from "./models.ts";
import { Identifier, Name, Slug } from "./names.ts";
import { Nullable } from "./nullable.ts";
import { Limit, Offset, Page } from "./paging.ts";
import { Flag, Int, Num, Seconds, StringEnum, Timestamp, Uuid } from "./scalars.ts";

/** What travels to the server's validator and into documents: plain JSON. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}

describe("scalars", () => {
  test.each([
    [Uuid(), { type: "string", format: "uuid", lax: "uuid" }],
    [Timestamp(), { type: "string", format: "date-time", lax: "date-time" }],
    [Seconds({ minimum: 0 }), { type: "number", lax: "duration", minimum: 0 }],
    [Int({ maximum: 5 }), { type: "integer", lax: "integer", maximum: 5 }],
    [Num(), { type: "number", lax: "number" }],
    [Flag({ default: false }), { type: "boolean", lax: "boolean", default: false }],
    [StringEnum(["UP", "DOWN"]), { type: "string", enum: ["UP", "DOWN"] }],
    [JsonValue(), {}],
    [JsonObject(), { type: "object" }],
  ])("are plain JSON schema beside the word the server reads", (schema, expected) => {
    expect(plain(schema)).toEqual(expected);
  });
});

describe("Nullable", () => {
  test("adds null as a second type", () => {
    expect(plain(Nullable(Uuid()))).toEqual({
      type: ["string", "null"],
      format: "uuid",
      lax: "uuid",
    });
    expect(plain(Nullable(Type.Array(Uuid())))).toMatchObject({ type: ["array", "null"] });
  });

  test("lets an enum hold null", () => {
    expect(plain(Nullable(StringEnum(["A"])))).toEqual({
      type: ["string", "null"],
      enum: ["A", null],
    });
  });

  test("leaves a schema with a name whole", () => {
    const Thing = Model({ id: Uuid() }, { $id: "Thing" });
    expect(plain(Nullable(Thing))).toEqual({ anyOf: [plain(Thing), { type: "null" }] });
  });
});

describe("models", () => {
  test("refuse unknown keys; named parameters ignore them and treat null as absent", () => {
    expect(plain(Model({ a: Int() }))).toMatchObject({
      additionalProperties: false,
      required: ["a"],
    });
    expect(plain(NamedParameters({ a: Int() }))).toMatchObject({ nullAsAbsent: true });
    expect(plain(NamedParameters({ a: Int() }))).not.toHaveProperty("additionalProperties");
  });

  test("of a tagged union are told apart by their tag", () => {
    const union = TaggedUnion("type", [
      Model({ type: Type.Literal("event"), after: Num() }),
      Model({ type: Type.Literal("compound") }),
    ]);
    expect(plain(union)).toMatchObject({
      discriminator: { propertyName: "type" },
      oneOf: [
        { properties: { type: { const: "event" } } },
        { properties: { type: { const: "compound" } } },
      ],
    });
    expectTypeOf<Static<typeof union>>().toEqualTypeOf<
      { type: "event"; after: number } | { type: "compound" }
    >();
  });
});

test("paging has defaults and bounds, and the sentence clients know", () => {
  expect(plain(Limit())).toMatchObject({
    minimum: 0,
    maximum: 200,
    default: 200,
    detailPrefix: "Invalid limit: must be",
  });
  expect(plain(Limit(1000, 100))).toMatchObject({ maximum: 1000, default: 100 });
  expect(plain(Offset())).toMatchObject({ minimum: 0, default: 0 });
  expect(plain(Page())).toMatchObject({ minimum: 1, default: 1 });
});

test.each([
  [Name(), ["a b", "日本", "x-1"], ["", "a/b", "50%", "a&b", "<a", "b>"]],
  [Slug(), ["a-1", ""], ["A", "a_b", "a b"]],
  [Identifier(), ["a_1-b"], ["A", "a.b"]],
])("name patterns take and refuse the right texts", (schema, good, bad) => {
  const pattern = new RegExp((plain(schema) as { pattern: string }).pattern, "u");
  expect(good.filter((text) => !pattern.test(text))).toEqual([]);
  expect(bad.filter((text) => pattern.test(text))).toEqual([]);
});

test("types follow the schemas", () => {
  const Create = Model({
    id: Type.Optional(Uuid()),
    due: Nullable(Timestamp()),
    state: StringEnum(["UP", "DOWN"]),
    every: Seconds(),
    limit: Limit(),
    on: Flag(),
    data: JsonValue(),
    parent: Nullable(Model({ id: Uuid() })),
  });
  expectTypeOf<Static<typeof Create>>().toEqualTypeOf<{
    id?: string;
    due: string | null;
    state: "UP" | "DOWN";
    every: number;
    limit: number;
    on: boolean;
    data: JsonValue;
    parent: { id: string } | null;
  }>();
});
