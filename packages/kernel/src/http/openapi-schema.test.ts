import { expect, test } from "vitest";
import { createSchemaComponents } from "./openapi-schema.ts";

const model = (fields: object) => ({ $id: "Pigeon", type: "object", properties: fields });

test("a name stands for one schema in a document, and two that differ are refused", () => {
  const { describe, schemas } = createSchemaComponents();
  const ring = { ring: { type: "string" } };
  const $ref = "#/components/schemas/Pigeon";
  expect(describe(model(ring))).toEqual({ $ref });
  expect(describe({ ...model(ring), description: "Who flew" })).toEqual({
    $ref,
    description: "Who flew",
  });
  expect(schemas).toEqual({ Pigeon: { type: "object", properties: ring } });
  expect(() => describe({ items: model({ ...ring, loft: { type: "string" } }) })).toThrow(
    "Two different schemas have the id Pigeon",
  );
});
