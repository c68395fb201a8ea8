import { type Static, type TUnsafe, Type } from "typebox";
import { Flag, JsonObject, Model, NamedParameters } from "../schema/index.ts";

/**
 * What is wrong with a value: sentences about the value itself, then entries for what is within it.
 */
export type SchemaValidationError =
  | string
  | { readonly property: string; readonly errors: readonly SchemaValidationError[] }
  | { readonly index: number; readonly errors: readonly SchemaValidationError[] };

/** The entries nest as deep as the value does, which a document says best in words. */
function SchemaValidationErrors(): TUnsafe<readonly SchemaValidationError[]> {
  const errors = Type.Array(Type.Unknown());
  return Type.Unsafe<readonly SchemaValidationError[]>(
    Type.Array(
      Type.Union([
        Type.String(),
        Model({ property: Type.String(), errors }),
        Model({ index: Type.Integer(), errors }),
      ]),
      {
        description:
          "Sentences, or what is wrong within a property or an item, nested the same way",
      },
    ),
  );
}

export const SchemaValidationRequest = NamedParameters(
  {
    schema: JsonObject({ description: "A JSON schema" }),
    values: JsonObject({ description: "The values to check; they may hold placeholders" }),
  },
  { $id: "SchemaValidationRequest" },
);
export type SchemaValidationRequest = Static<typeof SchemaValidationRequest>;

export const SchemaValidationResult = Model(
  { valid: Flag(), errors: SchemaValidationErrors() },
  { $id: "SchemaValidationResult" },
);
export type SchemaValidationResult = Static<typeof SchemaValidationResult>;
