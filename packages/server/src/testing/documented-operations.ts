// The operations that the documents of a server describe, with the shapes of what they take.
import type { ServerAccess } from "./guarded-server.ts";

/** As much of JSON Schema as the documents use. */
export interface DocumentedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, DocumentedSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: DocumentedSchema | boolean;
  readonly items?: DocumentedSchema;
  readonly anyOf?: readonly DocumentedSchema[];
  readonly oneOf?: readonly DocumentedSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
}

export interface DocumentedOperation {
  readonly method: string;
  /** With its prefix and its parameters in braces. */
  readonly path: string;
  readonly isPublic: boolean;
  readonly query: readonly string[];
  readonly body: DocumentedSchema | null;
  /** The schema itself where there is a reference to it. */
  readonly resolve: (schema: DocumentedSchema) => DocumentedSchema;
}

interface Described {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: DocumentedSchema }>>;
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, DocumentedSchema>> };
}

const DOCUMENTS = [
  ["/api/openapi.json", "/api"],
  ["/api/accounts/openapi.json", "/api"],
  ["/uptime/api/openapi.json", "/uptime/api"],
] as const;

const ASKS_NOBODY = /^\/(health|ready|webhooks\/whk_.*)$/;

/** Every operation of every document. */
export async function documentedOperations(server: ServerAccess): Promise<DocumentedOperation[]> {
  const operations: DocumentedOperation[] = [];
  for (const [address, prefix] of DOCUMENTS) {
    const document = (await server.call("GET", address)).body as Document;
    const resolve = resolver(document);
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { security, parameters = [], requestBody }] of Object.entries(methods))
        operations.push({
          method: method.toUpperCase(),
          path: prefix + path,
          isPublic: security?.length === 0 || ASKS_NOBODY.test(path),
          query: parameters.filter(({ in: place }) => place === "query").map(({ name }) => name),
          body: requestBody?.content["application/json"]?.schema ?? null,
          resolve,
        });
  }
  return operations;
}

function resolver({ components }: Document): DocumentedOperation["resolve"] {
  const resolve = (schema: DocumentedSchema): DocumentedSchema => {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    const found = components?.schemas?.[name];
    if (found === undefined) throw new Error(`The document has no ${schema.$ref}`);
    return resolve(found);
  };
  return resolve;
}

/** The names in braces. */
export const pathParametersOf = ({ path }: DocumentedOperation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** Many at a time, so that waiting for answers takes no longer than making them. */
export async function forEachOperation(
  operations: readonly DocumentedOperation[],
  work: (operation: DocumentedOperation) => Promise<void>,
): Promise<void> {
  const waiting = [...operations];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
