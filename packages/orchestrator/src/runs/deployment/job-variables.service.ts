// Whether job variables fit the variables that a pool's job template declares.

import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { isMap, type JsonMap } from "@orchestrator/exact-json";
import { sentences } from "@orchestrator/json-schema/problems";
import type { Compute } from "@orchestrator/kernel/compute";
import { type ProblemWords, validateValue } from "../../parameters/validate.ts";
import { isReference } from "../../work/pools/template-blocks.rules.ts";

/** Lowest first: those of the deployment, then those of the run. */
type Layers = readonly JsonMap[];

/**
 * What is wrong with job variables, as sentences, and as one in the words of the established
 * client. Defaults of the template fill what is left open; a default that does not fit itself is
 * left out, and then nobody can say what is required.
 */
export async function jobVariableProblems(
  compute: Compute,
  { variables: schema }: JsonObject,
  layers: Layers,
  { requireAll, words }: { readonly requireAll: boolean; readonly words: ProblemWords },
): Promise<{ readonly problems: readonly string[]; readonly refusal: string | null }> {
  if (!isMap(schema)) return { problems: [], refusal: null };
  const { defaults, isComplete } = await usableDefaults(compute, schema);
  const values = Object.assign({}, defaults, ...layers) as JsonMap;
  const { schemaProblem, problems, refusal } = await validateValue(compute, {
    schema,
    values,
    words,
    ignoreRequired: !requireAll || !isComplete,
    allowNullWithDefault: true,
  });
  if (schemaProblem === null) return { problems: sentences(problems, "job_variables"), refusal };
  const problem = `The pool's job template cannot be used: ${schemaProblem.message}`;
  return { problems: [problem], refusal: null };
}

async function usableDefaults(
  compute: Compute,
  schema: JsonMap,
): Promise<{ defaults: JsonMap; isComplete: boolean }> {
  const { properties } = schema;
  if (!isMap(properties)) return { defaults: {}, isComplete: true };
  const defaults: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isMap(property) || !Object.hasOwn(property, "default")) continue;
    const value = property["default"] as JsonValue;
    if (value !== null && !isReference(value)) defaults[name] = value;
  }
  const options = { ignoreRequired: true, allowNullWithDefault: true };
  const { problems } = await validateValue(compute, { schema, values: defaults, ...options });
  const unfit = new Set(problems.map(({ path }) => path[0]));
  for (const name of Object.keys(defaults)) if (unfit.has(name)) delete defaults[name];
  return { defaults, isComplete: unfit.size === 0 };
}
