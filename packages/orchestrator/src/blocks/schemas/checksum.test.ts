import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.rules.ts";
import { checksumOf } from "./checksum.rules.ts";

// The checksums were taken from the established client.
const VECTORS = [
  {
    what: "a plain block",
    fields: String.raw`{"type": "object", "title": "Demo", "block_type_slug": "demo", "properties": {"value": {"type": "string", "title": "Value"}}, "required": ["value"], "block_schema_references": {}}`,
    checksum: "sha256:bbcc9a2dcfae29d9007604341b7fb2cbac931b62c2df172899964f6bd8ebdec9",
  },
  {
    what: "numbers as they were written",
    fields: String.raw`{"title": "Numbers", "properties": {"a": {"default": 1.0}, "b": {"default": 1}, "c": {"default": 1e+16}, "d": {"default": 1e-05}, "e": {"default": 0.0001}, "f": {"default": -0.0}, "g": {"default": 123456789012345.0}, "h": {"default": -2.5e-10}, "i": {"default": 0.1}}}`,
    checksum: "sha256:8f8f6f40c10edb5ca0b27563950640ee4fb8c53e07f33f435e56bcaf828452f2",
  },
  {
    what: "texts beyond ASCII, and secret fields at any depth but not in lists",
    fields: String.raw`{"title": "Texte \u00e9 \ud83d\ude00", "b\u007f": "a/\"\\\n\t\u0001", "\uffff": 1, "\ud83d\ude00": 2, "list": [{"secret_fields": ["kept in arrays"]}], "deep": {"secret_fields": ["gone"], "x": null, "y": true}}`,
    checksum: "sha256:083dd768aed02536910065688768981339af0bd5a8bf5ec90352d025cebed1ec",
  },
  {
    what: "only the definitions that are referred to and are no blocks",
    fields: String.raw`{"title": "Outer", "properties": {"p": {"$ref": "#/definitions/Plain"}, "i": {"$ref": "#/definitions/Inner"}, "l": {"items": {"$ref": "#/definitions/Any"}}}, "secret_fields": ["i.pw"], "definitions": {"Plain": {"properties": {"q": {"anyOf": [{"$ref": "#/definitions/Further"}]}}}, "Further": {"type": "number", "default": 2.0}, "Inner": {"block_type_slug": "inner", "properties": {"z": {"$ref": "#/definitions/OnlyInner"}}}, "OnlyInner": {"type": "string"}, "Any": {}, "Unused": {"type": "null"}}}`,
    checksum: "sha256:ce856c921bf4358143a94b110d7bf9a0cef50dcfdc32404a35f839c5c99187d9",
  },
  {
    what: "definitions that are empty",
    fields: String.raw`{"title": "Empty definitions", "definitions": {}}`,
    checksum: "sha256:916005b2fb7bdc7f7a5ab0d958358754cfbd54a803c7d2cb1e2a214edb2a42e8",
  },
];

describe("the checksum of a block's fields", () => {
  test.each(VECTORS)("counts $what", ({ fields, checksum }) => {
    expect(checksumOf(readJson(fields) as JsonObject)).toBe(checksum);
  });

  test("does not depend on white space and the order of keys", () => {
    const one = readJson('{"a":1.0,"b":[{"c":"d"}]}') as JsonObject;
    const other = readJson('{ "b": [ {"c" : "d"} ],\n "a": 1.0 }') as JsonObject;
    expect(checksumOf(other)).toBe(checksumOf(one));
  });
});

describe("JSON for a checksum", () => {
  test.each([
    ["1", "1"],
    ["-0", "0"],
    ["1.0", "1.0"],
    ["-0.0", "-0.0"],
    ["1e+3", "1000.0"],
    ["1E-5", "1e-05"],
    ["0.0001", "0.0001"],
    ["1e+15", "1000000000000000.0"],
    ["1e+16", "1e+16"],
    ["1e22", "1e+22"],
    ["12345678901234567890", "12345678901234567890"],
    ["1.50", "1.5"],
    ["123.456e+10", "1234560000000.0"],
    ["5e-324", "5e-324"],
    ["1.7976931348623157e308", "1.7976931348623157e+308"],
  ])("has %s as %s", (given, written) => {
    expect(canonicalJson(readJson(given) as JsonValue)).toBe(written);
    expect(canonicalJson(readJson(`{"a":[${given}]}`) as JsonValue)).toBe(`{"a": [${written}]}`);
  });

  test("is written in the order of code points for a checksum", () => {
    expect(
      canonicalJson(JSON.parse('{"\ud83d\ude00":1,"\uffff":2,"b":3,"B":4}') as JsonValue),
    ).toBe('{"B": 4, "b": 3, "\\uffff": 2, "\\ud83d\\ude00": 1}');
  });
});
