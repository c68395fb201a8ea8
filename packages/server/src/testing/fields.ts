import { type BodyMaker, branchesOf, requiredOf } from "./bodies.ts";
import type { DocumentedSchema } from "./documented-operations.ts";

/** A field that a body may have, at whatever depth, and a body that has a given value there. */
export interface BodyField {
  readonly names: readonly string[];
  readonly schema: DocumentedSchema;
  readonly bodyWith: (value: unknown) => unknown;
}

/** Shapes that hold themselves are followed some way only. */
const MAX_DEPTH = 6;

export function* fieldsIn(
  maker: BodyMaker,
  given: DocumentedSchema,
  names: readonly string[] = [],
): Generator<BodyField> {
  const schema = maker.resolve(given);
  if (names.length > MAX_DEPTH) return;
  for (const branch of branchesOf(schema)) yield* fieldsIn(maker, branch, names);
  if (schema.items !== undefined)
    for (const { bodyWith, ...field } of fieldsIn(maker, schema.items, names))
      yield { ...field, bodyWith: (value) => [bodyWith(value)] };
  const { properties = {}, additionalProperties: more } = schema;
  const others = typeof more === "object" ? { anything: more } : {};
  for (const [name, property] of Object.entries({ ...properties, ...others })) {
    const at = [...names, name];
    const around = (value: unknown) => ({ ...requiredOf(maker, schema, names), [name]: value });
    yield { names: at, schema: property, bodyWith: around };
    for (const { bodyWith, ...field } of fieldsIn(maker, property, at))
      yield { ...field, bodyWith: (value) => around(bodyWith(value)) };
  }
}
