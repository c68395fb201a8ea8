import { writeJson } from "@orchestrator/exact-json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../testing/rounds.ts";
import { InvalidRequestError } from "./invalid-request.ts";
import { parseStrictJson as parseBytes, type StrictJsonOptions } from "./strict-json.ts";

/**
 * Work that grows with the square of a megabyte takes minutes; a busy machine takes less than this.
 */
const SLOW_MACHINE_MS = 10_000;

const STRICT = { maxDepth: 64, stripNul: false };

function parseStrictJson(text: string, options: StrictJsonOptions): unknown {
  return parseBytes(Buffer.from(text), options);
}

function refusal(text: string, options = STRICT): InvalidRequestError["problems"][number] {
  try {
    parseStrictJson(text, options);
  } catch (error) {
    if (error instanceof InvalidRequestError && error.problems[0] !== undefined) {
      return error.problems[0];
    }
    throw error;
  }
  throw new Error(`accepted: ${text.slice(0, 100)}`);
}

describe("parseStrictJson", () => {
  test("keeps any JSON value that holds nothing forbidden", () => {
    const value = fc.jsonValue({ depthSize: "medium", stringUnit: "grapheme" }).filter((json) => {
      return !/__proto__|\\u0000|"constructor"/.test(JSON.stringify(json));
    });
    fc.assert(
      fc.property(value, fc.boolean(), (json, escapes) => {
        const plain = JSON.stringify(json);
        const text = escapes ? plain.replace(/[:\u0080-\uffff]/g, escapeOutsideSyntax) : plain;
        const kept = writeJson(parseStrictJson(text, STRICT));
        expect(JSON.parse(kept)).toEqual(JSON.parse(text));
      }),
      { numRuns: rounds(200, 1000) },
    );
  });

  test.each([
    ["9007199254740993", 9007199254740993n],
    ["-12345678901234567890", -12345678901234567890n],
    ["[1234567890123456789012345, 9007199254740991]", [1234567890123456789012345n, 2 ** 53 - 1]],
    [
      '{"a":12345678901234567890,"b":-0.30000000000000004}',
      { a: 12345678901234567890n, b: -0.30000000000000004 },
    ],
    [
      '{"a":"12345678901234567890 \\" 1","b":-0.5,"c":1e300,"d":9007199254740993}',
      { a: '12345678901234567890 " 1', b: -0.5, c: 1e300, d: 9007199254740993n },
    ],
  ])("keeps every digit of the long whole numbers in %s", (text, expected) => {
    expect(parseStrictJson(text, STRICT)).toEqual(expected);
  });

  test.each([
    ['{"x":1.0}', '{"x":1.0}'],
    ["[1e5,2E5,30e-1,0.0,-0.0]", "[100000.0,200000.0,3.0,0.0,-0.0]"],
    ["[9007199254740994.5,1e16]", "[9007199254740994.0,1e+16]"],
    ['{"constructor":{"p":1e-1234567890123456}}', '{"constructor":{"p":0.0}}'],
    ['{"a":{"constructor":[1.0,"\\u0041"]},"b":12345678901234567890}', null],
  ])("keeps whole numbers that are written as floats in %s", (text, rewritten) => {
    const expected = rewritten ?? text.replace("\\u0041", "A");
    expect(writeJson(parseStrictJson(text, STRICT))).toBe(expected);
  });

  test.each([
    "9007199254740991",
    "1e300",
    "-1.5e21",
    "1.2345678901234567e30",
    "0.1",
    '"9007199254740993"',
  ])("keeps %s", (text) => {
    expect(parseStrictJson(text, STRICT)).toBe(JSON.parse(text));
  });

  test.each([
    ['{"a":1,"a":2}', 'Duplicate key "a"', 7],
    ['{"x":[{"b":{},"c":"::","b":null}]}', 'Duplicate key "b"', 23],
    ['{"a":1,"\\u0061":2}', 'Duplicate key "a"', 7],
    ['{"a:":1,"\\u0061\\u003a":2}', 'Duplicate key "a:"', 8],
    ['{"a":"\\u003A","b":1,"b":2}', 'Duplicate key "b"', 20],
  ])("refuses the duplicate key in %s", (text, error, position) => {
    expect(refusal(text)).toMatchObject({
      type: "json_invalid",
      loc: ["body", position],
      ctx: { error },
    });
  });

  test.each([
    ['{"__proto__":{"x":1}}', ["body", "__proto__"]],
    ['{"a":[{"__pr\\u006fto__":1}]}', ["body", "a", 0, "__proto__"]],
    ['{"constructor":{"prototype":{}}}', ["body", "constructor"]],
  ])("refuses the key in %s that reaches for a prototype", (text, loc) => {
    expect(refusal(text)).toMatchObject({ type: "value_error", loc });
  });

  test("accepts a key named constructor that holds plain data", () => {
    expect(parseStrictJson('{"constructor":"brick","note":"__proto__"}', STRICT)).toEqual({
      constructor: "brick",
      note: "__proto__",
    });
  });

  test.each([
    ['{"a":"x\\u0000y"}', ["body", "a"]],
    ['{"a\\u0000":1}', ["body", "a"]],
    ['["\\u0000"]', ["body", 0]],
  ])("refuses the NUL character in %s and names its place", (text, loc) => {
    expect(refusal(text)).toMatchObject({ type: "value_error", loc });
  });

  test("drops NUL characters where it is told to", () => {
    const text = '{"a\\u0000":["x\\u0000y",{"b":"\\u0000"}],"c":"\\\\u0000"}';
    expect(parseStrictJson(text, { maxDepth: 64, stripNul: true })).toEqual({
      a: ["xy", { b: "" }],
      c: "\\u0000",
    });
  });

  test.each(['"\\ud800"', '{"a":["\\udfff"]}', '{"\\ud83d":1}'])(
    "refuses the lone surrogate in %s",
    (text) => {
      expect(refusal(text)).toMatchObject({ type: "string_unicode" });
    },
  );

  test.each(["1e999", "[-1e400]", `{"a":${"9".repeat(4301)}}`])(
    "refuses a number that overflows, and says how long one may be",
    (text) => {
      expect(refusal(text)).toMatchObject({
        type: "finite_number",
        msg: "Input should be a finite number, if whole of at most 4300 digits",
      });
    },
  );

  test("accepts nesting up to the limit and refuses one level more", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseStrictJson(nested(64), STRICT)).not.toThrow();
    expect(refusal(nested(65))).toMatchObject({ ctx: { error: "Nested deeper than 64 levels" } });
  });

  test.each([
    ["arrays", "[".repeat(524_288) + "]".repeat(524_288)],
    ["arrays never closed", "[".repeat(1_048_576)],
    ["objects", '{"a":'.repeat(200_000)],
    ["arrays behind brackets in strings", '["]]]]",'.repeat(120_000)],
  ])("refuses a megabyte of nested %s soon", (_name, text) => {
    const started = performance.now();
    expect(refusal(text)).toMatchObject({ type: "json_invalid" });
    expect(performance.now() - started).toBeLessThan(SLOW_MACHINE_MS);
  });

  test.each([
    ["", 0, "Expecting value"],
    ["{", 1, "Expecting property name enclosed in double quotes"],
    ['{"a" 1}', 5, "Expecting ':' delimiter"],
    ['{"a":1 "b":2}', 7, "Expecting ',' delimiter"],
    ["[1,]", 3, "Expecting value"],
    ["[1] x", 4, "Extra data"],
    ['"abc', 0, "Unterminated string"],
    ['"a\\x"', 2, "Invalid \\escape"],
    ['"a\nb"', 2, "Invalid control character"],
    ["NaN", 0, "Expecting value"],
    ["01", 1, "Extra data"],
  ])("names position and fault of the malformed text %j", (text, position, error) => {
    expect(refusal(text)).toEqual({
      type: "json_invalid",
      loc: ["body", position],
      msg: "JSON decode error",
      input: {},
      ctx: { error },
    });
  });
});

describe("members whose names look like indexes", () => {
  test.each([
    '{"foo":1,"1":2}',
    '{"b":{"x":null,"0":[]},"a":[{"y":1,"10":2,"9":3}]}',
    '{"foo":1.0,"1":12345678901234567890,"0":2e+22}',
    '{"foo":"{\\"x\\":0,\\"1\\":2}","1":"\\""}',
    '{"4294967295":1,"4294967294":2,"01":3,"-1":4,"1.5":5,"":6}',
    '{"1":1,"2":2,"a":3}',
    '{"a":"1","b":"2:"}',
  ])("of %s keep their places", (text) => {
    expect(writeJson(parseStrictJson(text, STRICT))).toBe(text);
  });

  test("keep their places after blanks before the colon and where NUL characters are removed", () => {
    const spaced = '{ "foo" : 1, "1" : 2, "2"\n:\t3 }';
    expect(writeJson(parseStrictJson(spaced, STRICT))).toBe('{"foo":1,"1":2,"2":3}');
    const nul = parseStrictJson('{"foo":"a\\u0000b","1":2}', { ...STRICT, stripNul: true });
    expect(writeJson(nul)).toBe('{"foo":"ab","1":2}');
  });
});

/** Writes a character as an escape, but never the colons and quotes that are syntax. */
function escapeOutsideSyntax(character: string, offset: number, text: string): string {
  const isSyntax = character === ":" && text[offset - 1] === '"';
  return isSyntax ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
