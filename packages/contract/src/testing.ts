// Which fields of the wire a consumer carries: a transfer, a file, a form. A field that a consumer
// forgets is lost without a word, so each consumer has a test that compares it with the contract.

import type { TObject, TSchema } from "typebox";

interface Consumer {
  readonly consumer: string;
  /** Field → why the consumer may leave it out. */
  readonly exempt?: Readonly<Record<string, string>>;
}

/** A sentence for each field that is lost, and for each exemption that is not needed any more. */
export function lostFields(
  schema: TObject,
  carried: Iterable<string>,
  { consumer, exempt = {} }: Consumer,
): string[] {
  const name = (schema as { readonly $id?: string }).$id ?? "a record";
  const fields = Object.keys(schema.properties);
  const found = new Set(carried);
  return [
    ...fields
      .filter((field) => !found.has(field) && !Object.hasOwn(exempt, field))
      .map((field) => `${consumer} does not carry the field ${field} of ${name}`),
    ...[...found]
      .filter((field) => !fields.includes(field))
      .map((field) => `${consumer} carries ${field}, and ${name} has no such field`),
    ...Object.keys(exempt)
      .filter((field) => found.has(field) || !fields.includes(field))
      .map((field) => `${consumer} needs no exemption for the field ${field} of ${name}`),
  ];
}

interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly anyOf?: readonly TSchema[];
  readonly oneOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

export const SAMPLE_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

/** A value with every field of a schema, also those that may be null or left out. */
export function sampleOf(schema: TSchema): unknown {
  const shape = schema as Shape;
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return shape.enum[0];
  const [first] = shape.anyOf ?? shape.oneOf ?? [];
  if (first !== undefined) return sampleOf(first);
  switch ([shape.type].flat()[0]) {
    case "object":
      return sampleObject(shape.properties ?? {});
    case "array":
      return shape.items === undefined ? [] : [sampleOf(shape.items)];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 1;
    case "string":
      return shape.format === "uuid" ? SAMPLE_ID : "text";
    case undefined:
    default:
      return null;
  }
}

const sampleObject = (properties: Readonly<Record<string, TSchema>>): object =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, sampleOf(property)]),
  );
