// The interface that schema libraries share (zod, valibot, arktype, …), as far as it is used here.

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type Outcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** A schema of a library that speaks the standard interface. */
export interface StandardSchema<Input = unknown, Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Outcome<Output> | Promise<Outcome<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Newer libraries describe themselves as JSON schema. */
    readonly jsonSchema?: { readonly input: (options: never) => Record<string, unknown> };
  };
}

type TypesOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>;
/** What may be given. */
export type InputOf<Schema extends StandardSchema> = TypesOf<Schema>["input"];
/** What the schema makes of it. */
export type OutputOf<Schema extends StandardSchema> = TypesOf<Schema>["output"];

export function isStandardSchema(schema: object): schema is StandardSchema {
  return "~standard" in schema;
}

export function describeIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ message, path }) => {
      const place = (path ?? [])
        .map((part) => String(typeof part === "object" ? part.key : part))
        .join(".");
      return place === "" ? message : `${place}: ${message}`;
    })
    .join("; ");
}
