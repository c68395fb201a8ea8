import { expect, test } from "vitest";
import { z } from "zod";
import { checkValue, toJsonSchema } from "./parameter-schema.ts";

const zod = z.object({ region: z.enum(["eu", "us"]), days: z.number().int().default(7) });
const json = {
  type: "object",
  properties: {
    region: { type: "string", enum: ["eu", "us"] },
    days: { type: "integer", default: 7 },
  },
  required: ["region"],
} as const;

test.each([
  ["a zod schema", zod],
  ["a JSON schema", json],
])("%s fills in defaults, refuses what does not fit and says where", async (_, schema) => {
  expect(await checkValue(schema, { region: "eu" }, "Parameters")).toEqual({
    region: "eu",
    days: 7,
  });
  await expect(checkValue(schema, { region: "eu", days: "x" }, "Parameters")).rejects.toThrow(
    /^Parameters: days: /,
  );
  await expect(checkValue(schema, {}, "Parameters")).rejects.toMatchObject({
    name: "ParameterError",
  });
});

test("both describe the same form", () => {
  for (const schema of [zod, json]) {
    expect(toJsonSchema(schema)).toMatchObject({
      type: "object",
      properties: { region: { enum: ["eu", "us"] }, days: { type: "integer", default: 7 } },
      required: ["region"],
    });
  }
  expect(toJsonSchema(undefined)).toMatchObject({ type: "object", additionalProperties: true });
});

test("dates of zod are fields of the form where they may come as text", async () => {
  const schema = z.object({ since: z.coerce.date(), match: z.instanceof(RegExp).optional() });
  expect(toJsonSchema(schema)).toMatchObject({
    properties: { since: { type: "string", format: "date-time" }, match: {} },
  });
  const given = { since: "2026-11-15T12:00:00Z" };
  expect(await checkValue(schema, given, "Parameters")).toEqual({ since: new Date(given.since) });
  expect(() => toJsonSchema(z.object({ since: z.date() }))).toThrow(
    "There is no form for this schema: a parameter comes as JSON, which has no dates: use z.coerce.date()",
  );
});

test("a JSON schema says which parameter it does not know", async () => {
  const schema = { type: "object", properties: {}, additionalProperties: false };
  await expect(checkValue(schema, { more: 1 }, "Parameters")).rejects.toThrow(
    "Parameters: more: is not expected",
  );
});
