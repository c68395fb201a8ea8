// What the templates of all kinds of workers have in common.

import type { JsonObject } from "@orchestrator/contract";
import { nullable, objectOf, optional, type Properties, text, textsByName } from "./properties.ts";

/** What every worker can be told about a job. */
const COMMON_VARIABLES: Properties = {
  name: optional(text("What the job is called where it runs.")),
  env: {
    title: "Environment variables",
    type: "object",
    additionalProperties: nullable(text()),
    description: "Variables that the job finds in its environment.",
  },
  labels: textsByName("Labels of what the worker creates for the job."),
  command: optional(text("What to run; leave it out to run the flow.")),
};

interface Parts {
  /** Places of the job beside those that are called as what fills them. */
  readonly job?: JsonObject;
  readonly variables: Properties;
  /** The variables that fill a place of their own name, if not all do. */
  readonly placed?: readonly string[];
  readonly required?: readonly string[];
  readonly definitions?: Properties;
}

/** How jobs of a pool are described: places, and the schema of the variables that fill them. */
export function jobTemplate({
  job = {},
  variables,
  placed = Object.keys(variables),
  definitions,
  ...parts
}: Parts): JsonObject {
  const properties = { ...COMMON_VARIABLES, ...variables };
  return {
    job_configuration: { ...places([...Object.keys(COMMON_VARIABLES), ...placed]), ...job },
    variables: objectOf(
      { properties, ...parts },
      definitions === undefined ? {} : { definitions: named(definitions) },
    ),
  };
}

function places(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, `{{ ${name} }}`]));
}

function named(definitions: Properties): Properties {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, { title: name, ...schema }]),
  );
}
