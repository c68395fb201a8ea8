import type { JsonObject } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { sentences } from "@orchestrator/json-schema/problems";
import type { Compute } from "@orchestrator/kernel/compute";
import { type ProblemWords, validateValue } from "../../parameters/validate.ts";
import { isReference, isTemplateObject } from "./template-blocks.rules.ts";

const PLACEHOLDER = /\{\{\s*([\w.$[\]-]+)\s*\}\}/g;
/** These are filled in by the worker from elsewhere: blocks, variables, its environment. */
const FILLED_ELSEWHERE = /^(?:prefect|orchestrator)\.|^\$/;
const MOST_NAMED = 10;

/**
 * What is wrong with a base job template, as a sentence; null when it can be used. Blocks that are
 * still named are passed over.
 */
export async function baseJobTemplateProblem(
  compute: Compute,
  template: JsonObject,
  words: ProblemWords,
): Promise<string | null> {
  if (Object.keys(template).length === 0) return null;
  const { job_configuration: job, variables } = template;
  if (!isTemplateObject(job) || !isTemplateObject(variables))
    return "The base job template must be empty or hold both the objects `job_configuration` and `variables`";
  const properties = variables["properties"] ?? {};
  if (!isTemplateObject(properties))
    return "The `properties` of the template's `variables` must be an object";
  return undeclared(job, properties) ?? unfitDefaults(compute, { variables, properties, words });
}

function undeclared(job: JsonObject, properties: JsonObject): string | null {
  const used = [...writeJson(job).matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  const unknown = new Set(
    used.filter((name) => !FILLED_ELSEWHERE.test(name) && !Object.hasOwn(properties, name)),
  );
  if (unknown.size === 0) return null;
  const names = [...unknown].slice(0, MOST_NAMED).join(", ");
  return `The job configuration uses variables that \`variables.properties\` does not declare: ${names}`;
}

async function unfitDefaults(
  compute: Compute,
  {
    variables,
    properties,
    words,
  }: {
    readonly variables: JsonObject;
    readonly properties: JsonObject;
    readonly words: ProblemWords;
  },
): Promise<string | null> {
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    isTemplateObject(property) &&
    Object.hasOwn(property, "default") &&
    !isReference(property["default"])
      ? [[name, property["default"]] as const]
      : [],
  );
  const { schemaProblem, problems, refusal } = await validateValue(compute, {
    words,
    schema: variables,
    values: Object.fromEntries(defaults),
    ignoreRequired: true,
    allowNullWithDefault: true,
  });
  if (schemaProblem !== null)
    return `The schema of the template's variables cannot be used: ${schemaProblem.message}`;
  if (refusal !== null)
    return `Validation failed for work pool's job variable defaults: ${refusal}`;
  if (problems.length === 0) return null;
  const texts = sentences(problems, "variables").slice(0, MOST_NAMED);
  return `The template's defaults do not fit their own schema: ${texts.join("; ")}`;
}
