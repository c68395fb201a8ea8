import { createComputePool } from "@orchestrator/kernel/compute";
import { openScope } from "@orchestrator/kernel/scope";
import { afterAll, describe, expect, test } from "vitest";
import { checkTemplate, findReferencedMembers, renderTemplate } from "./compute-templates.ts";

const pool = createComputePool({ budget: { cpuMs: 100, memoryMb: 64 } });
afterAll(() => pool.close());
const someone = pool.for(openScope("test"));

/** A pool that has no thread: what asks for one is not cheap. */
const noThreads = { run: () => Promise.reject(new Error("a thread is needed")) };

const CONTEXT = { name: "World", list: [1, 2], body: { a: { b: "x" }, long: 2n ** 70n } };
const often = (body: string): string =>
  `{% for a in range(100) %}{% for b in range(100) %}${body}{% endfor %}{% endfor %}`;
const SEARCH = `{% set x=("a"*200000)|list+["b"] %}${often('{% set y=x.index("b") %}')}`;

describe("in the event loop", () => {
  test.each([
    ["Hello {{ name }}!", "Hello World!"],
    ["{{ body.a.b|upper }} {{ list|length + 1 }}", "X 3"],
    ["{% if body.none is defined %}a{% else %}{{ body|tojson }}{% endif %}", null],
    ["{{ name.upper() }} {{ body.get('c', 'd') }} {{ body.state.is_failed }}", "WORLD d "],
  ])("%s is rendered", async (template, text) => {
    const rendering = await renderTemplate(noThreads, { template, context: CONTEXT });
    expect(rendering.problem).toBeNull();
    if (text !== null) expect(rendering.text).toBe(text);
  });

  test.each([
    ["a loop", "{% for i in list %}{{ i }}{% endfor %}"],
    ["a macro", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"],
    ["a power", "{{ 3 ** 50000 }}"],
    ["a costly filter", "{{ name|wordwrap(1) }}"],
    ["a costly method", "{{ name.index('o') }}"],
    ["a format", "{{ '%9999d' % 1 }}"],
    ["many characters", `${" ".repeat(5000)}{{ name }}`],
    ["texts that grow", `${"{% set name = name ~ name %}".repeat(40)}`],
    ["much work", "{{ 'x' * 400000 }}"],
  ])("a template with %s is not rendered", async (_what, template) => {
    const rendering = renderTemplate(noThreads, { template, context: CONTEXT });
    await expect(rendering).rejects.toThrow("a thread is needed");
  });

  test("a template is not rendered for what is known to be large", async () => {
    const request = { template: "{{ name }}", context: CONTEXT, isLarge: true };
    await expect(renderTemplate(noThreads, request)).rejects.toThrow("a thread is needed");
    expect(await renderTemplate(someone, request)).toEqual({ text: "World", problem: null });
  });

  test("a long template is not even parsed", async () => {
    const template = `{{ ${"(".repeat(20_000)} }}`;
    await expect(checkTemplate(noThreads, template)).rejects.toThrow("a thread is needed");
    const asked = findReferencedMembers(noThreads, { texts: [template], name: "variables" });
    await expect(asked).rejects.toThrow("a thread is needed");
    expect(await checkTemplate(noThreads, SEARCH)).toBeNull();
  });
});

describe("on a thread", () => {
  const BUDGET = "The template takes more than its budget of 100 ms of CPU time";

  test.each([
    ["a search in a long list", SEARCH],
    ["pprint in a loop", `{% set x=range(100)|list*20 %}${often("{% set y=x|pprint %}")}`],
    ["tojson in a loop", `{% set x=range(100)|list*20 %}${often("{% set y=x|tojson %}")}`],
    ["wordwrap in a loop", `{% set x="a"*5000 %}${often("{% set y=x|wordwrap(1) %}")}`],
    [
      "a key of long numbers",
      `{% set k = (3 ** 50000,) * 200000 %}${often("{% set d = {k: 1} %}")}`,
    ],
    ["a comparison of long numbers", "{{ ([3 ** 50000] * 300000)|unique|list|length }}"],
    ["a text of long numbers", "{{ [10 ** 4299] * 200000 }}"],
  ])("%s is stopped", async (_what, template) => {
    const rendering = renderTemplate(someone, { template, context: {} });
    const stopped = await rendering.then(
      ({ problem }) => problem?.message ?? "",
      (error: unknown) => (error as Error).message,
    );
    expect(stopped).toMatch(new RegExp(`${BUDGET}|takes too long to render`));
  });

  test("the search that takes no steps is stopped at the budget", async () => {
    await expect(renderTemplate(someone, { template: SEARCH, context: {} })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(BUDGET),
    });
  });

  test("the same is said of a template that is wrong", async () => {
    const template = `${" ".repeat(5000)}\n{{ name name }}`;
    const problem = { line: 2, message: expect.stringContaining("syntax error"), source: template };
    expect(await checkTemplate(someone, template)).toEqual(problem);
    const rendering = await renderTemplate(someone, { template, context: {} });
    expect(rendering).toEqual({ text: null, problem });
  });

  test("numbers are the same as in the event loop", async () => {
    const template = "{% for i in [body.long] %}{{ i }}{% endfor %}";
    const { text } = await renderTemplate(someone, { template, context: CONTEXT });
    expect(text).toBe(String(2n ** 70n));
  });
});
