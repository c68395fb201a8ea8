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

test("a parameter that need not be given can be null, and one that must be given cannot", () => {
  const { describe } = createSchemaComponents();
  const wing = { $id: "Wing", type: "object" };
  const parameters = {
    loft: { type: "string" },
    limit: { type: "integer", default: 5 },
    sort: { type: "string", enum: ["UP", "DOWN"] },
    wing: { ...wing, description: "Which one" },
    kind: { const: "homing" },
    either: { anyOf: [wing, { type: "string" }] },
    anything: { description: "Any JSON" },
  };
  const required = ["loft", "limit"];
  expect(
    describe({ type: "object", nullAsAbsent: true, required, properties: parameters }),
  ).toEqual({
    type: "object",
    required: ["loft"],
    properties: {
      loft: { type: "string" },
      limit: { type: ["integer", "null"], default: 5 },
      sort: { type: ["string", "null"], enum: ["UP", "DOWN", null] },
      wing: {
        anyOf: [{ $ref: "#/components/schemas/Wing" }, { type: "null" }],
        description: "Which one",
      },
      kind: { anyOf: [{ const: "homing" }, { type: "null" }] },
      either: {
        anyOf: [{ $ref: "#/components/schemas/Wing" }, { type: "string" }, { type: "null" }],
      },
      anything: { description: "Any JSON" },
    },
  });
});

test("a tagged union leads from each tag to the record by its name, and each record needs one", () => {
  const { describe } = createSchemaComponents();
  const record = (tag: object, $id?: string) => ({
    ...(Boolean($id) && { $id }),
    type: "object",
    properties: { kind: tag },
  });
  const union = (...oneOf: object[]) => ({ discriminator: { propertyName: "kind" }, oneOf });
  const homer = record({ const: "homing" }, "Homer");
  const tumbler = record({ enum: ["roller", "tumbler"] }, "Tumbler");
  expect(describe(union(homer, tumbler))).toMatchObject({
    discriminator: {
      propertyName: "kind",
      mapping: {
        homing: "#/components/schemas/Homer",
        roller: "#/components/schemas/Tumbler",
        tumbler: "#/components/schemas/Tumbler",
      },
    },
  });
  expect(() => describe(union(homer, record({ const: "fantail" })))).toThrow("has no $id");
  expect(() => describe(union(homer, record({ type: "string" }, "Any")))).toThrow("no tag");
});
