// What is known of checks without knowing their types: which there are, and what options each has,
// the server tells.

import { type Static, Type } from "typebox";
import { Flag, JsonObject, Model, StringEnum } from "../schema/index.ts";

/** One check of a pipeline: its type, and options of that type. */
export const CheckConfig = Type.Unsafe<{
  readonly type: string;
  readonly [option: string]: unknown;
}>({
  type: "object",
  properties: { type: { type: "string" } },
  required: ["type"],
  description: "One check of a pipeline",
});
export type CheckConfig = Static<typeof CheckConfig>;

/** How an option is filled in. */
const FIELD_KINDS = [
  "text",
  "area",
  "number",
  "flag",
  "choice",
  "secret",
  "list",
  "lines",
  "headers",
  "expectations",
] as const;

export const CheckField = Model(
  {
    key: Type.String({ description: "The option of the check" }),
    label: Type.String(),
    kind: StringEnum(FIELD_KINDS, {
      description:
        "`list` is by commas, `lines` by lines; the words of a `choice` are in the schema",
    }),
    hint: Type.Optional(Type.String()),
    placeholder: Type.Optional(Type.String()),
    rare: Type.Optional(Flag({ description: "Out of sight until somebody asks for more" })),
  },
  { $id: "CheckField" },
);
export type CheckField = Static<typeof CheckField>;

/**
 * What is to be known of a type of check: its options, what is meant where one is left out, and how
 * a form asks for them.
 */
export const CheckKind = Model(
  {
    type: Type.String({ description: "What `type` of a check is" }),
    title: Type.String(),
    about: Type.String({ description: "What it does, in a line" }),
    icon: Type.String({ description: "The name of its icon in the web UI" }),
    schema: JsonObject({ description: "The options, as a JSON schema" }),
    defaults: JsonObject({ description: "What is meant where an option is left out" }),
    prefill: JsonObject({ description: "The check that a form begins with" }),
    fields: Type.Array(CheckField, { description: "What a form asks for, in its order" }),
  },
  { $id: "CheckKind" },
);
export type CheckKind = Static<typeof CheckKind>;
