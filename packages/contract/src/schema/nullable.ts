import { type Static, type TSchema, type TUnsafe, Type } from "typebox";

type Plain = Readonly<Record<string, unknown>>;

/**
 * The value or null. Written as a second type where that is possible, which is cheaper to check and
 * reads better in errors than a union; a schema with a name stays whole, so that documents can
 * refer to it.
 */
export function Nullable<Schema extends TSchema>(
  schema: Schema,
  options: { readonly description?: string; readonly default?: Static<Schema> | null } = {},
): TUnsafe<Static<Schema> | null> {
  const plain = { ...schema } as Plain;
  if (typeof plain["$id"] === "string" || plain["type"] === undefined) {
    return Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: "null" }], ...options });
  }
  const words = plain["enum"];
  return Type.Unsafe<Static<Schema> | null>({
    ...plain,
    type: [...[plain["type"]].flat(), "null"],
    ...(Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {}),
    ...options,
  });
}
