// A default of a base job template may stand for a block: `{"$ref": {"block_document_id": …}}`.

import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";

export const isTemplateObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a default stands for a block, named or not; its values are not known here. */
export function isReference(value: JsonValue | undefined): boolean {
  return isTemplateObject(value) && isTemplateObject(value["$ref"]);
}

/** What the template's defaults name as blocks, each once, as it stands there. */
export function namedBlocks(template: JsonObject): ReadonlySet<string> {
  const names = propertiesOf(template).map(([, property]) => blockOf(property["default"]));
  return new Set(names.filter((name) => name !== null));
}

/** The template with the values of blocks in the place of what names them. */
export function withBlocks(
  template: JsonObject,
  values: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const { variables } = template;
  if (!isTemplateObject(variables) || values.size === 0) return template;
  const changed = propertiesOf(template).flatMap(([name, property]) => {
    const block = blockOf(property["default"]);
    const data = block === null ? undefined : values.get(block);
    return data === undefined ? [] : [[name, { ...property, default: data }] as const];
  });
  const properties = { ...(variables["properties"] as JsonObject), ...Object.fromEntries(changed) };
  return { ...template, variables: { ...variables, properties } };
}

function propertiesOf({ variables }: JsonObject): [string, JsonObject][] {
  const properties = isTemplateObject(variables) ? variables["properties"] : undefined;
  if (!isTemplateObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] =>
    isTemplateObject(entry[1]),
  );
}

/**
 * Null for a default that is none, or a reference that names nothing. Whatever else stands there
 * names no block.
 */
function blockOf(value: JsonValue | undefined): string | null {
  if (!isTemplateObject(value) || !isTemplateObject(value["$ref"])) return null;
  const { block_document_id: id = null } = value["$ref"];
  if (id === null) return null;
  return typeof id === "string" ? id : writeJson(id);
}
