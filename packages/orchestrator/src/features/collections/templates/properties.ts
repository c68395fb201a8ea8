// The words that templates are written with: a variable is one of these, and what the person at the form reads about it.

import type { JsonObject } from "@orchestrator/contract";

/** The schema of a variable. */
export type Property = JsonObject;
export type Properties = Readonly<Record<string, Property>>;

/** A kind of value: called with what is to be read about it, and with what else holds for it. */
const kind =
  (facts: JsonObject) =>
  (description?: string, more: JsonObject = {}): Property => ({
    ...facts,
    ...(description !== undefined && { description }),
    ...more,
  });

export const text = kind({ type: "string" });
export const secret = kind({ type: "string", format: "password", writeOnly: true });
export const integer = kind({ type: "integer" });
export const number = kind({ type: "number" });
export const flag = kind({ type: "boolean" });
export const texts = kind({ type: "array", items: { type: "string" } });
export const textsByName = kind({ type: "object", additionalProperties: { type: "string" } });
export const anyObject = kind({ type: "object", additionalProperties: true });
export const list = (items: Property, description?: string): Property =>
  kind({ type: "array", items })(description);
export const choice = (options: readonly string[], description?: string): Property =>
  kind({ type: "string", enum: options })(description);

/** One of the definitions of the template. */
export const defined = (name: string, description?: string, more?: JsonObject): Property =>
  kind({ $ref: `#/definitions/${name}` })(description, more);

const NULL: Property = { type: "null" };
/** What is said about a variable, in contrast to what holds for each of its values. */
const ABOUT: ReadonlySet<string> = new Set(["title", "description", "default", "examples"]);

/** Null is a value of it too. */
export function nullable(property: Property): Property {
  return eitherOf([facts(property)], about(property));
}

/** As nullable, and null unless given: the worker decides. */
export function optional(property: Property): Property {
  return { default: null, ...nullable(property) };
}

/** A value of any of these, or null. */
export function eitherOf(properties: readonly Property[], more: JsonObject = {}): Property {
  return { anyOf: [...properties, NULL], ...more };
}

const about = (property: Property): JsonObject => pickKeys(property, (key) => ABOUT.has(key));
const facts = (property: Property): JsonObject => pickKeys(property, (key) => !ABOUT.has(key));

function pickKeys(property: Property, isWanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(property).filter(([key]) => isWanted(key)));
}

interface Shape {
  readonly properties: Properties;
  readonly required?: readonly string[];
}

/** An object whose properties are called by their names, unless they have titles of their own. */
export function objectOf({ properties, required }: Shape, more: JsonObject = {}): Property {
  return {
    type: "object",
    properties: titled(properties),
    ...(required !== undefined && { required }),
    ...more,
  };
}

interface Block extends Shape {
  readonly slug: string;
  readonly secretFields?: readonly string[];
}

/** What a block of a type holds. Forms offer the blocks of that type, and the checks take the id of one for its value. */
export function blockOf({ slug, secretFields = [], ...shape }: Block): Property {
  return objectOf(shape, {
    block_type_slug: slug,
    block_schema_references: {},
    secret_fields: secretFields,
  });
}

function titled(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      { title: titleOf(name), ...property },
    ]),
  );
}

const SHORT_FORMS: ReadonlyMap<string, string> = new Map(
  "API ARN AWS CPU DNS GB GCP GPU ID IDs IP SKU SSL TTL URL VPC"
    .split(" ")
    .map((word) => [word.toLowerCase(), word]),
);

/** `vpc_id` is "VPC ID", `TokenCode` is "Token code". */
function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_")
    .map((word) => SHORT_FORMS.get(word) ?? word);
  const [first = "", ...others] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(" ");
}
