import { expect, test } from "vitest";
import { templates } from "../testing/engine.ts";

const CONTEXT = {
  map: { b: 1, a: [1.5, null, true], A: {}, list: [] },
  text: "é😀\u2028'&<>\u007f \"\\,: [1,2]\n",
  none: null,
};

// As Jinja answers.
test.each([
  ['{{ {"a":1}|tojson }}', '{"a": 1}'],
  ["{{ map|tojson }}", '{"A": {}, "a": [1.5, null, true], "b": 1, "list": []}'],
  [
    "{{ text|tojson }}",
    String.raw`"\u00e9\ud83d\ude00\u2028\u0027\u0026\u003c\u003e\u007f \"\\,: [1,2]\n"`,
  ],
  [
    "{{ [2.0, 4 / 2, 10 ** 20, -0.0, 1e20, 1e-7]|tojson }}",
    "[2.0, 2.0, 100000000000000000000, -0.0, 1e+20, 1e-07]",
  ],
  ["{{ [[], [{}], none]|tojson }}", "[[], [{}], null]"],
  [
    "{{ map|tojson(2) }}",
    '{\n  "A": {},\n  "a": [\n    1.5,\n    null,\n    true\n  ],\n  "b": 1,\n  "list": []\n}',
  ],
  ["{{ [1, [2]] | tojson(indent=0) }}", "[\n1,\n[\n2\n]\n]"],
  ["{{ [1,2]|tojson|tojson }} {{ [1,2]|tojson|length }}", '"[1, 2]" 6'],
  ["{% filter tojson %}a{% endfilter %}{% set x = [1,2]|tojson %}{{ x }}", '"a"[1, 2]'],
  [
    "{% raw %}{{ x|tojson }}{% endraw %}{# |tojson #}{{ '|tojson' }} |tojson",
    "{{ x|tojson }}|tojson |tojson",
  ],
])("turns %j into %j", (template, text) => {
  expect(templates.render(template, CONTEXT)).toEqual({ text, problem: null });
});

test("comes to an end however far it is indented", () => {
  const deep = `${"[".repeat(50)}${"1,".repeat(20_000)}1${"]".repeat(50)}`;
  const { problem } = templates.render("{{ list|tojson(1000000) }}", { list: JSON.parse(deep) });
  expect(problem?.message).toMatch(/takes too long|longer than/);
});
