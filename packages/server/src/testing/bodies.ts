// Bodies made of the documented shapes: valid ones, and the same with one value in each place where
// somebody's row can be named.
import type { DocumentedSchema } from "./documented-operations.ts";

export type Choose = (names: readonly string[], schema: DocumentedSchema) => unknown;

export interface BodyMaker {
  readonly resolve: (schema: DocumentedSchema) => DocumentedSchema;
  /** What stands in a place; undefined leaves it to the shape. */
  readonly choose: Choose;
}

/** A place in a body where text can stand, and how to make a body that has a given text there. */
export interface TextPlace {
  readonly names: readonly string[];
  readonly schema: DocumentedSchema;
  readonly bodyWith: (text: string) => unknown;
}

/** With what must be there, and nothing else. */
export function validBody(
  maker: BodyMaker,
  given: DocumentedSchema,
  names: readonly string[] = [],
): unknown {
  const schema = maker.resolve(given);
  const chosen = maker.choose(names, schema);
  if (chosen !== undefined) return chosen;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [branch] = branchesOf(schema);
  if (branch !== undefined) return validBody(maker, branch, names);
  switch (typeOf(schema) ?? "") {
    case "object":
      return requiredOf(maker, schema, names);
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () =>
        validBody(maker, schema.items ?? {}, names),
      );
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1, 1);
    case "boolean":
      return false;
    case "null":
      return null;
    case "string":
      return schema.format === "date-time" ? "2027-01-01T00:00:00Z" : "some-text";
    default:
      return {};
  }
}

/** Every place where text can stand. Shapes that hold themselves are followed some way only. */
export function* placesIn(
  maker: BodyMaker,
  given: DocumentedSchema,
  names: readonly string[] = [],
): Generator<TextPlace> {
  const schema = maker.resolve(given);
  const branches = branchesOf(schema);
  if (names.length > MAX_DEPTH) return;
  if (branches.length > 0) for (const branch of branches) yield* placesIn(maker, branch, names);
  else if (typeOf(schema) === "string") {
    const isFree = schema.const === undefined && schema.enum === undefined;
    if (isFree && schema.format !== "date-time") yield { names, schema, bodyWith: (text) => text };
  } else if (typeOf(schema) === "array") {
    for (const { bodyWith, ...place } of placesIn(maker, schema.items ?? {}, names))
      yield { ...place, bodyWith: (text) => [bodyWith(text)] };
  } else if (typeOf(schema) === "object") yield* placesInObject(maker, schema, names);
}

const MAX_DEPTH = 5;

function* placesInObject(
  maker: BodyMaker,
  schema: DocumentedSchema,
  names: readonly string[],
): Generator<TextPlace> {
  const { properties = {}, additionalProperties: more } = schema;
  const others = typeof more === "object" ? { [ANY_NAME]: more } : {};
  for (const [name, property] of Object.entries({ ...properties, ...others }))
    for (const { bodyWith, ...place } of placesIn(maker, property, [...names, name]))
      yield {
        ...place,
        bodyWith: (text) => ({ ...requiredOf(maker, schema, names), [name]: bodyWith(text) }),
      };
}

const ANY_NAME = "anything";

export function requiredOf(
  maker: BodyMaker,
  { properties = {}, required = [] }: DocumentedSchema,
  names: readonly string[],
): Record<string, unknown> {
  const always = Object.keys(properties).filter((name) => required.includes(name));
  return Object.fromEntries(
    always.map((name) => [name, validBody(maker, properties[name] ?? {}, [...names, name])]),
  );
}

export const branchesOf = ({ anyOf, oneOf }: DocumentedSchema): readonly DocumentedSchema[] =>
  anyOf ?? oneOf ?? [];

function typeOf({ type, properties }: DocumentedSchema): string | undefined {
  if (type === undefined) return properties === undefined ? undefined : "object";
  return typeof type === "string" ? type : type.find((name) => name !== "null");
}
