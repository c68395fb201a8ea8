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
