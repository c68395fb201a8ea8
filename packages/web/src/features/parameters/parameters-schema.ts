import type { Deployment, JsonValue } from "@orchestrator/contract";
import { withoutFraction } from "@orchestrator/exact-json";
import {
  asSchemas,
  filledIn,
  mayBeNull,
  resolved,
  type SchemaShape,
  type Values,
} from "../../ui/schema-shape.ts";

export const deploymentParametersOf = ({ parameters }: Pick<Deployment, "parameters">): Values =>
  parameters as Values;

/** Where a deployment has no schema, its own parameters tell what can be filled in. */
export function schemaOf(
  deployment: Pick<Deployment, "parameters" | "parameter_openapi_schema">,
): SchemaShape {
  if (deployment.parameter_openapi_schema) return deployment.parameter_openapi_schema;
  const properties = Object.fromEntries(
    Object.entries(deploymentParametersOf(deployment)).map(([name, value]) => [
      name,
      { type: kindOf(value) },
    ]),
  );
  return { type: "object", properties };
}

/**
 * The schema for those whose values are laid over the deployment's own: these are what a field that
 * is left out means.
 */
export function schemaOverOwn(
  deployment: Pick<Deployment, "parameters" | "parameter_openapi_schema">,
): SchemaShape {
  const schema = schemaOf(deployment);
  const own = deploymentParametersOf(deployment);
  const properties = Object.entries(asSchemas(schema["properties"])).map(([name, property]) => [
    name,
    Object.hasOwn(own, name) ? { ...property, default: own[name] } : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/**
 * Values that are laid over the deployment's own, with what their form shows as well where it has
 * nothing of its own.
 */
export function filledOverOwn(
  deployment: Pick<Deployment, "parameters" | "parameter_openapi_schema">,
  values: Values,
): Values {
  const own = deploymentParametersOf(deployment);
  const filled = Object.entries(filledIn(schemaOf(deployment), { ...own, ...values }));
  return Object.fromEntries(
    filled.filter(([name, value]) => Object.hasOwn(values, name) || value !== own[name]),
  );
}

/** What a run is to get otherwise than its deployment has it. The server fills in the others. */
export function changedValues(before: Values, now: Values, schema: SchemaShape): Values {
  const changed = Object.entries(now).filter(([name, value]) => value !== before[name]);
  const emptied = Object.keys(before).filter((name) => !Object.hasOwn(now, name));
  const properties = asSchemas(schema["properties"]);
  return Object.fromEntries([
    ...changed,
    ...emptied.map((name) => [name, emptyOf(properties[name] ?? {}, schema)] as const),
  ]);
}

/** What an empty field means: its default, or that there is nothing. */
function emptyOf(property: SchemaShape, root: SchemaShape): JsonValue {
  const { default: standard, enum: choices, type } = resolved(property, root);
  if (standard !== undefined) return standard as JsonValue;
  if (mayBeNull(property) || choices !== undefined) return null;
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
