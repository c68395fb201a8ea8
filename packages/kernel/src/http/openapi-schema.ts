import { isSchema, type JsonSchema, requiredNames } from "./json-schema.ts";

/** Keywords only this server understands; readers of the document get what they mean in plain JSON schema. */
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

function mapValues(map: JsonSchema, change: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
