import { expect, test } from "vitest";
import { changedValues, filledOverOwn, schemaOf, schemaOverOwn } from "./parameters-schema.ts";

const SCHEMA = {
  type: "object",
  properties: {
    limit: { type: "integer", default: 10 },
    zone: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
    name: { type: "string" },
    days: { type: "array", items: { type: "string" } },
    count: { type: "integer" },
    mode: { $ref: "#/definitions/Mode" },
  },
  definitions: { Mode: { type: "string", enum: ["fast", "slow"], default: "slow" } },
};

test("a run is sent only what was changed", () => {
  const before = { limit: 100, name: "a", days: ["mon"] };
  expect(changedValues(before, { ...before, name: "b", count: 3 }, SCHEMA)).toEqual({
    name: "b",
    count: 3,
  });
});

test("what is laid over a deployment's own parameters has what their form shows and they do not say", () => {
  const properties = {
    sure: { type: "boolean" },
    dry: { type: "boolean" },
    limit: { type: "integer", default: 10 },
    day: { type: "string" },
  };
  const schema = { type: "object", properties, required: ["sure", "dry", "limit"] };
  const deployment = { parameters: { sure: true, day: "mon" }, parameter_openapi_schema: schema };
  expect(filledOverOwn(deployment, { day: "mon" })).toEqual({ dry: false, limit: 10, day: "mon" });
});

test("what was emptied is sent as its default, or as nothing, for the deployment has another value", () => {
  const before = { limit: 100, zone: "UTC", name: "a", days: ["mon"], count: 3, mode: "fast" };
  expect(changedValues(before, {}, SCHEMA)).toEqual({
    limit: 10,
    zone: null,
    name: "",
    days: [],
    count: null,
    mode: "slow",
  });
});

test("what was emptied is sent as null where that is allowed, or where only some values are", () => {
  const schema = {
    type: "object",
    properties: {
      text: { anyOf: [{ type: "string" }, { type: "null" }] },
      word: { type: ["string", "null"] },
      list: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] },
      map: { anyOf: [{ type: "object" }, { type: "null" }] },
      mode: { $ref: "#/definitions/Mode" },
      size: { type: "string", enum: ["small", "large"] },
    },
    definitions: { Mode: { type: "string", enum: ["fast", "slow"] } },
  };
  const before = { text: "a", word: "b", list: ["c"], map: { d: 1 }, mode: "fast", size: "small" };
  expect(changedValues(before, {}, schema)).toEqual({
    text: null,
    word: null,
    list: null,
    map: null,
    mode: null,
    size: null,
  });
});

test("where values are laid over those of a deployment, its own are the defaults", () => {
  const parameters = { limit: 100, mode: "fast", zone: null, unknown: 1 };
  const { properties } = schemaOverOwn({ parameters, parameter_openapi_schema: SCHEMA });
  expect(properties).toEqual({
    ...SCHEMA.properties,
    limit: { type: "integer", default: 100 },
    mode: { $ref: "#/definitions/Mode", default: "fast" },
    zone: { ...SCHEMA.properties.zone, default: null },
  });
});

test("what was emptied where a deployment has no schema is sent as nothing of its kind", () => {
  const parameters = { text: "a", list: [1], map: { a: 1 }, number: 1, nothing: null };
  const schema = schemaOf({ parameters, parameter_openapi_schema: null });
  expect(changedValues(parameters, {}, schema)).toEqual({
    text: "",
    list: [],
    map: {},
    number: null,
    nothing: null,
  });
});
