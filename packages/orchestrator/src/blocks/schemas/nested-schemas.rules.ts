import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import { isJsonObject, isList } from "./canonical-json.rules.ts";
import { checksumOf, reachable } from "./checksum.rules.ts";

/** The schema of a block within a block, as the fields of the outer one name it. */
export interface SchemaReference {
  readonly slug: string;
  readonly checksum: string;
}

/** Every schema that fields name as one of a block within, each once. */
export function schemaReferences(fields: JsonObject): SchemaReference[] {
  const { block_schema_references: references } = fields;
  if (!isJsonObject(references)) return [];
  const found = new Map<string, SchemaReference>();
  for (const named of Object.values(references))
    for (const item of isList(named) ? named : [named]) {
      const reference = referenceOf(item);
      if (reference !== null) found.set(referenceKey(reference), reference);
    }
  return [...found.values()];
}

function referenceOf(item: JsonValue): SchemaReference | null {
  if (!isJsonObject(item)) return null;
  const { block_type_slug: slug, block_schema_checksum: checksum } = item;
  return typeof slug === "string" && typeof checksum === "string" ? { slug, checksum } : null;
}

/** The schemas of blocks that the definitions hold, each complete in itself, by `slug checksum`. */
export function nestedFields(outer: JsonObject): Map<string, JsonObject> {
  const definitions = definitionsOf(outer);
  const found = new Map<string, JsonObject>();
  for (const definition of Object.values(definitions)) {
    if (!isJsonObject(definition)) continue;
    const { block_type_slug: slug } = definition;
    if (typeof slug !== "string") continue;
    if (found.size === MAX_NESTED_SCHEMAS) throw tooManyNested();
    const within = reachable(definition, definitions);
    const fields =
      Object.keys(within).length === 0 ? definition : { ...definition, definitions: within };
    found.set(referenceKey({ slug, checksum: checksumOf(fields) }), fields);
  }
  return found;
}

export const referenceKey = ({ slug, checksum }: SchemaReference): string => `${slug} ${checksum}`;

export const MAX_NESTED_SCHEMAS = 50;

export function tooManyNested(): AppError {
  return new AppError(
    "invalid",
    `A block schema can hold at most ${MAX_NESTED_SCHEMAS} schemas of other blocks`,
  );
}

/** Whether the definitions of the outer fields hold those of a block of this type. */
export function definesBlock(outer: JsonObject, slug: string): boolean {
  return Object.values(definitionsOf(outer)).some(
    (definition) => isJsonObject(definition) && definition["block_type_slug"] === slug,
  );
}

/**
 * The outer fields with the fields of a block within added to their definitions, as readers expect
 * them.
 */
export function withNestedFields(outer: JsonObject, nested: JsonObject): JsonObject {
  const { definitions: further, title, ...rest } = nested;
  const { block_type_slug: slug } = nested;
  const name = [title, slug].find((each) => typeof each === "string") ?? "Block";
  const own = title === undefined ? rest : { title, ...rest };
  const lifted = isJsonObject(further) ? further : {};
  return { ...outer, definitions: { ...lifted, [String(name)]: own, ...definitionsOf(outer) } };
}

function definitionsOf({ definitions }: JsonObject): JsonObject {
  return isJsonObject(definitions) ? definitions : {};
}
