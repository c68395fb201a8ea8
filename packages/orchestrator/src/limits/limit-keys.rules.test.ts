import type { SlotKey } from "@orchestrator/contract";
import { floatOf } from "@orchestrator/exact-json";
import { expect, test } from "vitest";
import { keyValues } from "./limit-keys.rules.ts";

const CUSTOMER = { parameter: "customer" };
const of = (key: SlotKey, parameters: Record<string, unknown>, tags: string[] = []) =>
  keyValues(key, { parameters, tags });

test.each([
  ["a text is its own value", { customer: "acme" }, "acme"],
  ["a number is written down", { customer: 5 }, "5"],
  [
    "a number is written down however long it is",
    { customer: 2n ** 70n },
    "1180591620717411303424",
  ],
  ["a whole number is the same as a float", { customer: [floatOf(5)] }, "[5]"],
  ["a yes is written down", { customer: true }, "true"],
  [
    "an object is the same in any order",
    { customer: { b: [2, { d: 1, c: 0 }], a: 1 } },
    '{"a":1,"b":[2,{"c":0,"d":1}]}',
  ],
  ["what is missing is no value", {}, ""],
  ["null is no value", { customer: null }, ""],
  ["the name of something else is no value", { __proto__x: 1 }, ""],
])("%s", (_, parameters, value) => {
  expect(of(CUSTOMER, parameters)).toEqual([value]);
});

test("what every object has by itself is no value", () => {
  expect(of({ parameter: "constructor" }, JSON.parse("{}") as Record<string, unknown>)).toEqual([
    "",
  ]);
});

test("values of any size are told apart by a short text", () => {
  const [long] = of(CUSTOMER, { customer: "x".repeat(100_000) });
  const [other] = of(CUSTOMER, { customer: `${"x".repeat(100_000)}y` });
  expect(long).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(other).not.toBe(long);
  expect(of(CUSTOMER, { customer: "x".repeat(200) })).toEqual(["x".repeat(200)]);
});

test("each tag with the prefix is a value, once and in order", () => {
  const key = { tag_prefix: "customer:" };
  expect(of(key, {}, ["b", "customer:z", "customer:a", "customer:z"])).toEqual(["a", "z"]);
  expect(of(key, {}, ["Customer:a", "x-customer:b"])).toEqual([""]);
});
