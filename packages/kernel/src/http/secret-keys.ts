import type { JsonSchema } from "./json-schema.ts";
import { prepareSchema } from "./validation-schema.ts";

const known = new WeakMap<JsonSchema, ReadonlySet<string>>();

/** The property names whose values a schema declares secret, at any depth. */
export function secretKeysOf(schema: JsonSchema): ReadonlySet<string> {
  let keys = known.get(schema);
  if (keys === undefined) {
    keys = prepareSchema(schema).secretKeys;
    known.set(schema, keys);
  }
  return keys;
}
