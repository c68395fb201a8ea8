// What a deployment's parameters and job variables have to fit, looked at before anything is written.

import type { DeploymentCreate, DeploymentUpdate, JsonObject } from "@orchestrator/contract";
import {
  AppError,
  InvalidRequestError,
  type Queries,
  readJson,
  writeJson,
} from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { hydrateParameters } from "../../parameters/hydrate.ts";
import type { JsonMap } from "../../parameters/json-equality.ts";
import { type SchemaSource, validateParameters } from "../../parameters/json-schema.ts";
import { MAX_PARAMETERS_BYTES, parametersTooLarge } from "../../parameters/merge.ts";
import { sentences } from "../../parameters/problems.ts";
import { variableValues } from "../../parameters/variable-values.store.ts";
import { expandTemplate } from "../work-pools/template-blocks.service.ts";
import type { DeploymentRow } from "./deployments.table.ts";
import type { PoolTemplate } from "./job-templates.store.ts";
import { jobVariableProblems } from "./job-variables.rules.ts";

const SHOWN = 5;

const invalid = (key: string, problem: string): InvalidRequestError =>
  new InvalidRequestError([
    { type: "value_error", loc: ["body", key], msg: `Value error, ${problem}` },
  ]);

export function refuseLargeParameters(parameters: unknown): void {
  if (parameters != null && parametersTooLarge(writeJson(parameters)))
    throw invalid("parameters", `parameters take more than ${MAX_PARAMETERS_BYTES} bytes`);
}

/** Who asks for a schema to be enforced must give one, and parameters that fit it as far as they go. */
export function checkNewParameters(body: DeploymentCreate): void {
  refuseLargeParameters(body.parameters);
  if (body.enforce_parameter_schema !== true) return;
  const schema = body.parameter_openapi_schema ?? {};
  const { schemaProblem, problems } = validateParameters(schema, body.parameters ?? {}, {
    ignoreRequired: true,
  });
  if (schemaProblem !== null) throw invalid("parameter_openapi_schema", schemaProblem.message);
  if (problems.length > 0) throw invalid("parameters", summary(sentences(problems)));
}

/** The changes with parameters worked out, once they are known to fit. */
export async function checkChangedParameters(
  ctx: Pick<OrchestratorContext, "dialect">,
  queries: Queries,
  row: DeploymentRow,
  changes: DeploymentUpdate,
): Promise<DeploymentUpdate> {
  refuseLargeParameters(changes.parameters);
  const parameters =
    changes.parameters == null ? null : await hydrated(queries, changes.parameters);
  const enforces = changes.enforce_parameter_schema ?? row.enforce_parameter_schema;
  const concerns = ["parameters", "parameter_openapi_schema", "enforce_parameter_schema"] as const;
  if (enforces && concerns.some((key) => changes[key] != null)) {
    const schema = changes.parameter_openapi_schema ?? row.parameter_openapi_schema;
    const values = parameters ?? (readJson(row.parameters) as JsonMap);
    assertFit(ctx, schema, { values, ignoreRequired: true });
  }
  return parameters === null ? changes : { ...changes, parameters: parameters as JsonObject };
}

/** Works out placeholders; what they become must still be small enough. */
export async function hydrated(queries: Queries, parameters: JsonMap): Promise<JsonMap> {
  const { value, problems } = await hydrateParameters(parameters, {
    variables: variableValues(queries),
  });
  if (problems.length > 0) throw new AppError("bad_request", summary(sentences(problems)));
  refuseLargeParameters(value);
  return value;
}

/** The schema may be given as its text, which is cheaper. */
export function assertFit(
  { dialect }: Pick<OrchestratorContext, "dialect">,
  schema: SchemaSource | null,
  { values, ...options }: { readonly values: JsonMap; readonly ignoreRequired: boolean },
): void {
  if (schema === null)
    throw new AppError("conflict", "The deployment has no parameter schema that could be enforced");
  const { schemaProblem, problems } = validateParameters(schema, values, options);
  if (schemaProblem !== null) {
    const code = schemaProblem.isCircular ? "invalid" : "conflict";
    throw new AppError(code, `The parameter schema cannot be used: ${schemaProblem.message}`);
  }
  if (problems.length > 0)
    throw new AppError(dialect.unfitParameters, summary(sentences(problems)));
}

/** Throws with `code` when job variables do not fit the pool's template. */
export async function assertJobVariables(
  ctx: Pick<OrchestratorContext, "keyring">,
  queries: Queries,
  {
    template: { base_job_template },
    layers,
    requireAll,
    code,
  }: {
    readonly template: PoolTemplate;
    readonly layers: readonly JsonMap[];
    readonly requireAll: boolean;
    readonly code: "invalid" | "conflict";
  },
): Promise<void> {
  const given = readJson(base_job_template) as JsonObject;
  const template = await expandTemplate(ctx, queries, given);
  const problems = jobVariableProblems(template, layers, { requireAll });
  if (problems.length === 0) return;
  if (code === "invalid") throw invalid("job_variables", summary(problems));
  throw new AppError(code, summary(problems));
}

function summary(problems: readonly string[]): string {
  const shown = problems.slice(0, SHOWN).join("; ");
  const more = problems.length - SHOWN;
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
