import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson, writeJson } from "./exact-json.ts";

const longInteger = fc
  .bigInt({ min: -(10n ** 60n), max: 10n ** 60n })
  .filter((value) => !Number.isSafeInteger(Number(value)));

const confusing = fc.oneof(
  fc.string(),
  fc.constantFrom('"', "\\", '\\"', "12345678901234567890", '":12345678901234567890,"'),
  fc.bigInt().map((value) => ` ${value}`),
);

const { value: anyValue } = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    longInteger,
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, max: 2 ** 52, min: -(2 ** 52) }),
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
  if (Array.isArray(value))
    return `[${space}${value.map((item) => written(item, space)).join(`,${space}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${space}${written(member, space)}`,
  );
  return `{${space}${members.join(`,${space}`)}}`;
}

/** A minus zero is written as 0. */
const positiveZero = (value: unknown): unknown => (Object.is(value, -0) ? 0 : value);
const normal = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null) return positiveZero(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, normal(member)]));
};

describe("readJson and writeJson", () => {
  test("keep any JSON with long whole numbers, however it is spaced", () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom("", " ", "\n\t"), (value, space) => {
        expect(normal(readJson(written(value, space)))).toEqual(normal(value));
        expect(writeJson(value)).toBe(written(value, ""));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740992", -9007199254740992n],
    ["0.12345678901234567890", 0.12345678901234568],
    ["12345678901234567890.5", Number("12345678901234567890.5")],
    ["12345678901234567890e2", Number("12345678901234567890e2")],
    ["1e300", 1e300],
    ["1E1234567890123456", Number.POSITIVE_INFINITY],
  ])("reads %s", (text, value) => {
    expect(readJson(text)).toBe(value);
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
