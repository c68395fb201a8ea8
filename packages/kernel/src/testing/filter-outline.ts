import type { Attributes, ListDefinition } from "../lists/definition.ts";

/** Attribute → its operators, sorted; nested groups as outlines of their own. */
export interface FilterOutline {
  readonly [attribute: string]: readonly string[] | FilterOutline;
}

/** What a list can filter by, for comparison with what the wire schema offers. */
export function describeListFilter({ filter }: Pick<ListDefinition, "filter">): FilterOutline {
  return outlineOf(filter);
}

function outlineOf(attributes: Attributes): FilterOutline {
  const entries = Object.entries(attributes).map(
    ([name, attribute]) => [name, outlineOfMember(attribute)] as const,
  );
  return Object.fromEntries(entries);
}

function outlineOfMember(attribute: Attributes[string]): readonly string[] | FilterOutline {
  if ("meaning" in attribute) return [];
  if ("operators" in attribute) return attribute.operators.toSorted();
  const isOperators = Object.values(attribute.group).every((member) => "meaning" in member);
  return isOperators ? Object.keys(attribute.group).toSorted() : outlineOf(attribute.group);
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * The same outline, read from a filter's JSON schema. Operators are the keys that end in `_`, and
 * `query`.
 */
export function describeFilterSchema(schema: object): FilterOutline {
  const entries = Object.entries(propertiesOf(schema as Schema))
    .filter(([name]) => name !== "operator")
    .map(([name, attribute]) => {
      const others = (attribute["synonyms"] ?? {}) as Schema;
      const keys = Object.keys(propertiesOf(attribute)).filter(
        (key) => key !== "operator" && !(key in others),
      );
      const isOperators = keys.every((key) => key.endsWith("_") || key === "query");
      return [name, isOperators ? keys.toSorted() : describeFilterSchema(attribute)] as const;
    });
  return Object.fromEntries(entries);
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  const union = schema["anyOf"] as readonly Schema[] | undefined;
  const own =
    schema["properties"] ?? union?.find((branch) => "properties" in branch)?.["properties"];
  return (own ?? {}) as Record<string, Schema>;
}
