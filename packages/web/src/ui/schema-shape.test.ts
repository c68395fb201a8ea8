import { expect, test } from "vitest";
import { filledIn, isTextOrNumber, resolved, type Values } from "./schema-shape.ts";

const NULL = { type: "null" };
const ROOT = { $defs: { Policy: { type: "string", enum: ["Always", "Never"] } } };

test.each([
  [{ anyOf: [{ type: "string" }, NULL], default: null, title: "Memory" }, "string"],
  [{ anyOf: [NULL, { type: "integer" }] }, "integer"],
  [{ type: ["number", "null"] }, "number"],
  [{ anyOf: [{ type: "array", items: { type: "string" } }, NULL] }, "array"],
  [{ anyOf: [{ $ref: "#/$defs/Policy" }, NULL] }, "string"],
  [{ type: "object", anyOf: [{ required: ["a"] }] }, "object"],
])("%j has the field of a value that is never null", (schema, type) => {
  const { title, default: standard } = schema as { title?: string; default?: unknown };
  expect(resolved(schema, ROOT)).toMatchObject({
    type,
    ...(title !== undefined && { title, default: standard }),
  });
});

test.each([
  [{ anyOf: [{ type: "string" }, { type: "number" }] }, true],
  [{ anyOf: [{ type: "string" }, { type: "integer" }, NULL] }, true],
  [{ type: ["string", "number", "null"] }, true],
  [{ anyOf: [{ type: "string" }, { type: "object" }] }, false],
  [{ anyOf: [{ type: "integer" }, { type: "number" }] }, false],
  [{ type: "object" }, false],
])("whether %j is a text or a number is %j", (schema, expected) => {
  expect(isTextOrNumber(resolved(schema, ROOT))).toBe(expected);
});

test.each<[object, Values, Values]>([
  [{ type: "boolean" }, {}, { of: false }],
  [{ type: "boolean" }, { of: true }, { of: true }],
  [{ type: "integer", default: 4 }, {}, { of: 4 }],
  [{ anyOf: [{ type: "string" }, NULL] }, {}, { of: null }],
  // Nobody knows what these are to be: the server says that they are missing.
  [{ type: "string" }, {}, {}],
  [{ type: "object" }, {}, {}],
  [{ $ref: "#/$defs/Group" }, {}, { of: { sure: false } }],
  [{ $ref: "#/$defs/Group" }, { of: { note: "x" } }, { of: { note: "x", sure: false } }],
])("the required %j that was given as %j is sent as %j", (of, values, expected) => {
  const properties = { sure: { type: "boolean" }, note: { type: "string" } };
  const $defs = { Group: { type: "object", properties, required: ["sure"] } };
  expect(filledIn({ properties: { of }, required: ["of"], $defs }, values)).toEqual(expected);
  if (Object.keys(values).length === 0)
    expect(filledIn({ properties: { of }, $defs }, values)).toEqual({});
});

test("a required group that has to hold itself ends, for nothing could satisfy it", () => {
  const properties = { next: { $ref: "#/$defs/Node" }, last: { type: "boolean" } };
  const $defs = { Node: { type: "object", properties, required: ["next", "last"] } };
  const schema = { properties: { of: { $ref: "#/$defs/Node" } }, required: ["of"], $defs };
  expect(filledIn(schema, {})).toEqual({ of: { last: false } });
});

test("a group in which nothing is missing stays the very same value, so that it is no change", () => {
  const group = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] };
  const values = { of: { sure: true } };
  expect(filledIn({ properties: { of: group } }, values)).toBe(values);
});
