// Words for writing down the fields of the block types that come with the server.

import type { JsonObject } from "@orchestrator/contract";

export interface SystemBlock {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly capabilities: readonly string[];
  readonly fields: JsonObject;
}

/** One field: its schema, whether it must be given, and which part of it is secret. */
export interface BlockField {
  readonly schema: JsonObject;
  readonly isRequired?: boolean;
  /** What the schema refers to. */
  readonly definitions?: JsonObject;
  /** `""` for the whole value, `".*"` for everything below it. */
  readonly secret?: "" | ".*";
}

type Describe = (title: string, description: string) => BlockField;

const described =
  (schema: JsonObject, rest: Omit<BlockField, "schema"> = {}): Describe =>
  (title, description) => ({ schema: { title, description, ...schema }, ...rest });

const orNull = (schema: JsonObject): JsonObject => ({
  anyOf: [schema, { type: "null" }],
  default: null,
});
const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };
const TEXT_MAP = { type: "object", additionalProperties: TEXT };
const HIDDEN = { type: "string", format: "password", writeOnly: true };

export const textField = described(TEXT, { isRequired: true });
export const textsField = described(TEXTS, { isRequired: true });
export const secretText = described(HIDDEN, { isRequired: true, secret: "" });
export const optionalText = described(orNull(TEXT));
export const optionalTexts = described(orNull(TEXTS));
export const optionalTextMap = described(orNull(TEXT_MAP));
export const optionalObject = described(orNull({ type: "object", additionalProperties: true }));
export const optionalInteger = described(orNull({ type: "integer" }));
export const optionalSecretText = described(orNull(HIDDEN), { secret: "" });
export const object = described({ type: "object" });
export const secretMap = described({ type: "object" }, { secret: ".*" });
export const dateTime = described({ type: "string", format: "date-time" }, { isRequired: true });
export const anything = described({}, { isRequired: true });
/**
 * The alternatives are those that the established client registers: its UI finds the password field
 * among them.
 */
export const secretAnything = described(
  {
    anyOf: [
      HIDDEN,
      { ...TEXT, title: "string" },
      { $ref: "#/definitions/JsonValue", title: "JSON" },
    ],
    format: "password",
    writeOnly: true,
  },
  { isRequired: true, secret: "", definitions: { JsonValue: {} } },
);
export const textOr = (fallback: string): Describe => described({ ...TEXT, default: fallback });
export const integerOr = (fallback: number): Describe =>
  described({ type: "integer", default: fallback });
export const numberOr = (fallback: number): Describe =>
  described({ type: "number", default: fallback });
export const flagField = (fallback: boolean): Describe =>
  described({ type: "boolean", default: fallback });
export const oneOf = (words: readonly [string, ...string[]], fallback = words[0]): Describe =>
  described({ ...TEXT, enum: words, default: fallback });

export function systemBlock({
  fields,
  capabilities = [],
  ...block
}: Omit<SystemBlock, "fields" | "capabilities"> & {
  readonly fields: Readonly<Record<string, BlockField>>;
  readonly capabilities?: readonly string[];
}): SystemBlock {
  const { name, slug, description } = block;
  const members = Object.entries(fields);
  const required = members.filter(([, field]) => field.isRequired).map(([key]) => key);
  const secrets = members.flatMap(([key, { secret }]) =>
    secret === undefined ? [] : [`${key}${secret}`],
  );
  const definitions = Object.assign({}, ...members.map(([, field]) => field.definitions));
  return {
    ...block,
    capabilities,
    fields: {
      title: name,
      description,
      type: "object",
      properties: Object.fromEntries(members.map(([key, { schema }]) => [key, schema])),
      ...(required.length > 0 && { required }),
      ...(Object.keys(definitions).length > 0 && { definitions }),
      block_type_slug: slug,
      block_schema_references: {},
      secret_fields: secrets,
    },
  };
}
