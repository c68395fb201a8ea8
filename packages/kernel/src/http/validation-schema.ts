import { isNull, isSchema, type JsonSchema } from "./json-schema.ts";
import { BOUNDS, type LaxKind, type LaxRule } from "./lax-keyword.ts";
import { isScalarTypes } from "./scalar-types-keyword.ts";
import { taggedBy } from "./tags-of-unions.ts";

/**
 * A schema rewritten for the validator, with the shared schemas it refers to and the keys whose
 * values are secret.
 */
export interface PreparedSchema {
  readonly schema: JsonSchema;
  readonly shared: ReadonlyMap<string, JsonSchema>;
  readonly secretKeys: ReadonlySet<string>;
}

/**
 * Annotations and keywords that other parts of the server read; the validator has no use for them.
 */
const IGNORED = new Set([
  "$id",
  "title",
  "description",
  "examples",
  "deprecated",
  "readOnly",
  "format",
]);
const MAPS_OF_SCHEMAS = new Set(["properties", "patternProperties"]);
const SCHEMAS = new Set([
  "items",
  "additionalProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
]);

/**
 * Rewrites a schema so that it validates fast and fails readably: shared schemas (those with an
 * `$id`) become references that are compiled once, unions know their branches, `X or null` is no
 * union, and the lax keywords carry all they have to check.
 */
export function prepareSchema(schema: JsonSchema): PreparedSchema {
  const shared = new Map<string, JsonSchema>();
  const secretKeys = new Set<string>();
  const preparer = new Preparer(shared, secretKeys);
  const prepared = preparer.body(schema);
  return { schema: prepared, shared, secretKeys: schema["secret"] === true ? ALL : secretKeys };
}

class EveryKey extends Set<string> {
  override has(): boolean {
    return true;
  }
}

/**
 * For a schema that is secret as a whole: also what stands at a key it does not know may be the
 * secret.
 */
const ALL: ReadonlySet<string> = new EveryKey();

class Preparer {
  readonly #shared: Map<string, JsonSchema>;
  readonly #secretKeys: Set<string>;

  constructor(shared: Map<string, JsonSchema>, secretKeys: Set<string>) {
    this.#shared = shared;
    this.#secretKeys = secretKeys;
  }

  node(schema: unknown): unknown {
    if (!isSchema(schema)) return schema;
    const id = schema["$id"];
    if (typeof id !== "string") return this.body(schema);
    this.#share(id, schema);
    return "default" in schema ? { $ref: id, default: schema["default"] } : { $ref: id };
  }

  body(schema: JsonSchema): JsonSchema {
    if (isSchema(schema["$defs"])) {
      for (const [name, definition] of Object.entries(schema["$defs"])) {
        this.#share(name, definition as JsonSchema);
      }
    }
    if (typeof schema["lax"] === "string") return laxBody(schema, schema["lax"] as LaxKind);
    const union = schema["anyOf"] ?? schema["oneOf"];
    if (Array.isArray(union) && schema["discriminator"] === undefined) {
      return this.#union(schema, union);
    }
    return this.#keywords(schema);
  }

  #union(schema: JsonSchema, union: readonly unknown[]): JsonSchema {
    const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
    const branches = union.filter((branch) => !isNull(branch)).map((branch) => this.node(branch));
    const choice = branches.length === 1 ? branches[0] : { variants: branches };
    const others = this.#keywords(rest);
    if (branches.length === union.length) return { ...others, ...(choice as JsonSchema) };
    return { ...others, if: { type: "null" }, else: choice };
  }

  #keywords(schema: JsonSchema): JsonSchema {
    const prepared: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (IGNORED.has(keyword) || keyword === "$defs") continue;
      if (MAPS_OF_SCHEMAS.has(keyword)) prepared[keyword] = this.#map(value as JsonSchema);
      else if (SCHEMAS.has(keyword)) prepared[keyword] = this.#oneOrMany(value);
      else if (keyword === "allOf" || keyword === "oneOf")
        prepared[keyword] = this.#oneOrMany(value);
      else if (keyword === "type" && isScalarTypes(value)) prepared["scalarTypes"] = value;
      else prepared[keyword] = keyword === "discriminator" ? taggedBy(schema) : value;
    }
    return prepared;
  }

  #map(schemas: JsonSchema): JsonSchema {
    const prepared: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(schemas)) {
      if (isSchema(schema) && (schema["writeOnly"] === true || schema["secret"] === true)) {
        this.#secretKeys.add(name);
      }
      prepared[name] = this.node(schema);
    }
    return prepared;
  }

  #oneOrMany(value: unknown): unknown {
    return Array.isArray(value) ? value.map((item) => this.node(item)) : this.node(value);
  }

  #share(id: string, schema: JsonSchema): void {
    if (this.#shared.has(id)) return;
    // Reserved first: a schema may refer to itself.
    this.#shared.set(id, {});
    // A default belongs to the place that refers to the schema.
    const { default: _default, ...rest } = schema;
    this.#shared.set(id, this.body(rest));
  }
}

function laxBody(schema: JsonSchema, kind: LaxKind): JsonSchema {
  const types = schema["type"];
  const bounds = BOUNDS.filter((bound) => typeof schema[bound] === "number");
  const lax: LaxRule = {
    kind,
    nullable: Array.isArray(types) && types.includes("null"),
    ...Object.fromEntries(bounds.map((bound) => [bound, schema[bound]])),
  };
  const prepared: Record<string, unknown> = { lax };
  for (const kept of ["default", "detailPrefix"]) {
    if (kept in schema) prepared[kept] = schema[kept];
  }
  return prepared;
}
