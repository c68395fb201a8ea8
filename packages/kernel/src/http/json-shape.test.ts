import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonShape, readJsonShape } from "./json-shape.ts";

function shapeOf(text: string, maxDepth: number): JsonShape {
  return readJsonShape(Buffer.from(text), maxDepth);
}

function keysOf(text: string, maxDepth: number): number {
  return shapeOf(text, maxDepth).keys;
}

describe("readJsonShape", () => {
  test("counts every key of a JSON text, duplicates included", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (json, space) => {
        let keys = 0;
        JSON.stringify(json, (_key, value: unknown) => {
          if (typeof value === "object" && value !== null && !Array.isArray(value)) {
            keys += Object.keys(value).length;
          }
          return value;
        });
        expect(keysOf(JSON.stringify(json, null, space), 1000)).toBe(keys);
      }),
    );
    expect(keysOf('{"a":1,"a" : ":::"}', 10)).toBe(2);
  });

  test("finds its way through long strings with quotes and backslashes", () => {
    const pieces = fc.array(fc.constantFrom('\\"', "\\\\", ":", "{", "x".repeat(70)), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(pieces, (text) => {
        expect(keysOf(`{"key":"${text.join("")}"}`, 1)).toBe(1);
      }),
    );
  });

  test("sees too deep nesting whatever stands in strings", () => {
    expect(shapeOf('["[[[[\\"[[[[", "\\\\"]', 2).isTooDeep).toBe(false);
    expect(shapeOf('["]]]\\"]]", [[]]]', 2).isTooDeep).toBe(true);
  });

  test("notices numbers that may be whole though written as floats", () => {
    for (const text of ["1.0", "[1.00 ]", "1e5", "[-2E+3]", '{"a":1.5e1}', "[0.0,1]"])
      expect([text, shapeOf(text, 2).hasFloat]).toEqual([text, true]);
    for (const text of ["1", "[0.05,1.5]", "[true,false]", '["1.0","1e5"]', '{"e":1,"1e":2}'])
      expect([text, shapeOf(text, 2).hasFloat]).toEqual([text, false]);
  });

  test("notices characters written as escapes, and only those", () => {
    expect(shapeOf('["\\u0041"]', 2).hasUnicodeEscape).toBe(true);
    expect(shapeOf('["\\\\u0041", "\\n", "u"]', 2).hasUnicodeEscape).toBe(false);
  });
});
