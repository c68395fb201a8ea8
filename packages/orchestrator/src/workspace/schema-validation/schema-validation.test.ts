import { expect, test } from "vitest";
import { answersMeanwhile } from "../../testing/hostile.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";

const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string" },
    sizes: { type: "array", items: { type: "integer" } },
    note: { type: "string" },
  },
  required: ["name"],
};

async function validate(api: TestApi, values: unknown, schema: unknown = SCHEMA) {
  const { status, body } = await api.post("/ui/schemas/validate", { schema, values });
  expect(status).toBe(200);
  return body;
}

describeEachApi("schema validation", (open) => {
  test("accepts values that fit", async () => {
    await using api = await open();
    const values = { name: "x", sizes: [1, 2], note: null };
    expect(await validate(api, values)).toEqual({ valid: true, errors: [] });
  });

  test("shows what is wrong beside each field", async () => {
    await using api = await open();
    expect(await validate(api, { sizes: [1, "x"], note: 5 })).toEqual({
      valid: false,
      errors: [
        { property: "sizes", errors: [{ index: 1, errors: ["must be integer"] }] },
        { property: "note", errors: ["must be string"] },
        { property: "name", errors: ["is required"] },
      ],
    });
  });

  test("takes texts for what their format says they are", async () => {
    await using api = await open();
    const schema = {
      properties: {
        since: { type: "string", format: "date-time" },
        day: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
        link: { type: "string", format: "uri" },
      },
    };
    const fits = { since: "2026-02-28T10:00:00+02:00", day: null, link: "no link" };
    expect(await validate(api, fits, schema)).toEqual({ valid: true, errors: [] });
    const values = { since: "2026-02-28T10:00:00", day: "2026-02-29", link: 1 };
    expect(await validate(api, values, schema)).toEqual({
      valid: false,
      errors: [
        { property: "since", errors: ["must have the format date-time"] },
        { property: "day", errors: [expect.stringContaining("date")] },
        { property: "link", errors: ["must be string"] },
      ],
    });
  });

  test("works out placeholders first, without rendering templates", async () => {
    await using api = await open();
    await api.post("/variables/", { name: "sizes", value: [1, "two"] });
    const values = {
      name: { __prefect_kind: "jinja", template: "{{ flow.name }}" },
      sizes: { __prefect_kind: "workspace_variable", variable_name: "sizes" },
      note: { __prefect_kind: "json", value: '"fine"' },
    };
    expect(await validate(api, values)).toEqual({
      valid: false,
      errors: [{ property: "sizes", errors: [{ index: 1, errors: ["must be integer"] }] }],
    });
  });

  test("accepts any type where a template stands", async () => {
    await using api = await open();
    const sizes = [{ __prefect_kind: "jinja", template: "{{ n }}" }];
    expect(await validate(api, { name: "x", sizes })).toEqual({ valid: true, errors: [] });
  });

  test("tells which placeholder cannot be worked out, and nothing else about it", async () => {
    await using api = await open();
    const values = {
      name: { __prefect_kind: "workspace_variable", variable_name: "gone" },
      sizes: { __prefect_kind: "json", value: "[1" },
      note: { __prefect_kind: "jinja", template: "{{" },
    };
    expect(await validate(api, values)).toEqual({
      valid: false,
      errors: [
        { property: "name", errors: ['there is no variable named "gone"'] },
        { property: "sizes", errors: [expect.stringContaining("is not JSON")] },
        { property: "note", errors: [expect.stringContaining("line 1 of the template")] },
      ],
    });
  });

  test("knows the variables of its own workspace by many names at once", async () => {
    await using api = await open();
    await api.post("/variables/", { name: "v250", value: 1 });
    const names = Array.from({ length: 300 }, (_, i) => `v${i}`);
    const values = Object.fromEntries(
      names.map((name) => [name, { __prefect_kind: "workspace_variable", variable_name: name }]),
    );
    const { errors } = (await validate(api, values, {})) as {
      readonly errors: { property: string }[];
    };
    expect(errors).toHaveLength(100);
    const wanted = { v250: values["v250"] };
    expect(await validate(api, wanted, { properties: { v250: { const: 1 } } })).toMatchObject({
      valid: true,
    });
  });

  test.each([
    [{ type: "int" }, /^Invalid schema: type: "int" is none of/],
    [{ $ref: "#" }, /^Invalid schema: it has circular references/],
    [{ properties: { a: { pattern: "(" } } }, /^Invalid schema: properties\.a\.pattern/],
  ])("refuses the schema %j", async (schema, detail) => {
    await using api = await open();
    const answer = await api.post("/ui/schemas/validate", { schema, values: {} });
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringMatching(detail) } });
  });

  test.each([{}, { schema: {} }, { schema: {}, values: [] }, { schema: "x", values: {} }])(
    "refuses the body %j",
    async (body) => {
      await using api = await open();
      expect((await api.post("/ui/schemas/validate", body)).status).toBe(422);
    },
  );

  const items = Array.from({ length: 60_000 }, (_, i) => ({ i }));
  test.each<[string, unknown, unknown, number]>([
    ["a pattern that backtracks", { pattern: "^(a+)+$" }, `${"a".repeat(35)}!`, 422],
    ["unique items of a long list", { uniqueItems: true }, items, 200],
  ])("answers others while it checks %s", async (_what, schema, value, status) => {
    await using api = await open();
    const body = { schema: { properties: { a: schema } }, values: { a: value } };
    const answer = await answersMeanwhile(api, () => api.post("/ui/schemas/validate", body));
    expect(answer.status).toBe(status);
    if (status === 422)
      expect(answer.body).toMatchObject({
        detail:
          "The validation against the JSON schema takes more than its budget of 500 ms of CPU time; make it simpler or smaller",
      });
  });
});
