import { type TSchema, Type } from "typebox";
import { expect, test } from "vitest";
import type { JsonSchema } from "./json-schema.ts";
import { type CompiledSchema, compileRouteSchema } from "./schema-compiler.ts";

const compile = (schema: TSchema): CompiledSchema =>
  compileRouteSchema(schema as unknown as JsonSchema);

const Number5 = Type.Number({ $id: "Compiled5", maximum: 5 });
const Text5 = Type.String({ $id: "Compiled5", maxLength: 5 });

test("a schema is compiled once, whoever asks", () => {
  const schema = Type.Object({ a: Number5 });
  expect(compile(schema)).toBe(compile(schema));
});

test("two that mean different things by one id are kept apart", () => {
  const numbers = compile(Type.Object({ a: Number5 }));
  const texts = compile(Type.Object({ a: Text5 }));
  const more = compile(Type.Array(Number5));
  expect([numbers.accepts({ a: 5 }), numbers.accepts({ a: "five" })]).toEqual([true, false]);
  expect([texts.accepts({ a: 5 }), texts.accepts({ a: "five" })]).toEqual([false, true]);
  expect([more.accepts([5]), more.accepts(["five"])]).toEqual([true, false]);
  expect(texts.explain({ a: 5 })).toHaveLength(1);
});

test("a schema that refers to nothing does not spoil those that come after it", () => {
  const broken = Type.Object({
    a: Type.Array(Type.Ref("CompiledNowhere"), { $id: "CompiledHalf" }),
  });
  expect(() => compile(broken)).toThrow("CompiledNowhere");
  const Half = Type.Array(Type.Number(), { $id: "CompiledHalf" });
  expect(compile(Type.Object({ a: Half })).accepts({ a: [1] })).toBe(true);
});

test("what is given under another name is moved to the one that the server knows, once it is checked", () => {
  const when = Type.Unsafe<string>({ type: ["string", "null"], lax: "date-time" });
  const range = compile(
    Type.Object(
      { after_: Type.Optional(when), since_: Type.Optional(when) },
      { additionalProperties: false, synonyms: { since_: "after_" } },
    ),
  );
  const moved = { since_: "2026-01-01" };
  expect([range.accepts(moved), moved]).toEqual([true, { after_: "2026-01-01T00:00:00.000000Z" }]);
  const nothing = { since_: null, after_: "2026-01-01T00:00:00.000000Z" };
  expect([range.accepts(nothing), nothing]).toEqual([
    true,
    { after_: "2026-01-01T00:00:00.000000Z" },
  ]);
  expect(range.explain({ since_: "soon" })).toMatchObject([{ instancePath: "/since_" }]);
  expect(range.accepts({ since_: "2026-01-01", after_: "2026-01-02" })).toBe(false);
});
