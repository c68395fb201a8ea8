// What is to be known of a type of check: its options, what is meant where one is left out, and how a form asks for them.

import { type Static, type TObject, type TProperties, Type } from "typebox";
import { Flag, JsonObject, Model, StringEnum } from "../../schema/index.ts";

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

type Options<Properties extends TProperties> = Omit<Static<TObject<Properties>>, "type">;

interface Facts<Properties extends TProperties, Defaults> {
  readonly title: string;
  readonly about: string;
  readonly icon: string;
  readonly defaults: Defaults;
  /** Beside the type. */
  readonly prefill?: Partial<Options<Properties>>;
  readonly fields: readonly (CheckField & { readonly key: keyof Options<Properties> })[];
}

/** All there is to know of a type of check but how it is done, which only the server knows. */
export function checkKind<
  Properties extends TProperties,
  const Defaults extends Partial<Options<Properties>>,
>(schema: TObject<Properties>, facts: Facts<Properties, Defaults>) {
  return { schema, prefill: {}, ...facts } as const;
}
