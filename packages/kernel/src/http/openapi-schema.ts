import { hasType, isSchema, type JsonSchema, requiredNames } from "./json-schema.ts";
import { tagsOfBranch } from "./tags-of-unions.ts";

/**
 * Keywords only this server understands; readers of the document get what they mean in plain JSON
 * schema.
 */
const OWN_KEYWORDS = new Set([
  "lax",
  "nullAsAbsent",
  "ownFilter",
  "maxJsonLength",
  "maxBytes",
  "secret",
  "synonyms",
  "detailPrefix",
  "problem",
  "$id",
  "$defs",
]);

const LAX_TYPES: Readonly<Record<string, JsonSchema>> = {
  uuid: { type: "string", format: "uuid" },
  "date-time": { type: "string", format: "date-time" },
  duration: { type: "number" },
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
};

const HOLDS_NAMED_SCHEMAS = new Set(["properties", "patternProperties"]);
const HOLDS_SCHEMAS = new Set([
  "items",
  "prefixItems",
  "additionalProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "allOf",
  "anyOf",
  "oneOf",
]);

const COMPONENTS = "#/components/schemas/";

/** Collects the schemas that have a name, so that each is described once. */
export interface SchemaComponents {
  readonly schemas: Readonly<Record<string, unknown>>;
  /** The schema as the document shows it: a reference when it has a name. */
  readonly describe: (schema: unknown) => unknown;
}

export function createSchemaComponents(): SchemaComponents {
  const schemas: Record<string, unknown> = {};
  const sources = new Map<string, string>();

  const name = (id: string, schema: JsonSchema): string => {
    const key = id.replace(/[^\w.-]/g, "_");
    const source = JSON.stringify(schema);
    const known = sources.get(key);
    if (known === undefined) {
      sources.set(key, source);
      schemas[key] = body(schema);
    } else if (known !== source) {
      throw new Error(`Two different schemas have the id ${id}`);
    }
    return COMPONENTS + key;
  };

  const describe = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(describe);
    if (!isSchema(schema)) return schema;
    const id = schema["$id"];
    if (typeof id !== "string") return body(schema);
    // What is said about one use of a schema stands beside the reference.
    const { default: fallback, description, ...rest } = schema;
    const $ref = name(id, rest);
    return {
      $ref,
      ...(description === undefined ? {} : { description }),
      ...(fallback === undefined ? {} : { default: fallback }),
    };
  };

  const body = (schema: JsonSchema): JsonSchema => {
    if (isSchema(schema["$defs"])) {
      for (const [key, definition] of Object.entries(schema["$defs"])) {
        if (isSchema(definition)) name(key, definition);
      }
    }
    const shown: Record<string, unknown> = {
      ...(schema["type"] === undefined ? LAX_TYPES[String(schema["lax"])] : undefined),
    };
    for (const [keyword, value] of Object.entries(schema)) {
      if (!OWN_KEYWORDS.has(keyword)) shown[keyword] = describeKeyword(keyword, value);
    }
    if (schema["nullAsAbsent"] === true) shown["properties"] = withAbsence(schema, shown);
    if (isSchema(schema["discriminator"])) shown["discriminator"] = mappedTags(schema, shown);
    if (Array.isArray(schema["required"])) {
      const required = requiredNames(schema);
      if (required.length > 0) shown["required"] = required;
      else delete shown["required"];
    }
    return shown;
  };

  const describeKeyword = (keyword: string, value: unknown): unknown => {
    if (HOLDS_NAMED_SCHEMAS.has(keyword)) return mapValues(value as JsonSchema, describe);
    if (HOLDS_SCHEMAS.has(keyword)) return describe(value);
    if (keyword === "$ref" && !String(value).startsWith("#")) return COMPONENTS + String(value);
    return value;
  };

  return { schemas, describe };
}

/** Null stands for a parameter that is not given wherever one need not be given. */
function withAbsence(schema: JsonSchema, { properties }: JsonSchema): JsonSchema {
  const required = new Set(requiredNames(schema));
  return Object.fromEntries(
    Object.entries(properties as JsonSchema).map(([name, property]) => [
      name,
      required.has(name) ? property : orNull(property),
    ]),
  );
}

function orNull(schema: unknown): unknown {
  if (!isSchema(schema) || hasType(schema, "null")) return schema;
  const { type, enum: words } = schema;
  if (type !== undefined && schema["oneOf"] === undefined && schema["const"] === undefined)
    return {
      ...schema,
      type: [type, "null"].flat(),
      ...(Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {}),
    };
  const { description, default: fallback, anyOf, ...rest } = schema;
  // Without any of these it is whatever JSON there is, null included.
  if (Object.keys(rest).length === 0 && anyOf === undefined) return schema;
  return {
    anyOf: [...(Array.isArray(anyOf) ? (anyOf as unknown[]) : [rest]), { type: "null" }],
    ...(Array.isArray(anyOf) ? rest : {}),
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

/** Readers find the record of a tag by its reference alone, so each record needs a name. */
function mappedTags(schema: JsonSchema, { oneOf }: JsonSchema): JsonSchema {
  const discriminator = schema["discriminator"] as { readonly propertyName: string };
  const branches = schema["oneOf"] as readonly unknown[];
  const mapping: Record<string, string> = {};
  for (const [index, shown] of (oneOf as readonly JsonSchema[]).entries()) {
    const tags = tagsOfBranch(branches[index], discriminator.propertyName);
    const $ref = shown["$ref"];
    if (typeof $ref !== "string" || tags.length === 0)
      throw new Error(`A record of a tagged union has no $id or no tag: ${JSON.stringify(shown)}`);
    for (const tag of tags) mapping[tag] = $ref;
  }
  return { ...discriminator, mapping };
}

function mapValues(map: JsonSchema, change: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
