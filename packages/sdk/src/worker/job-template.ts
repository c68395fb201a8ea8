// From the template of a pool and the variables of a deployment and a run to the configuration of a
// job.

import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { JobError, type JobTemplate } from "./runner.ts";

const PLACEHOLDER = /\{\{\s*([\w.$[\]-]+)\s*\}\}/g;
/** What does not come from variables but from the server or the worker's environment. */
const REFERENCE = /^(?:orchestrator|prefect)\.|^\$/;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Layers = readonly (JsonObject | null)[];

/** The template's defaults for variables of which no layer says anything. */
export function remainingDefaults({ variables }: JobTemplate, layers: Layers): JsonObject {
  const properties = variables["properties"];
  const defaults = Object.entries(isObject(properties) ? properties : {}).flatMap(
    ([name, property]) =>
      isObject(property) &&
      property["default"] != null &&
      !layers.some((layer) => layer?.[name] !== undefined)
        ? [[name, property["default"]] as const]
        : [],
  );
  return Object.fromEntries(defaults);
}

/**
 * The template's defaults, and over them what each layer says; `env` is put together name by name.
 */
export function mergeVariables(template: JobTemplate, layers: Layers): JsonObject {
  let merged = remainingDefaults(template, []);
  for (const layer of layers) {
    if (layer === null) continue;
    const [below, above] = [merged["env"], layer["env"]];
    const env = isObject(below) && isObject(above) ? { env: { ...below, ...above } } : {};
    merged = { ...merged, ...layer, ...env };
  }
  return merged;
}

/**
 * The job's configuration with its variables in their places. Fields whose variable has no value
 * are left out.
 */
export function fillVariables(template: JobTemplate, variables: JsonObject): JsonObject {
  const required = template.variables["required"];
  const missing = (Array.isArray(required) ? (required as readonly unknown[]) : [])
    .filter((name) => typeof name === "string")
    .filter((name) => variables[name] == null);
  if (missing.length > 0) {
    throw new JobError(
      `The pool's template asks for variables that have no value: ${missing.join(", ")}`,
    );
  }
  return fill(template.job_configuration, (name) =>
    REFERENCE.test(name) ? KEPT : (variables[name] ?? undefined),
  ) as JsonObject;
}

/** The references that are named anywhere in a configuration. */
export function referencesIn(configuration: JsonObject): ReadonlySet<string> {
  const names = [...JSON.stringify(configuration).matchAll(PLACEHOLDER)].map(([, name]) => name);
  return new Set(names.flatMap((name) => (name !== undefined && REFERENCE.test(name) ? name : [])));
}

export function fillReferences(
  configuration: JsonObject,
  values: ReadonlyMap<string, JsonValue>,
): JsonObject {
  return fill(configuration, (name) => (values.has(name) ? values.get(name) : KEPT)) as JsonObject;
}

/** Stays as it is written. */
const KEPT = Symbol("kept");
type Lookup = (name: string) => JsonValue | undefined | typeof KEPT;

function fill(value: JsonValue, lookup: Lookup): JsonValue | undefined {
  if (typeof value === "string") return fillText(value, lookup);
  if (Array.isArray(value)) return value.flatMap((item) => fill(item, lookup) ?? []);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const filled = fill(item, lookup);
    return filled === undefined ? [] : [[key, filled] as const];
  });
  return Object.fromEntries(entries);
}

/** A placeholder that stands alone becomes its value as it is; one within a text becomes text. */
function fillText(text: string, lookup: Lookup): JsonValue | undefined {
  const [only] = text.matchAll(PLACEHOLDER);
  if (only?.[0] === text.trim() && only[1] !== undefined) {
    const value = lookup(only[1]);
    return value === KEPT ? text : value;
  }
  return text.replaceAll(PLACEHOLDER, (written: string, name: string) => {
    const value = lookup(name);
    if (value === KEPT) return written;
    if (value === undefined || value === null) return "";
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
