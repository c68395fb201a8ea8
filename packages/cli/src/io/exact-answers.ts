// What was read is often written somewhere else, where every digit of it counts, and whether a number was a float.

import type { JsonFormat } from "@orchestrator/client/node";
import { readJson, withoutFraction, writeJson } from "@orchestrator/kernel/json";

/** Members that hold any JSON. In all others a float is nothing but a number to us. */
const FREE: ReadonlySet<string> = new Set([
  "base_job_template",
  "context",
  "data",
  "fields",
  "job_variables",
  "labels",
  "parameter_openapi_schema",
  "parameters",
  "payload",
  "pull_steps",
  "run_input",
  "storage_configuration",
  "value",
]);

export const EXACT_JSON: JsonFormat = {
  read: (text) => plainOutside(readJson(text)),
  write: writeJson,
};

function plainOutside(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return withoutFraction(value);
  const members = value as Record<string, unknown>;
  for (const name in members) {
    if (!FREE.has(name)) members[name] = plainOutside(members[name]);
  }
  return members;
}
