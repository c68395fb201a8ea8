import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../tests/support/rounds.ts";
import { NumberTooLarge, readJson, readWrittenJson, writeJson } from "./exact-json.ts";
import { floatOf, isFloat, withoutFraction } from "./float.ts";

const longInteger = fc
  .bigInt({ min: -(10n ** 60n), max: 10n ** 60n })
  .filter((value) => !Number.isSafeInteger(Number(value)));

const wholeFloat = fc
  .oneof(fc.maxSafeInteger(), fc.integer({ min: -99, max: 99 }), fc.constantFrom(1e16, -3e20, -0))
  .map(floatOf);

const confusing = fc.oneof(
  fc.string(),
  fc.constantFrom('"', "\\", '\\"', "12345678901234567890", '":12345678901234567890,"', "[1.0]"),
  fc.bigInt().map((value) => ` ${value}`),
);

const { value: anyValue } = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    longInteger,
    fc.maxSafeInteger(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, max: 2 ** 52, min: -(2 ** 52) })
      .filter((value) => !Number.isInteger(value)),
    wholeFloat,
    confusing,
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(
      confusing.filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 5 },
    ),
  ),
}));

/** Written by hand, as what is tested cannot be the measure. */
function written(value: unknown, space: string): string {
  if (typeof value === "bigint") return String(value);
  if (isFloat(value)) return floatText(value());
  if (Array.isArray(value))
    return `[${space}${value.map((item) => written(item, space)).join(`,${space}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${space}${written(member, space)}`,
  );
  return `{${space}${members.join(`,${space}`)}}`;
}

function floatText(number: number): string {
  if (Object.is(number, -0)) return "-0.0";
  return Math.abs(number) < 1e16 ? `${number}.0` : number.toExponential();
}

/** A minus zero is written as 0. */
const positiveZero = (value: unknown): unknown => (Object.is(value, -0) ? 0 : value);
const normal = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(normal);
  if (isFloat(value)) return { float: floatText(value()) };
  if (typeof value !== "object" || value === null) return positiveZero(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normal(member)]));
};

describe("readJson and writeJson", () => {
  test("keep any JSON with long whole numbers and whole floats, however it is spaced", () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom("", " ", "\n\t"), (value, space) => {
        expect(normal(readJson(written(value, space)))).toEqual(normal(value));
        expect(writeJson(value)).toBe(written(value, ""));
      }),
      { numRuns: rounds(400, 2000) },
    );
  });

  test.each([
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740992", -9007199254740992n],
    ["0.12345678901234567890", 0.12345678901234568],
    ["12345678901234567890e2", Number("12345678901234567890e2")],
    ["0.5", 0.5],
    ["1.05", 1.05],
    ["1.5e+21", 1.5e21],
    ["1e300", 1e300],
    ["1E1234567890123456", Number.POSITIVE_INFINITY],
  ])("reads %s", (text, value) => {
    expect(readJson(text)).toBe(value);
  });

  test.each([
    ["1.0", "1.0"],
    ["-1.0", "-1.0"],
    ["0.0", "0.0"],
    ["-0.0", "-0.0"],
    ["10.000 ", "10.0"],
    ["1.0e3", "1000.0"],
    ["1.5e+3", "1500.0"],
    ["1e+15", "1000000000000000.0"],
    ["1E+16", "1e+16"],
    ["123456789012345678.0", "1.2345678901234568e+17"],
    ["9.0e+20", "9e+20"],
    ["12345678901234567890.5", "1.2345678901234567e+19"],
  ])("read %s as a float and write it as %s", (text, rewritten) => {
    const value = readJson(text);
    expect(isFloat(value)).toBe(true);
    expect(withoutFraction(value)).toBe(Number(text));
    expect(writeJson(value)).toBe(rewritten);
    expect(writeJson({ a: [value, 1, 2n ** 70n] })).toBe(
      `{"a":[${rewritten},1,1180591620717411303424]}`,
    );
  });

  test("leave a float to others as its number", () => {
    const value = readJson('{"a":[3.0]}') as { readonly a: readonly [number] };
    const [three] = value.a;
    expect(JSON.stringify(value)).toBe('{"a":[3]}');
    expect([three + 1, three > 2, three < 3, `${three}`, Math.max(three, 1)]).toEqual([
      4,
      true,
      false,
      "3",
      3,
    ]);
    writeJson(value);
    expect(JSON.stringify(value)).toBe('{"a":[3]}');
  });

  test.each([
    '["2026-11-14T12:00:00.000000Z","2026-11-14T12:00:00.000000+00:00"]',
    '{"version":"1.0","note":"from 1.0, to 2.0]","key":"ab3e+5"}',
  ])("keep %s, where zeros and signs stand in texts", (text) => {
    expect(readJson(text)).toEqual(JSON.parse(text));
    expect(writeJson(readJson(text))).toBe(text);
  });

  test("take as many digits as other readers do; more are an infinite number", () => {
    const digits = "9".repeat(4300);
    expect(readJson(digits)).toBe(BigInt(digits));
    expect(readJson(`-${digits}`)).toBe(-BigInt(digits));
    expect(readJson(`${digits}9`)).toBe(Number.POSITIVE_INFINITY);
  });

  test("find a long whole number wherever it stands", () => {
    for (let before = 0; before < 70; before += 1) {
      const ones = Array.from({ length: before }, () => 1);
      const text = `[${"1,".repeat(before)}1234567890123456789,0.1234567890123456]`;
      expect(readJson(text)).toEqual([...ones, 1234567890123456789n, 0.1234567890123456]);
      const padded = `${" ".repeat(before)}9007199254740993`;
      expect(readJson(padded)).toBe(9007199254740993n);
    }
  });

  test("take megabytes of escapes and of digits", () => {
    const escapes = "\\n".repeat(10_000_000);
    const [text, long] = readJson(`["${escapes}",12345678901234567890]`) as [string, bigint];
    expect([text.length, long]).toEqual([10_000_000, 12345678901234567890n]);
    expect(readJson("9".repeat(10_000_000))).toBe(Number.POSITIVE_INFINITY);
    const quotes = readJson(`["${'\\\\\\"'.repeat(3)}",12345678901234567890,"\\\\"]`);
    expect(quotes).toEqual(['\\"'.repeat(3), 12345678901234567890n, "\\"]);
  });

  test("keep members with names of every kind", () => {
    const json = '{"__proto__":12345678901234567890,"constructor":{"":12345678901234567891}}';
    expect(writeJson(readJson(json))).toBe(json);
  });

  test("fail as the built-in functions do, and quote what they were given", () => {
    const text = "[12345678901234567890,]";
    expect(() => readJson(text)).toThrow(SyntaxError);
    expect(() => readJson(text)).toThrow("567890,]");
    const loop: unknown[] = [1n];
    loop.push(loop);
    expect(() => writeJson(loop)).toThrow(TypeError);
  });

  test("write what they are given as JSON.stringify does", () => {
    const value = { a: undefined, b: [undefined, Number.NaN], c: new Date(0), d: "\u2028\ud800" };
    expect(writeJson(value)).toBe(JSON.stringify(value));
    expect(writeJson({ ...value, e: 2n ** 70n })).toBe(
      JSON.stringify({ ...value, e: 0 }).replace(/0}$/, "1180591620717411303424}"),
    );
    expect(writeJson(undefined)).toBeUndefined();
  });
});

test.each(["1e400", "-1e400", '{"a":[1,{"b":1e999}]}', "9".repeat(4301)])(
  "what a person wrote is refused where a number in it would be sent as null: %#",
  (text) => {
    expect(() => readWrittenJson(text)).toThrow(NumberTooLarge);
  },
);

test("what a person wrote may hold numbers as large as there are, and texts that look larger", () => {
  const digits = "9".repeat(4300);
  expect(readWrittenJson(`[1e308,"1e400",${digits}]`)).toEqual([1e308, "1e400", BigInt(digits)]);
});
