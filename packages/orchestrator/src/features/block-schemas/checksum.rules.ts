import { createHash } from "node:crypto";
import {
  canonicalJson,
  isList,
  isSpelledObject,
  type Spelled,
  type SpelledObject,
} from "./spelled-json.rules.ts";

const DEFINITIONS = "#/definitions/";

/**
 * Names the fields of a block as its authors' tools do, so that they find what they registered. Which fields are
 * secret does not count, nor do the schemas of blocks within, which have names of their own; what those refer to does.
 */
export function checksumOf(fields: SpelledObject): string {
  const counted = withoutSecretFields(fields);
  const { definitions, ...rest } = counted;
  const kept =
    isSpelledObject(definitions) && Object.keys(definitions).length > 0
      ? withDefinitions(rest, reachable(counted, definitions, isCounted))
      : counted;
  const hash = createHash("sha256").update(canonicalJson([[kept], {}]), "utf8");
  return `sha256:${hash.digest("hex")}`;
}

function withDefinitions(rest: SpelledObject, definitions: SpelledObject): SpelledObject {
  return Object.keys(definitions).length === 0 ? rest : { ...rest, definitions };
}

function withoutSecretFields(value: SpelledObject): SpelledObject {
  const members = Object.entries(value)
    .filter(([key]) => key !== "secret_fields")
    .map(([key, member]) => [key, isSpelledObject(member) ? withoutSecretFields(member) : member]);
  return Object.fromEntries(members) as SpelledObject;
}

/** A definition that allows anything says nothing. */
function isCounted(definition: SpelledObject): boolean {
  return Object.keys(definition).length > 0 && definition["block_type_slug"] == null;
}

/** The definitions that a value refers to, directly or by way of one another, as far as they are wanted. */
export function reachable(
  value: Spelled,
  definitions: SpelledObject,
  isWanted: (definition: SpelledObject) => boolean = () => true,
): SpelledObject {
  const found = new Map<string, SpelledObject>();
  const waiting: Spelled[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of referencedNames(next)) {
      const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      if (!isSpelledObject(definition) || found.has(name) || !isWanted(definition)) continue;
      found.set(name, definition);
      waiting.push(definition);
    }
  }
  return Object.fromEntries(found);
}

function referencedNames(value: Spelled): string[] {
  if (isList(value)) return value.flatMap(referencedNames);
  if (!isSpelledObject(value)) return [];
  const { $ref: reference } = value;
  const own =
    typeof reference === "string" && reference.startsWith(DEFINITIONS)
      ? [reference.slice(DEFINITIONS.length)]
      : [];
  return [...own, ...Object.values(value).flatMap(referencedNames)];
}
