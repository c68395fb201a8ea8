import { isMap, type JsonMap } from "@orchestrator/exact-json";
import type { Violation } from "@orchestrator/json-schema";
import type { JsonPath } from "@orchestrator/json-schema/problems";
import { pythonText as shown } from "./python-text.ts";

// Why a value does not fit, as users of the established client read it: "1 is not of type
// 'string'".

/** `places` are those of all problems that this sentence is about. */
type Sentence = (violation: Violation, places: readonly JsonPath[]) => string;

const compared =
  (words: string): Sentence =>
  ({ keyword, schema, given }) =>
    `${shown(given)} is ${words} ${shown(schema[keyword])}`;

/** A size has words of its own where the bound is none or one. */
const sized =
  (special: { readonly limit: number; readonly words: string }, words: string): Sentence =>
  ({ keyword, schema, given }) =>
    `${shown(given)} ${Number(schema[keyword]) === special.limit ? special.words : words}`;

const NOT_EMPTY = { limit: 1, words: "should be non-empty" };
const EMPTY = { limit: 0, words: "is expected to be empty" };

const list = (values: readonly unknown[]): string => values.map(shown).join(", ");

function unexpected(what: string, values: readonly unknown[]): string {
  return `${what} are not allowed (${list(values)} ${values.length === 1 ? "was" : "were"} unexpected)`;
}

const namesAt = (places: readonly JsonPath[]): readonly string[] =>
  places.map((place) => String(place.at(-1))).toSorted();

const itemsAt = (given: unknown, places: readonly JsonPath[]): readonly unknown[] =>
  Array.isArray(given) ? places.map((place) => given[Number(place.at(-1))] as unknown) : [];

const noBranch: Sentence = ({ given }) =>
  `${shown(given)} is not valid under any of the given schemas`;

const type: Sentence = (violation, places) => {
  const { schema, given, isOptional = false } = violation;
  if (isOptional) return noBranch(violation, places);
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  return `${shown(given)} is not of type ${list(types)}`;
};

const additionalProperties: Sentence = ({ schema }, places) => {
  const names = namesAt(places);
  const patterns = schema["patternProperties"];
  if (!isMap(patterns)) return unexpected("Additional properties", names);
  const verb = names.length === 1 ? "does" : "do";
  return `${list(names)} ${verb} not match any of the regexes: ${list(Object.keys(patterns).toSorted())}`;
};

const items: Sentence = ({ schema, given }, places) => {
  const extra = itemsAt(given, places);
  const first = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].length : 0;
  const rest = extra.length === 1 ? extra[0] : extra;
  return `Expected at most ${first} ${first === 1 ? "item" : "items"} but found ${extra.length} extra: ${shown(rest)}`;
};

const dependentRequired: Sentence = ({ schema, given }, places) => {
  const name = namesAt(places)[0] ?? "";
  const rules = Object.entries((schema["dependentRequired"] ?? {}) as JsonMap);
  const [trigger = ""] =
    rules.find(
      ([rule, names]) =>
        isMap(given) && Object.hasOwn(given, rule) && Array.isArray(names) && names.includes(name),
    ) ?? [];
  return `${shown(name)} is a dependency of ${shown(trigger)}`;
};

export const CLIENT_SENTENCES: Readonly<Record<string, Sentence>> = {
  type,
  enum: compared("not one of"),
  const: ({ schema }) => `${shown(schema["const"])} was expected`,
  pattern: ({ schema, given }) => `${shown(given)} does not match ${shown(schema["pattern"])}`,
  format: ({ schema, given }) => `${shown(given)} is not a ${shown(schema["format"])}`,
  minimum: compared("less than the minimum of"),
  maximum: compared("greater than the maximum of"),
  exclusiveMinimum: compared("less than or equal to the minimum of"),
  exclusiveMaximum: compared("greater than or equal to the maximum of"),
  multipleOf: compared("not a multiple of"),
  minLength: sized(NOT_EMPTY, "is too short"),
  maxLength: sized(EMPTY, "is too long"),
  minItems: sized(NOT_EMPTY, "is too short"),
  maxItems: sized(EMPTY, "is too long"),
  minProperties: sized(NOT_EMPTY, "does not have enough properties"),
  maxProperties: sized(EMPTY, "has too many properties"),
  uniqueItems: ({ given }) => `${shown(given)} has non-unique elements`,
  required: (_violation, places) => `${shown(places[0]?.at(-1))} is a required property`,
  dependentRequired,
  additionalProperties,
  unevaluatedProperties: (_violation, places) =>
    unexpected("Unevaluated properties", namesAt(places)),
  items,
  unevaluatedItems: ({ given }, places) => unexpected("Unevaluated items", itemsAt(given, places)),
  anyOf: noBranch,
  oneOf: noBranch,
  not: ({ schema, given }) => `${shown(given)} should not be valid under ${shown(schema["not"])}`,
  contains: ({ given }) => `${shown(given)} does not contain items matching the given schema`,
  minContains: ({ schema }) =>
    `Too few items match the given schema (expected at least ${shown(schema["minContains"])})`,
  maxContains: ({ schema }) =>
    `Too many items match the given schema (expected at most ${shown(schema["maxContains"])})`,
  moreThanOne: ({ given }) => `${shown(given)} is valid under more than one of the given schemas`,
  false: ({ given }) => `False schema does not allow ${shown(given)}`,
};
