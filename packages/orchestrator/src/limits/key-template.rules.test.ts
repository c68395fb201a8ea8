import { expect, test } from "vitest";
import { templateProblem } from "./key-template.rules.ts";
import { resolveKey } from "./limit-keys.rules.ts";

const RUN = {
  name: "swift-otter",
  parameters: { customer: "acme", region: { name: "eu" }, ids: [2, 1], none: null, empty: "" },
  tags: ["prod", "team:ops", "shop:a", "shop:b"],
  concurrency_key: null,
};
const valueOf = (template: string, run: object = {}) => {
  const found = resolveKey({ template }, { ...RUN, ...run });
  return "problem" in found ? found.problem : found[0];
};

test.each([
  ["{{ parameters.customer }}", "acme"],
  ["{{parameters.region.name}}/{{ parameters.customer }}", "eu/acme"],
  ["{{ parameters.ids }}", "[2,1]"],
  ["{{ name }}", "swift-otter"],
  ["{{ tags.team }}", "ops"],
  ["{{ tags }}", '["prod","shop:a","shop:b","team:ops"]'],
])("the key %s of a run is %s", (template, value) => {
  expect(templateProblem(template)).toBeNull();
  expect(valueOf(template)).toBe(value);
});

test.each([
  ["{{ parameters.shop }}", "the run has no parameters.shop"],
  ["{{ parameters.none }}-{{ tags.x }}", "the run has no parameters.none, tags.x"],
  ["{{ parameters.customer.name }}", "the run has no parameters.customer.name"],
  ["{{ parameters.constructor }}", "the run has no parameters.constructor"],
  ["{{ tags.shop }}", "the run has no tags.shop"],
  ["{{ parameters.empty }}", "it is empty"],
])("the key %s has no value: %s", (template, problem) => {
  expect(valueOf(template)).toBe(`The concurrency key ${template} has no value: ${problem}`);
});

test.each([
  ["acme", "has no placeholder"],
  ["{{ customer }}", "{{ customer }} is not parameters.<name>"],
  ["{{ parameters }}", "is not parameters.<name>"],
  ["{{ parameters.a | lower }}", "is not parameters.<name>"],
  ["{{ name }} {{ parameters.a", "belong to no placeholder"],
  ["{% for a in b %}{{ name }}", "belong to no placeholder"],
  ["{{ name }}".repeat(21), "more than 20 placeholders"],
])("the template %s is refused", (template, problem) => {
  expect(templateProblem(template)).toContain(problem);
});

test("a long key is replaced by its digest, and a kept one is not computed again", () => {
  expect(
    valueOf("{{ parameters.customer }}", { parameters: { customer: "x".repeat(500) } }),
  ).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(valueOf("{{ parameters.customer }}", { concurrency_key: "before" })).toBe("before");
});
