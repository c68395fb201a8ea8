import { expect, test } from "vitest";
import { isTextOrNumber, resolved } from "./schema-shape.ts";

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
