// What was read is often written somewhere else, where every digit of it counts, and whether a
// number was a float.

import type { JsonFormat } from "@orchestrator/client/node";
import { floatsOnlyIn, readJson, writeJson } from "@orchestrator/exact-json";

/** Members that hold any JSON. */
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

export const EXACT_JSON_FORMAT: JsonFormat = {
  read: (text) => floatsOnlyIn(FREE, readJson(text)),
  write: writeJson,
};
