import type { Deployment, JsonValue } from "@orchestrator/contract";
import { withoutFraction } from "@orchestrator/kernel/json";

export type Values = Readonly<Record<string, JsonValue>>;

export const parametersOf = ({ parameters }: Pick<Deployment, "parameters">): Values =>
  parameters as Values;

/** Where a deployment has no schema, its own parameters tell what can be filled in. */
export function schemaOf(
  deployment: Pick<Deployment, "parameters" | "parameter_openapi_schema">,
): Readonly<Record<string, unknown>> {
  if (deployment.parameter_openapi_schema) return deployment.parameter_openapi_schema;
  const properties = Object.fromEntries(
    Object.entries(parametersOf(deployment)).map(([name, value]) => [
      name,
      { type: kindOf(value) },
    ]),
  );
  return { type: "object", properties };
}

function kindOf(value: unknown): string {
  const kind = typeof withoutFraction(value);
  return kind === "bigint" ? "number" : kind;
}
