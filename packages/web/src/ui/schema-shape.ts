// Reading a JSON schema as far as a form needs it.
import type { JsonValue } from "@orchestrator/contract";

export type Values = Readonly<Record<string, JsonValue>>;
export type SchemaShape = Readonly<Record<string, unknown>>;

export function asSchemas(value: unknown): Readonly<Record<string, SchemaShape>> {
  return typeof value === "object" && value !== null ? (value as Record<string, SchemaShape>) : {};
}

export const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Follows a reference to the definitions beside it, and takes the one kind of a value that may also
 * be null.
 */
export function resolved(schema: SchemaShape, root: SchemaShape): SchemaShape {
  const reference = definitionOf(schema);
  if (reference !== undefined) {
    const name = reference.split("/").at(-1) ?? "";
    const found = asSchemas(root["definitions"])[name] ?? asSchemas(root["$defs"])[name];
    return { ...found, ...schema };
  }
  const others = kindsOf(schema);
  const [only] = others;
  if (others.length !== 1 || only === undefined) return schema;
  const { type, ...said } = schema;
  return { ...resolved(only, root), ...(Array.isArray(type) ? said : schema) };
}

const isNull = (kind: SchemaShape): boolean => kind["type"] === "null";

/**
 * Whether null is one of several kinds that a value may be; asked of the schema before it is
 * resolved.
 */
export const mayBeNull = (schema: SchemaShape): boolean => allKindsOf(schema).some(isNull);

/** What a value may be besides null, where that is said of several kinds. */
const kindsOf = (schema: SchemaShape): readonly SchemaShape[] =>
  allKindsOf(schema).filter((kind) => !isNull(kind));

function allKindsOf({ anyOf, type }: SchemaShape): readonly SchemaShape[] {
  const kinds = Array.isArray(type) ? type.map((one: unknown) => ({ type: one })) : anyOf;
  return Array.isArray(kinds) ? (kinds as SchemaShape[]) : [];
}

const IN_A_LINE: ReadonlySet<unknown> = new Set(["string", "integer", "number"]);

/**
 * Whether a value may be a text and a number as well, such as `512m` of memory, so that one line
 * can hold either.
 */
export function isTextOrNumber(schema: SchemaShape): boolean {
  const types = kindsOf(schema).map((kind) => kind["type"]);
  return types.includes("string") && types.every((type) => IN_A_LINE.has(type));
}

/** The definition that a resolved schema was taken from; undefined where it stands for itself. */
export function definitionOf(schema: SchemaShape): string | undefined {
  const reference = schema["$ref"] ?? onlyReference(schema);
  return typeof reference === "string" ? reference : undefined;
}

/** Whether a schema is filled in as a group of fields. */
export const isGroup = (schema: SchemaShape): boolean =>
  schema["type"] === "object" && Object.keys(asSchemas(schema["properties"])).length > 0;

export const isRequired = (schema: SchemaShape, name: string): boolean =>
  Array.isArray(schema["required"]) && schema["required"].includes(name);

/** The definitions that the groups around are of. */
export type Around = readonly (string | undefined)[];

/**
 * With what the form shows as well, though nobody touched it, where something has to be said: an
 * empty box says no.
 */
export function filledIn(
  schema: SchemaShape,
  values: Values,
  root = schema,
  around: Around = [],
): Values {
  const filled: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(asSchemas(schema["properties"]))) {
    const value = values[name];
    const isMissing = value === undefined && isRequired(schema, name);
    const full = isMissing ? untouchedOf(property, root, around) : fullGroup(value, property, root);
    if (full !== undefined && full !== value) filled[name] = full;
  }
  // What is as it was stays the same value, so that it is no change.
  return Object.keys(filled).length === 0 ? values : { ...values, ...filled };
}

function fullGroup(value: unknown, property: SchemaShape, root: SchemaShape): Values | undefined {
  const shape = resolved(property, root);
  return isValues(value) && isGroup(shape) ? filledIn(shape, value, root) : undefined;
}

function untouchedOf(
  property: SchemaShape,
  root: SchemaShape,
  around: Around,
): JsonValue | undefined {
  const shape = resolved(property, root);
  if (shape["default"] !== undefined) return shape["default"] as JsonValue;
  if (shape["type"] === "boolean") return false;
  if (mayBeNull(property)) return null;
  const definition = definitionOf(shape);
  // One that has to hold itself would never end: what is missing is for the server to say.
  if (!isGroup(shape) || (definition !== undefined && around.includes(definition)))
    return undefined;
  return filledIn(shape, {}, root, [...around, definition]);
}

function onlyReference(schema: SchemaShape): unknown {
  const all = schema["allOf"];
  return Array.isArray(all) && all.length === 1 ? (all[0] as SchemaShape)["$ref"] : undefined;
}

/**
 * Whether the values at `path` are secret: by their own word, or because the schema names them
 * (`url`, `headers.*`).
 */
export function isSecret(schema: SchemaShape, root: SchemaShape, path: string): boolean {
  if (schema["format"] === "password") return true;
  const named = root["secret_fields"];
  return Array.isArray(named) && (named.includes(path) || named.includes(parentOf(path)));
}

const parentOf = (path: string): string => `${path.split(".").slice(0, -1).join(".")}.*`;

/** Whether every value of an object is a text, so that it can be filled in line by line. */
export function isTextMap(schema: SchemaShape, root: SchemaShape, path: string): boolean {
  const named = root["secret_fields"];
  if (Array.isArray(named) && named.includes(`${path}.*`)) return true;
  const more = schema["additionalProperties"];
  return schema["type"] === "object" && isValues(more) && more["type"] === "string";
}

/** What the items of a list are, where a line each is enough to write them. */
export function simpleItems(schema: SchemaShape): "string" | "integer" | "number" | undefined {
  const items = schema["items"];
  if (schema["type"] !== "array" || !isValues(items) || items["enum"]) return undefined;
  const type = items["type"];
  return type === "string" || type === "integer" || type === "number" ? type : undefined;
}
