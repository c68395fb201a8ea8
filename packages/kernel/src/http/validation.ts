import type { FastifySchemaCompiler } from "fastify";
import { InvalidRequestError } from "./invalid-request.ts";
import { hasType, isSchema, type JsonSchema, requiredNames } from "./json-schema.ts";
import { type CompiledSchema, compileRouteSchema } from "./schema-compiler.ts";
import { type RequestPart, SchemaMismatchError } from "./schema-mismatch.ts";

type Outcome = { readonly value: unknown } | { readonly error: Error };
type Judge = (value: unknown) => Outcome;

export interface RequestValidation {
  readonly compiler: FastifySchemaCompiler<JsonSchema>;
  /**
   * Compiles what would otherwise wait for its first request, so that a test finds a broken schema.
   */
  readonly compileAll: () => void;
}

const PARTS: Readonly<Record<string, RequestPart>> = {
  body: "body",
  querystring: "query",
  params: "params",
  headers: "headers",
};

/**
 * Checks and normalises the parts of requests. A schema is compiled when the first request needs
 * it.
 */
export function createRequestValidation(): RequestValidation {
  const pending: (() => CompiledSchema)[] = [];

  const lazy = (schema: JsonSchema): (() => CompiledSchema) => {
    let compiled: CompiledSchema | undefined;
    const get = (): CompiledSchema => {
      compiled ??= compileRouteSchema(schema);
      return compiled;
    };
    pending.push(get);
    return get;
  };

  return {
    compiler: ({ schema, httpPart }) => {
      const part = PARTS[httpPart ?? "body"] ?? "body";
      if (part === "body") return judgeBody(schema, lazy(schema));
      if (part === "query") return judgeQuery(schema, lazy(schema));
      return judgePart(part, lazy(schema));
    },
    compileAll: () => {
      for (const get of pending) get();
    },
  };
}

function judgePart(part: RequestPart, schema: () => CompiledSchema): Judge {
  return (value) => {
    const compiled = schema();
    return compiled.accepts(value) ? { value } : { error: new SchemaMismatchError(part, compiled) };
  };
}

/** An absent body arrives as null. */
function judgeBody(schema: JsonSchema, compile: () => CompiledSchema): Judge {
  const named = schema["nullAsAbsent"] === true;
  const arrange = named ? keepNamed(schema) : (value: unknown): unknown => value;
  const required = requiredNames(schema);
  const acceptsNull = hasType(schema, "null") || isUntyped(schema);
  return (body) => {
    if (body === null && !acceptsNull && !(named && required.length === 0)) {
      return { error: missingBody() };
    }
    const compiled = compile();
    const value = arrange(body);
    return compiled.accepts(value)
      ? { value }
      : { error: new SchemaMismatchError("body", compiled, arrange) };
  };
}

/**
 * A body made of named parameters: null means not given, unknown names are ignored. Copying what is
 * known is cheaper than deleting, which would turn the object into a slow one.
 */
function keepNamed(schema: JsonSchema): (value: unknown) => unknown {
  const names = Object.keys((schema["properties"] ?? {}) as JsonSchema);
  const ownFilter = schema["ownFilter"];
  return (body) => {
    if (body === null) return {};
    if (!isSchema(body)) return body;
    const kept: Record<string, unknown> = {};
    for (const name of names) {
      const value = body[name];
      if (value !== undefined && value !== null) kept[name] = value;
    }
    if (typeof ownFilter === "string" && isSchema(body["filter"])) {
      spreadFilter(body["filter"], kept, { names, ownFilter });
    }
    return kept;
  };
}

/**
 * A list also takes its conditions under the one key `filter`: nested by resource, or the list's
 * own attributes directly. What stands beside it under its own name wins.
 */
function spreadFilter(
  filter: JsonSchema,
  kept: Record<string, unknown>,
  { names, ownFilter }: { readonly names: readonly string[]; readonly ownFilter: string },
): void {
  const isNested = Object.keys(filter).some((key) => names.includes(key));
  for (const [name, value] of isNested ? Object.entries(filter) : [[ownFilter, filter] as const]) {
    if (value !== null) kept[name] ??= value;
  }
}

function judgeQuery(schema: JsonSchema, compile: () => CompiledSchema): Judge {
  const arrange = keepGiven(schema);
  return (query) => {
    const compiled = compile();
    const value = arrange(query);
    return compiled.accepts(value)
      ? { value }
      : { error: new SchemaMismatchError("query", compiled, arrange) };
  };
}

/**
 * A parameter given several times is a list where the schema wants one, else the last one counts.
 */
function keepGiven(schema: JsonSchema): (query: unknown) => unknown {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, unknown>>;
  const names = Object.keys(properties);
  const lists = new Set(names.filter((name) => hasType(properties[name], "array")));
  return (query) => {
    const kept: Record<string, unknown> = {};
    for (const name of names) {
      const given = (query as JsonSchema)[name];
      if (given === undefined) continue;
      if (lists.has(name)) kept[name] = Array.isArray(given) ? given : [given];
      else kept[name] = Array.isArray(given) ? given.at(-1) : given;
    }
    return kept;
  };
}

function missingBody(): InvalidRequestError {
  const problem = { type: "missing", loc: ["body"], msg: "Field required", input: null };
  return new InvalidRequestError([problem]);
}

function isUntyped(schema: JsonSchema): boolean {
  return Object.keys(schema).every(
    (key) => key === "$id" || key === "title" || key === "description",
  );
}
