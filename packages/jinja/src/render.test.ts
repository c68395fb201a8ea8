import { floatOf } from "@orchestrator/exact-json";
import { describe, expect, test } from "vitest";
import { isTemplate } from "./render.ts";
import { templates } from "./testing/engine.ts";
import { DateTime } from "./times/time-kinds.ts";
import { renderBudget } from "./values/meter.ts";

const CONTEXT = {
  name: "World",
  list: [1, 2],
  map: { a: { b: "<x>" } },
  none: null,
  at: new DateTime(1_794_906_000_000_000n, 0n),
};

describe("render", () => {
  test.each([
    ["Hello {{ name }}!", "Hello World!"],
    ["[{{ missing }}{{ missing.deep.deeper }}{{ map.none.x }}]", "[]"],
    ["{{ map|tojson }}", '{"a": {"b": "\\u003cx\\u003e"}}'],
    ["{{ map.a['b'] }}", "<x>"],
    ["{% for i in list %}{{ i }},{% endfor %}", "1,2,"],
    ["{% for i in range(3) %}{{ i }}{% endfor %}", "012"],
    ["{% for i in range(2, 9, 3) %}{{ i }} {% endfor %}", "2 5 8 "],
    ["{% for i in range(3, 0, -1) %}{{ i }}{% endfor %}", "321"],
    ["{{ range(100)|length }}", "100"],
    ["{{ name.upper() }} {{ name|lower }} {{ missing|default('x') }}", "WORLD world x"],
    ["{% if missing %}a{% else %}b{% endif %}", "b"],
    ["{# {% for %} #}{% raw %}{{ name }}{% endraw %}", "{{ name }}"],
    ["", ""],
    ["plain", "plain"],
  ])("turns %j into %j", (template, text) => {
    expect(templates.render(template, CONTEXT)).toEqual({ text, problem: null });
  });

  test.each([
    [
      "{{ ns }} {{ huge }} {{ less }}",
      "1234567890123456789 1180591620717411303424 -9007199254740993",
    ],
    ["{{ all|tojson }}", '{"huge": 1180591620717411303424, "ns": [1234567890123456789]}'],
    ["{{ all }}", "{'huge': 1180591620717411303424, 'ns': [1234567890123456789]}"],
    ["{{ ns + 1 }} {{ ns // 1000 }} {{ ns > 5 }}", "1234567890123456790 1234567890123456 True"],
    ["{{ '%d'|format(ns) }} {{ '%s'|format(huge) }}", "1234567890123456789 1180591620717411303424"],
  ])("keeps long whole numbers in %j", (template, text) => {
    const [ns, huge] = [1234567890123456789n, 2n ** 70n];
    const context = { ns, huge, less: -9007199254740993n, all: { huge, ns: [ns] } };
    expect(templates.render(template, context)).toEqual({ text, problem: null });
  });

  test("prints whole numbers that were written as floats as such", () => {
    const context = { one: floatOf(1), all: { big: floatOf(1e16), whole: 1 }, run: () => 1 };
    const template = "{{ one }} {{ one + 1 }} {{ one == 1 }} {{ all }} {{ all|tojson }} {{ run }}";
    const all = [`{'big': 1e+16, 'whole': 1}`, `{"big": 1e+16, "whole": 1}`];
    const text = `1.0 2.0 True ${all.join(" ")} `;
    expect(templates.render(template, context)).toEqual({ text, problem: null });
  });

  test.each([
    ["a\n{{ name name }}", 2, "syntax error"],
    ["{{ range(101) }}", 1, "range has more than 100 numbers"],
    ["{{ range(1, 5, 0) }}", 1, "range takes whole numbers"],
    ["{{ name|nope }}", 1, "there is no filter named nope"],
    ["{% include 'other' %}", 1, "template not found"],
    ["{% for a in x %}{% endfor %}\n".repeat(11), 11, "more than 10 loops"],
    [
      "{% for a in x %}\n{% for b in x %}\n{%- for c in x %}{% endfor %}{% endfor %}{% endfor %}",
      3,
      "2 deep",
    ],
    ["x".repeat(100_001), 1, "longer than 100000 characters"],
    ["{{ 'x' * 600000 }}", 1, "longer than 524288 characters"],
  ])("refuses %j", (template, line, message) => {
    const { text, problem } = templates.render(template, CONTEXT);
    expect(text).toBeNull();
    expect(problem).toEqual({ line, message: expect.stringContaining(message), source: template });
  });

  test.each([
    "{{ map.constructor }}{{ map.__proto__ }}",
    "{{ name.constructor }}",
    "{{ list.map }}{{ list.constructor }}",
    "{{ at.constructor }}{{ at.toString }}{{ (at - at).valueOf }}{{ at.date().hasOwnProperty }}",
  ])("sees only data: %s", (template) => {
    expect(templates.render(template, CONTEXT).text).toBe("");
  });

  test("takes names of entities for no more than they are", () => {
    const { text } = templates.render("{{ '&amp;&valueOf;'|striptags }}", CONTEXT);
    expect(text).toBe("&&valueOf;");
  });

  test("sees data whose name begins with an underscore", () => {
    const body = { _links: { self: { href: "http://h" } }, _id: "m1" };
    const template = "{{ body._links.self.href }} {{ body._id }} {{ body.__class__ }}";
    expect(templates.render(template, { body }).text).toBe("http://h m1 ");
  });

  test.each([
    ["holds another twice, forty times over", "a=n", "b=n"],
    ["holds itself", "a=n", "b=m"],
  ])("ends where a namespace %s", (_, first, second) => {
    const levels = Array.from({ length: 40 }, (__, k) => {
      const held = (what: string) =>
        `{% set n${k + 1}.${what.replace("=n", `=n${k}`).replace("=m", `=n${k + 1}`)} %}`;
      return `{% set n${k + 1}=namespace() %}${held(first)}${held(second)}`;
    });
    const template = `{% set n0=namespace() %}${levels.join("")}{{ n40 }}`;
    expect(templates.render(template, {}).problem?.message).toMatch(/too long|too much memory/);
  });

  test.each([
    ["{{ 'x' * 3000000000 }}", /too much memory/],
    [
      "{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
      /too much memory|takes too long/,
    ],
    ["{{ [1, 2, 3]|slice(100000000)|list }}", /too much memory/],
    ["{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", /recursion limit/],
    [
      "{% macro f(n) %}{% for i in range(9) %}{{ f(n) if n > 0 }}{{ f(n - 1) if n > 0 }}{% endfor %}{% endmacro %}{{ f(9) }}",
      /./,
    ],
    [
      "{% for i in range(100) %}{% for j in range(100) %}{% set a = range(100)|map('string')|join %}{% endfor %}{% endfor %}",
      /takes too long/,
    ],
    [
      "{% set s = 'x' * 800000 %}{% for i in range(100) %}{% for j in range(100) %}{% set t = s ~ i %}{% endfor %}{% endfor %}",
      /takes too long/,
    ],
    [`{{ ${"(".repeat(5000)}1${")".repeat(5000)} }}`, /recursion/],
    [`{{ ${"1+".repeat(30_000)}1 }}`, /recursion/],
    [
      "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
      /too much memory/,
    ],
    ["{{ 9 ** (9 ** 9) }}", /too much memory/],
    ["{% set ns = namespace() %}{% set ns.x = ns %}{{ [ns] }}", /recursion|nested|too much memory/],
    [
      "{% set ns = namespace(l=range(100)|list * 900) %}{% for i in range(100) %}{{ (ns|string|length) }}{% endfor %}",
      /takes too long/,
    ],
    ["{{ '%*d' % (99999999, 1) }}", /too much memory/],
    ["{{ 10 ** 5000 }}", /more than 4300 digits/],
    [
      "{% set s = 'x' * 500000 %}{% for i in range(100) %}{% for j in range(100) %}{% set t = s[::-1].upper() %}{% endfor %}{% endfor %}",
      /takes too long/,
    ],
  ])("survives %s and renders the next one", (template, message) => {
    expect(templates.render(template, CONTEXT).problem?.message).toMatch(message);
    expect(templates.render("{{ name }}", CONTEXT).text).toBe("World");
  });

  test("renders nothing more when the time is used up", () => {
    const { problem } = templates.render("{{ name }}", CONTEXT, renderBudget(0));
    expect(problem?.message).toContain("takes too long");
  });
});

describe("check", () => {
  test.each([
    "Hello {{ name|upper }}",
    "{% for a in x %}{% for b in a %}{% endfor %}{% endfor %}".repeat(5),
    "{{ {'a': {'b': 1}}['a'] }}{% for a in x %}{% endfor %}",
    "{{ '{% for %}' }} {{ \"|nope\" }}",
    "{% filter upper %}x{% endfilter %}",
    "",
  ])("accepts %j", (template) => {
    expect(templates.check(template)).toBeNull();
  });

  test.each([
    ["{{ name", 1, "syntax error"],
    ["a\nb\n{% for x %}", 3, "syntax error"],
    ["a\n{% if false %}{{ name | nope }}{% endif %}", 2, "there is no filter named nope"],
    ["{% filter nope %}x{% endfilter %}", 1, "there is no filter named nope"],
    ["{% for a in x %}{% endfor %}".repeat(11), 1, "more than 10 loops"],
  ])("refuses %j", (template, line, message) => {
    expect(templates.check(template)).toEqual({
      line,
      message: expect.stringContaining(message),
      source: template,
    });
  });

  test("checks nothing more when the time is used up", () => {
    const budget = renderBudget(0);
    expect(templates.check("{{ name }}", budget)?.message).toContain("takes too long");
  });

  test("takes the time of a check from the allowance", () => {
    const budget = renderBudget(1000);
    expect(templates.check("{{ name }}", budget)).toBeNull();
    expect(budget.remainingSteps).toBeLessThan(1000);
  });

  test.each([`{{ "${'\\"'.repeat(49_000)}`, `{{ '${"\\'".repeat(49_000)}\\`])(
    "refuses a text of many quotes that never ends",
    (template) => {
      expect(templates.check(template)).not.toBeNull();
    },
  );

  test.each([
    ["{{ x }}", true],
    ["{% if x %}", true],
    ["{ x }", false],
  ])("%j is a template: %s", (text, expected) => {
    expect(isTemplate(text)).toBe(expected);
  });
});
