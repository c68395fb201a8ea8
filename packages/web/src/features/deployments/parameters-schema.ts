import type { Deployment, JsonValue } from "@orchestrator/contract";
import { withoutFraction } from "@orchestrator/kernel/json";
import { asSchemas, resolved, type Schema, type Values } from "../../ui/schema-shape.ts";

export const parametersOf = ({ parameters }: Pick<Deployment, "parameters">): Values =>
  parameters as Values;

/** Where a deployment has no schema, its own parameters tell what can be filled in. */
export function schemaOf(
  deployment: Pick<Deployment, "parameters" | "parameter_openapi_schema">,
): Schema {
  if (deployment.parameter_openapi_schema) return deployment.parameter_openapi_schema;
  const properties = Object.fromEntries(
    Object.entries(parametersOf(deployment)).map(([name, value]) => [
      name,
      { type: kindOf(value) },
    ]),
  );
  return { type: "object", properties };
}

/** What a run is to get otherwise than its deployment has it. The server fills in the others. */
export function changedValues(before: Values, now: Values, schema: Schema): Values {
  const changed = Object.entries(now).filter(([name, value]) => value !== before[name]);
  const emptied = Object.keys(before).filter((name) => !Object.hasOwn(now, name));
  const properties = asSchemas(schema["properties"]);
  return Object.fromEntries([
    ...changed,
    ...emptied.map((name) => [name, emptyOf(resolved(properties[name] ?? {}, schema))] as const),
  ]);
}

/** What an empty field means: its default, or that there is nothing. */
function emptyOf({ default: standard, type }: Schema): JsonValue {
  if (standard !== undefined) return standard as JsonValue;
  if (type === "string") return "";
  if (type === "array") return [];
  return type === "object" ? {} : null;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof withoutFraction(value);
  return kind === "bigint" ? "number" : kind;
}
