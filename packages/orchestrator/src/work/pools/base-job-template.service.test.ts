import { createComputePool } from "@orchestrator/kernel/compute";
import { openScope } from "@orchestrator/kernel/scope";
import { afterAll, expect, test } from "vitest";
import { baseJobTemplateProblem } from "./base-job-template.service.ts";

const threads = createComputePool();
const pool = threads.for(openScope("test"));
afterAll(() => threads.close());

const variables = {
  type: "object",
  properties: {
    command: { type: "string", default: "run" },
    env: { type: "object", additionalProperties: { type: "string" } },
    name: { type: "string" },
  },
  required: ["name"],
};

test.each([
  ["an empty template", {}],
  ["no placeholders", { job_configuration: { command: "run" }, variables: {} }],
  [
    "declared placeholders, nested ones included",
    {
      job_configuration: { command: "{{ command }} {{name}}", spec: [{ env: "{{  env }}" }] },
      variables,
    },
  ],
  [
    "placeholders that a worker fills from blocks, variables and its environment",
    {
      job_configuration: { a: "{{ prefect.variables.x }}", b: "{{ $HOME }}" },
      variables: { type: "object", properties: {} },
    },
  ],
  [
    "a default that refers to a block",
    {
      job_configuration: {},
      variables: {
        properties: { key: { type: "string", default: { $ref: { block_document_id: "x" } } } },
      },
    },
  ],
])("a template with %s can be used", async (_what, template) => {
  expect(await baseJobTemplateProblem(pool, template, "own")).toBeNull();
});

test.each([
  ["only variables", { variables }, "job_configuration"],
  ["only a configuration", { job_configuration: {} }, "variables"],
  ["variables that are no object", { job_configuration: {}, variables: [] }, "variables"],
  [
    "properties that are no object",
    { job_configuration: {}, variables: { properties: 1 } },
    "properties",
  ],
  ["an undeclared placeholder", { job_configuration: { a: "{{ b }}" }, variables }, ": b"],
  [
    "a default that does not fit",
    { job_configuration: {}, variables: { properties: { n: { type: "integer", default: "x" } } } },
    "variables.n",
  ],
  [
    "a schema that cannot be used",
    { job_configuration: {}, variables: { properties: { n: { type: "no type" } } } },
    "cannot be used",
  ],
])("a template with %s is refused by name", async (_what, template, named) => {
  expect(await baseJobTemplateProblem(pool, template, "own")).toContain(named);
});
