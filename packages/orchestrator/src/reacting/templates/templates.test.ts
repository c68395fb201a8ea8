import { expect, test } from "vitest";
import { watchThreads } from "../../testing/hostile.ts";
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

  test("checks a long template on a thread, and a short one in the event loop", async () => {
    await using api = await open();
    const threads = watchThreads(api);
    const check = (template: string) => api.post("/templates/validate", JSON.stringify(template));
    expect((await check("Hello {% for run in runs %}{{ run.name }}{% endfor %}")).status).toBe(204);
    expect(threads).toEqual([]);
    const open20000 = await check(`{{ ${"(".repeat(20_000)} }}`);
    expect(open20000).toMatchObject({ status: 422, body: { error: { line: 1 } } });
    const closed = await check(`{{ ${"(".repeat(20_000)}1${")".repeat(20_000)} }}`);
    expect(closed).toMatchObject({ status: 422, body: { error: { line: 1 } } });
    expect(threads).toEqual(["checkOnThread", "checkOnThread"]);
  });

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
