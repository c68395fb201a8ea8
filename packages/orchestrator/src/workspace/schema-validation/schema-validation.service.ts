import type { SchemaValidationRequest, SchemaValidationResult } from "@orchestrator/contract";
import { isWithin, type SchemaProblem } from "@orchestrator/json-schema/problems";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { errorTree } from "../../parameters/error-tree.ts";
import { hydrateParameters } from "../../parameters/hydrate.ts";
import { validateValue } from "../../parameters/validate.ts";
import { variableValues } from "../variables/variable-values.store.ts";

/**
 * Checks what a form holds before it is sent. Templates are not rendered yet, so whatever they give
 * is fine.
 */
export async function validateValues(
  ctx: OrchestratorContext,
  scope: Scope,
  { schema, values }: SchemaValidationRequest,
): Promise<SchemaValidationResult> {
  const variables = variableValues(ctx.db.in(scope.workspaceId));
  const compute = ctx.compute.for(scope);
  const hydrated = await hydrateParameters(values, { compute, variables, isRendered: false });
  const { schemaProblem, problems } = await validateValue(compute, {
    schema,
    values: hydrated.value,
    // As the established server does here, and nowhere else.
    checksFormats: true,
    words: ctx.dialect.problemWords,
  });
  if (schemaProblem !== null) throw invalidSchema(schemaProblem);
  const undecided = [...hydrated.unrendered, ...hydrated.problems.map(({ path }) => path)];
  const errors = errorTree([
    ...hydrated.problems,
    ...problems.filter(({ path }) => !undecided.some((place) => isWithin(path, place))),
  ]);
  return { valid: errors.length === 0, errors };
}

function invalidSchema({ message, isCircular }: SchemaProblem): AppError {
  const reason = isCircular ? `it has circular references, ${message}` : message;
  return new AppError("invalid", `Invalid schema: ${reason}`);
}
