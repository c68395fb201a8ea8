import type { JsonObject } from "@orchestrator/contract";
import { describe, expect, test } from "vitest";
import { maskData, openTexts, restoreMasked, secretsOf } from "./secrets.rules.ts";

const MASK = "********";

const described = (...secret_fields: string[]): JsonObject => ({
  properties: { open: { type: "string" } },
  secret_fields,
});

describe("masking", () => {
  const CASES: readonly (readonly [string, string[], JsonObject, JsonObject])[] = [
    ["a value", ["a"], { a: "s", b: "o" }, { a: MASK, b: "o" }],
    ["a whole object or list", ["a", "b"], { a: { x: 1 }, b: [1] }, { a: MASK, b: MASK }],
    ["nothing where there is nothing", ["a", "b", "c.d"], { a: null, c: 1 }, { a: null, c: 1 }],
    ["falsy values", ["a", "b", "c"], { a: "", b: 0, c: false }, { a: MASK, b: MASK, c: MASK }],
    ["a nested value", ["a.b"], { a: { b: "s", c: 1 } }, { a: { b: MASK, c: 1 } }],
    [
      "every leaf below a wildcard",
      ["a.*"],
      { a: { x: "s", y: { z: [1], n: null } }, b: 1 },
      { a: { x: MASK, y: { z: MASK, n: null } }, b: 1 },
    ],
    ["a wildcard that stands on no object", ["a.*"], { a: "s" }, { a: MASK }],
    [
      "in every item of a list",
      ["a.b"],
      { a: [{ b: 1 }, { c: 2 }] },
      { a: [{ b: MASK }, { c: 2 }] },
    ],
    [
      "in every value of a map",
      ["a.b"],
      { a: { x: { b: 1 }, y: { c: 2 } } },
      { a: { x: { b: MASK }, y: { c: 2 } } },
    ],
  ];

  test.each(CASES)("hides %s", (_what, paths, data, shown) => {
    const before = structuredClone(data);
    expect(maskData(data, secretsOf(described(...paths)))).toEqual(shown);
    expect(data).toEqual(before);
  });

  test("hides what the schema only declares as a password", () => {
    const fields = { properties: { a: { format: "password" }, b: { writeOnly: true }, c: {} } };
    const data = { a: "s", b: "s", c: "o" };
    expect(maskData(data, secretsOf(fields))).toEqual({ a: MASK, b: MASK, c: "o" });
  });

  test("goes by names where the schema describes nothing", () => {
    const data = { region: "eu", api_key: "s", db: { password: "s", host: "h" } };
    expect(maskData(data, secretsOf({ properties: {} }))).toEqual({
      region: "eu",
      api_key: MASK,
      db: { password: MASK, host: "h" },
    });
  });
});

describe("values that come back as they were shown", () => {
  const stored = { a: "s1", m: { x: "s2", y: "s3" }, l: [{ p: "s4" }], o: "open", n: { deep: 1 } };
  const secrets = secretsOf(described("a", "m.*", "l.p", "n"));
  const shown = maskData(stored, secrets);

  test("are what is stored", () => {
    expect(restoreMasked(shown, { stored, shown })).toEqual(stored);
  });

  test("are told from those that were changed", () => {
    const sent = {
      a: "new",
      m: { x: MASK, y: "new", z: MASK },
      l: [{ p: MASK }, { p: MASK }],
      o: MASK,
    };
    expect(restoreMasked(sent, { stored, shown })).toEqual({
      a: "new",
      m: { x: "s2", y: "new", z: MASK },
      l: [{ p: "s4" }, { p: MASK }],
      o: MASK,
    });
  });
});

test("an event tells short texts at the top that are neither secret nor look like it", () => {
  const data = {
    open: "told",
    a: "secret",
    nested: { open: "untold" },
    list: ["untold"],
    number: 1,
    api_key: "looks like one",
    url: "https://user:pw@host/",
    long: "x".repeat(2000),
  };
  expect(openTexts(data, secretsOf(described("a")))).toEqual({ open: "told" });
});
