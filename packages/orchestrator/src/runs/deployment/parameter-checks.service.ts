// What a deployment's parameters and job variables have to fit, looked at before anything is
// written.

import type { DeploymentCreate, DeploymentUpdate, JsonObject } from "@orchestrator/contract";
import { type JsonMap, mergeMembers, readJson, writeJson } from "@orchestrator/exact-json";
import { sentences } from "@orchestrator/json-schema/problems";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import type { DeploymentRow } from "../../db/tables/deployments.table.ts";
import { hydrateParameters } from "../../parameters/hydrate.ts";
import { MAX_PARAMETERS_BYTES, parametersTooLarge } from "../../parameters/merge.ts";
import { type SchemaSource, validateValue } from "../../parameters/validate.ts";
import { expandTemplate } from "../../work/pools/template-blocks.service.ts";
import { variableValues } from "../../workspace/variables/variable-values.store.ts";
import type { PoolTemplate } from "./job-templates.store.ts";
import { jobVariableProblems } from "./job-variables.service.ts";

const SHOWN = 5;

const invalid = (key: string | null, problem: string): InvalidRequestError => {
  const loc = key === null ? ["body"] : ["body", key];
  return new InvalidRequestError([{ type: "value_error", loc, msg: `Value error, ${problem}` }]);
};

export function refuseLargeParameters(parameters: unknown): void {
  if (parameters != null && parametersTooLarge(writeJson(parameters)))
    throw invalid("parameters", `parameters take more than ${MAX_PARAMETERS_BYTES} bytes`);
}

/**
 * Who asks for a schema to be enforced must give one, and parameters that fit it as far as they go.
 */
export async function checkNewParameters(
  ctx: Pick<OrchestratorContext, "compute" | "dialect">,
  scope: Scope,
  body: DeploymentCreate,
): Promise<void> {
  refuseLargeParameters(body.parameters);
  if (body.enforce_parameter_schema !== true) return;
  const schema = body.parameter_openapi_schema ?? {};
  const { schemaProblem, problems, refusal } = await validateValue(ctx.compute.for(scope), {
    schema,
    values: body.parameters ?? {},
    ignoreRequired: true,
    words: ctx.dialect.problemWords === "own" ? "own" : "client-of-deployment",
  });
  if (schemaProblem !== null) throw invalid("parameter_openapi_schema", schemaProblem.message);
  if (refusal !== null) throw invalid(null, refusal);
  if (problems.length > 0) throw invalid("parameters", summary(sentences(problems)));
}

/** The changes with parameters worked out, once they are known to fit. */
export async function checkChangedParameters(
  ctx: Pick<OrchestratorContext, "db" | "compute" | "dialect">,
  scope: Scope,
  row: DeploymentRow,
  changes: DeploymentUpdate,
): Promise<DeploymentUpdate> {
  refuseLargeParameters(changes.parameters);
  const parameters =
    changes.parameters == null ? null : await hydrated(ctx, scope, changes.parameters);
  const enforces = changes.enforce_parameter_schema ?? row.enforce_parameter_schema;
  const concerns = ["parameters", "parameter_openapi_schema", "enforce_parameter_schema"] as const;
  if (enforces && concerns.some((key) => changes[key] != null)) {
    const schema = changes.parameter_openapi_schema ?? row.parameter_openapi_schema;
    const values = parameters ?? (readJson(row.parameters) as JsonMap);
    const doing = "updating deployment";
    await assertFit(ctx, scope, { schema, values, ignoreRequired: true, doing });
  }
  return parameters === null ? changes : { ...changes, parameters: parameters as JsonObject };
}

/** The parameters of a run: placeholders are worked out, and the result fits the schema. */
export async function parametersOfRun(
  ctx: Pick<OrchestratorContext, "db" | "compute" | "dialect">,
  scope: Scope,
  {
    layers,
    schema,
    isEnforced,
  }: {
    /** Lowest first: those of the deployment, then those of the run. */
    readonly layers: readonly JsonMap[];
    readonly schema: SchemaSource | null;
    readonly isEnforced: boolean;
  },
): Promise<JsonMap> {
  const values = await hydrated(ctx, scope, mergeMembers(...layers));
  const doing = "creating flow run";
  if (isEnforced) await assertFit(ctx, scope, { schema, values, ignoreRequired: false, doing });
  return values;
}

/** Works out placeholders; what they become must still be small enough. */
export async function hydrated(
  { db, compute }: Pick<OrchestratorContext, "db" | "compute">,
  scope: Scope,
  parameters: JsonMap,
): Promise<JsonMap> {
  const { value, problems } = await hydrateParameters(parameters, {
    compute: compute.for(scope),
    variables: variableValues(db.in(scope.workspaceId)),
  });
  if (problems.length > 0) throw new AppError("bad_request", summary(sentences(problems)));
  refuseLargeParameters(value);
  return value;
}

/** What is refused, as the established client begins its sentence. */
type Doing =
  | "creating flow run"
  | "creating deployment"
  | "updating flow run"
  | "updating deployment"
  | "creating automation";

/** The schema may be given as its text, which is cheaper. */
async function assertFit(
  { compute, dialect }: Pick<OrchestratorContext, "compute" | "dialect">,
  scope: Scope,
  {
    schema,
    doing,
    ...given
  }: {
    readonly schema: SchemaSource | null;
    readonly values: JsonMap;
    readonly ignoreRequired: boolean;
    readonly doing: Doing;
  },
): Promise<void> {
  if (schema === null)
    throw new AppError("conflict", "The deployment has no parameter schema that could be enforced");
  const { schemaProblem, problems, refusal } = await validateValue(compute.for(scope), {
    schema,
    words: dialect.problemWords,
    ...given,
  });
  if (schemaProblem !== null) {
    const code = schemaProblem.isCircular ? "invalid" : "conflict";
    throw new AppError(code, `The parameter schema cannot be used: ${schemaProblem.message}`);
  }
  if (refusal !== null) throw new AppError(dialect.unfitParameters, `Error ${doing}: ${refusal}`);
  if (problems.length > 0)
    throw new AppError(dialect.unfitParameters, summary(sentences(problems)));
}

/** Throws with `code` when job variables do not fit the pool's template. */
export async function assertJobVariables(
  ctx: Pick<OrchestratorContext, "db" | "compute" | "keyring" | "dialect">,
  scope: Scope,
  {
    template: { base_job_template },
    layers,
    requireAll,
    code,
    doing,
  }: {
    readonly template: PoolTemplate;
    readonly layers: readonly JsonMap[];
    readonly requireAll: boolean;
    readonly code: "invalid" | "conflict";
    readonly doing: Doing;
  },
): Promise<void> {
  const given = readJson(base_job_template) as JsonObject;
  const template = await expandTemplate(ctx, ctx.db.in(scope.workspaceId), given);
  const compute = ctx.compute.for(scope);
  const words = ctx.dialect.problemWords;
  const { problems, refusal } = await jobVariableProblems(compute, template, layers, {
    requireAll,
    words,
  });
  if (refusal !== null) throw new AppError(code, `Error ${doing}: ${refusal}`);
  if (problems.length === 0) return;
  if (code === "invalid") throw invalid("job_variables", summary(problems));
  throw new AppError(code, summary(problems));
}

function summary(problems: readonly string[]): string {
  const shown = problems.slice(0, SHOWN).join("; ");
  const more = problems.length - SHOWN;
  return more > 0 ? `${shown}, and ${more} more` : shown;
}
