// Reading a JSON schema as far as a form needs it.
import type { JsonValue } from "@orchestrator/contract";

export type Values = Readonly<Record<string, JsonValue>>;
export type Schema = Readonly<Record<string, unknown>>;

export function asSchemas(value: unknown): Readonly<Record<string, Schema>> {
  return typeof value === "object" && value !== null ? (value as Record<string, Schema>) : {};
}

export const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Follows a reference to the definitions beside it, and takes the one kind of a value that may also be null. */
export function resolved(schema: Schema, root: Schema): Schema {
  const reference = schema["$ref"] ?? onlyReference(schema);
  if (typeof reference === "string") {
    const name = reference.split("/").at(-1) ?? "";
    const found = asSchemas(root["definitions"])[name] ?? asSchemas(root["$defs"])[name];
    return { ...found, ...schema };
  }
  const kinds = schema["anyOf"];
  if (!Array.isArray(kinds)) return schema;
  const others = (kinds as Schema[]).filter((kind) => kind["type"] !== "null");
  return others.length === 1 && others[0] ? { ...resolved(others[0], root), ...schema } : schema;
}

function onlyReference(schema: Schema): unknown {
  const all = schema["allOf"];
  return Array.isArray(all) && all.length === 1 ? (all[0] as Schema)["$ref"] : undefined;
}

/** Whether the values at `path` are secret: by their own word, or because the schema names them (`url`, `headers.*`). */
export function isSecret(schema: Schema, root: Schema, path: string): boolean {
  if (schema["format"] === "password") return true;
  const named = root["secret_fields"];
  return Array.isArray(named) && (named.includes(path) || named.includes(parentOf(path)));
}

const parentOf = (path: string): string => `${path.split(".").slice(0, -1).join(".")}.*`;

/** Whether every value of an object is a text, so that it can be filled in line by line. */
export function isTextMap(schema: Schema, root: Schema, path: string): boolean {
  const named = root["secret_fields"];
  if (Array.isArray(named) && named.includes(`${path}.*`)) return true;
  const more = schema["additionalProperties"];
  return schema["type"] === "object" && isValues(more) && more["type"] === "string";
}

/** What the items of a list are, where a line each is enough to write them. */
export function simpleItems(schema: Schema): "string" | "integer" | "number" | undefined {
  const items = schema["items"];
  if (schema["type"] !== "array" || !isValues(items) || items["enum"]) return undefined;
  const type = items["type"];
  return type === "string" || type === "integer" || type === "number" ? type : undefined;
}
