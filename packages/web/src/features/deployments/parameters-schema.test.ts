import { expect, test } from "vitest";
import { changedValues, schemaOf } from "./parameters-schema.ts";

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
