import { type TSchema, Type } from "typebox";

/** An answer of a route with other media types than JSON alone, as the document shows it. */
export interface TypedAnswer {
  readonly description?: string;
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>;
}

/** An answer that is a text of the media type, such as `text/csv`, and what else it can be. */
export function textAnswer(
  mediaType: string,
  { description, json }: { readonly description?: string; readonly json?: TSchema } = {},
): TypedAnswer {
  return {
    ...(description === undefined ? {} : { description }),
    content: {
      ...(json === undefined ? {} : { "application/json": { schema: json } }),
      [mediaType]: { schema: Type.String() },
    },
  };
}
