import { expect, test } from "vitest";
import { describeEachApi } from "../../testing.ts";

describeEachApi("templates", (open) => {
  test.each(["/templates/validate", "/automations/templates/validate"])(
    "%s tells whether a template can be rendered",
    async (path) => {
      await using api = await open();
      const valid = await api.post(path, JSON.stringify("Hello {{ flow.name }}"));
      expect(valid).toMatchObject({ status: 204, body: undefined });
      const source = "first line\n{% for x in %}";
      expect(await api.post(path, JSON.stringify(source))).toMatchObject({
        status: 422,
        body: { error: { line: 2, message: expect.stringContaining("syntax error"), source } },
      });
    },
  );

  test("takes a template as plain text, also one that would be JSON", async () => {
    await using api = await open();
    const check = (body: string) =>
      api.request("POST", "/templates/validate", {
        body,
        headers: { "content-type": "text/plain" },
      });
    expect((await check("Hello {{ flow.name }}")).status).toBe(204);
    expect((await check('"{{ flow"')).body).toMatchObject({ error: { source: '"{{ flow"' } });
  });

  test("takes no template for an empty one", async () => {
    await using api = await open();
    expect((await api.request("POST", "/templates/validate")).status).toBe(204);
    expect((await api.post("/templates/validate", '""')).status).toBe(204);
  });

  test("refuses what is no text", async () => {
    await using api = await open();
    expect((await api.post("/templates/validate", { template: "x" })).status).toBe(422);
  });
});
