import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@orchestrator/contract";
import { canonicalJson, isJsonObject, isList } from "./canonical-json.rules.ts";

const DEFINITIONS = "#/definitions/";

/**
 * Names the fields of a block as its authors' tools do, so that they find what they registered.
 * Which fields are secret does not count, nor do the schemas of blocks within, which have names of
 * their own; what those refer to does.
 */
export function checksumOf(fields: JsonObject): string {
  const counted = withoutSecretFields(fields);
  const { definitions, ...rest } = counted;
  const kept =
    isJsonObject(definitions) && Object.keys(definitions).length > 0
      ? withDefinitions(rest, reachable(counted, definitions, isCounted))
      : counted;
  const hash = createHash("sha256").update(canonicalJson([[kept], {}]), "utf8");
  return `sha256:${hash.digest("hex")}`;
}

function withDefinitions(rest: JsonObject, definitions: JsonObject): JsonObject {
  return Object.keys(definitions).length === 0 ? rest : { ...rest, definitions };
}

function withoutSecretFields(value: JsonObject): JsonObject {
  const members = Object.entries(value)
    .filter(([key]) => key !== "secret_fields")
    .map(([key, member]) => [key, isJsonObject(member) ? withoutSecretFields(member) : member]);
  return Object.fromEntries(members) as JsonObject;
}

/** A definition that allows anything says nothing. */
function isCounted(definition: JsonObject): boolean {
  return Object.keys(definition).length > 0 && definition["block_type_slug"] == null;
}

/**
 * The definitions that a value refers to, directly or by way of one another, as far as they are
 * wanted.
 */
export function reachable(
  value: JsonValue,
  definitions: JsonObject,
  isWanted: (definition: JsonObject) => boolean = () => true,
): JsonObject {
  const found = new Map<string, JsonObject>();
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of referencedNames(next)) {
      const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      if (!isJsonObject(definition) || found.has(name) || !isWanted(definition)) continue;
      found.set(name, definition);
      waiting.push(definition);
    }
  }
  return Object.fromEntries(found);
}

function referencedNames(value: JsonValue): string[] {
  if (isList(value)) return value.flatMap(referencedNames);
  if (!isJsonObject(value)) return [];
  const { $ref: reference } = value;
  const own =
    typeof reference === "string" && reference.startsWith(DEFINITIONS)
      ? [reference.slice(DEFINITIONS.length)]
      : [];
  return [...own, ...Object.values(value).flatMap(referencedNames)];
}
