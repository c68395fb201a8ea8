import { STATUS_CODES } from "node:http";
import type { TypedAnswer } from "./answers.ts";
import { isSchema, type JsonSchema, requiredNames } from "./json-schema.ts";
import { createSchemaComponents, type SchemaComponents } from "./openapi-schema.ts";

export interface ApiDescription {
  readonly prefix: string;
  /**
   * Where its document and its page stand, for an API that shares its prefix with another. @default
   * the prefix
   */
  readonly docsPrefix?: string;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  /**
   * Ways to say who asks, any of which will do; a route that asks nobody has an empty `security` in
   * its schema.
   */
  readonly securitySchemes?: Readonly<Record<string, unknown>>;
}

/** What the document needs to know of a route. */
export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly schema: JsonSchema;
}

export type OpenApiDocument = Readonly<Record<string, unknown>>;

const ERROR_RESPONSE = { $ref: "#/components/responses/Error" };

export function buildOpenApiDocument(
  api: ApiDescription,
  routes: readonly DescribedRoute[],
): OpenApiDocument {
  const components = createSchemaComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeOperation(route, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: api.title,
      version: api.version,
      ...(api.description === undefined ? {} : { description: api.description }),
    },
    servers: [{ url: api.prefix }],
    tags: api.tags ?? [],
    ...(api.securitySchemes === undefined ? {} : { security: anyOf(api.securitySchemes) }),
    paths,
    components: {
      ...(api.securitySchemes === undefined ? {} : { securitySchemes: api.securitySchemes }),
      schemas: { ...components.schemas, Error: ERROR_SCHEMA },
      responses: {
        Error: {
          description: "The request was refused or failed",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
    },
  };
}

function anyOf(schemes: Readonly<Record<string, unknown>>): Readonly<Record<string, string[]>>[] {
  return Object.keys(schemes).map((name) => ({ [name]: [] }));
}

function describeOperation(route: DescribedRoute, components: SchemaComponents): JsonSchema {
  const { schema } = route;
  const operation: Record<string, unknown> = {};
  for (const key of ["tags", "summary", "description", "operationId", "deprecated", "security"]) {
    if (schema[key] !== undefined) operation[key] = schema[key];
  }
  const parameters = [...pathParameters(route, components), ...queryParameters(schema, components)];
  if (parameters.length > 0) operation["parameters"] = parameters;
  const { body } = schema;
  if (isSchema(body)) {
    operation["requestBody"] = {
      required: !(body["nullAsAbsent"] === true && requiredNames(body).length === 0),
      content: { ...ofText(schema["consumes"]), ...asJson(components.describe(body)) },
    };
  }
  operation["responses"] = {
    ...(route.path.includes(":") ? { 404: ERROR_RESPONSE } : {}),
    ...(isSchema(body) || isSchema(schema["querystring"]) ? { 422: ERROR_RESPONSE } : {}),
    ...describeResponses(schema["response"], components),
    default: ERROR_RESPONSE,
  };
  return operation;
}

function pathParameters(
  { path, schema }: DescribedRoute,
  components: SchemaComponents,
): JsonSchema[] {
  const described = propertiesOf(schema["params"]);
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: components.describe(described[name] ?? { type: "string" }),
  }));
}

function queryParameters(schema: JsonSchema, components: SchemaComponents): JsonSchema[] {
  const { querystring } = schema;
  if (!isSchema(querystring)) return [];
  const required = new Set(requiredNames(querystring));
  return Object.entries(propertiesOf(querystring)).map(([name, property]) => ({
    name,
    in: "query",
    required: required.has(name),
    ...(isSchema(property) && typeof property["description"] === "string"
      ? { description: property["description"] }
      : {}),
    schema: components.describe(property),
  }));
}

function describeResponses(responses: unknown, components: SchemaComponents): JsonSchema {
  if (!isSchema(responses)) throw new Error("An operation does not say what it answers");
  const shown: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(responses)) {
    const own = isSchema(schema) ? schema["description"] : undefined;
    const description = typeof own === "string" ? own : (STATUS_CODES[status] ?? "Response");
    shown[status] =
      status === "204" ? { description } : { description, content: contentOf(schema, components) };
  }
  return shown;
}

/** An answer is JSON unless it names its media types. */
function contentOf(answer: unknown, { describe }: SchemaComponents): JsonSchema {
  const types = isSchema(answer) ? answer["content"] : undefined;
  if (!isSchema(types)) return asJson(describe(answer));
  return Object.fromEntries(
    Object.entries(types as TypedAnswer["content"]).map(([type, { schema }]) => [
      type,
      { schema: describe(schema) },
    ]),
  );
}

const asJson = (schema: unknown): JsonSchema => ({ "application/json": { schema } });

function ofText(mediaTypes: unknown): JsonSchema {
  const types = Array.isArray(mediaTypes) ? (mediaTypes as readonly string[]) : [];
  return Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }]));
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isSchema(schema) ? schema["properties"] : undefined;
  return isSchema(properties) ? properties : {};
}

const ERROR_SCHEMA = {
  title: "Error",
  type: "object",
  required: ["detail", "exception_message"],
  properties: {
    detail: { type: "string", description: "One sentence for a reader" },
    exception_message: { type: "string" },
    exception_detail: {
      type: "array",
      description: "What is wrong with an invalid request, place by place",
      items: {
        type: "object",
        required: ["type", "loc", "msg"],
        properties: {
          type: { type: "string" },
          loc: { type: "array", items: { type: ["string", "integer"] } },
          msg: { type: "string" },
          input: {},
          ctx: { type: "object" },
        },
      },
    },
    request_body: { description: "The body of an invalid request, secrets masked" },
    request_id: { type: "string", description: "Finds the log lines of a failed request" },
  },
} as const;
