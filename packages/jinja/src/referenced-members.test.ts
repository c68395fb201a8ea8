import { expect, test } from "vitest";
import { templates } from "./testing/engine.ts";

test.each([
  ["{{ event.id }}: look at the variables", []],
  ["{{ variables.team }} {{ variables['zone']|upper }}", ["team", "zone"]],
  ["{% for n in [1, 2] %}{{ variables.team }}{% endfor %}", ["team"]],
  ["{{ variables.limits.most }}", ["limits"]],
  ["{{ other.variables }} {{ other['variables'] }}", []],
])("of what %s looks at is told what it names", (template, members) => {
  expect(templates.membersAsked(template, "variables")).toEqual(new Set(members));
});

test.each([
  "{{ variables }}",
  "{{ variables|length }} {{ variables.team }}",
  "{{ variables[event.name] }}",
  "{{ variables['te' ~ 'am'] }}",
  "{{ variables.items() }}",
  "{{ variables['get']('team') }}",
  "{% for name in variables %}{{ name }}{% endfor %}",
  "{% set all = variables %}{{ all.team }}",
  "{% macro of(them=variables) %}{{ them.team }}{% endmacro %}{{ of() }}",
  "{{ variables.team",
])("what %s looks at may be all", (template) => {
  expect(templates.membersAsked(template, "variables")).toBe("all");
});
