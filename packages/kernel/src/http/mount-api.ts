import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  FastifyTypeProvider,
  RawServerDefault,
  RouteOptions,
} from "fastify";
import type { Static, TSchema } from "typebox";
import type { SocketGate } from "../scope/gate.ts";
import type { Scope } from "../scope/scope.ts";
import { mountDocs } from "./docs-page.ts";
import { createErrorHandler, type ErrorHandlerOptions } from "./error-handler.ts";
import { isSchema } from "./json-schema.ts";
import {
  type ApiDescription,
  buildOpenApiDocument,
  type DescribedRoute,
  type OpenApiDocument,
} from "./openapi-document.ts";
import { negotiates } from "./sub-protocols.ts";
import { finishTogether } from "./together.ts";
import { createRequestValidation } from "./validation.ts";

export interface ApiOptions extends ApiDescription, ErrorHandlerOptions {
  /**
   * Says who asks and whose rows the request may touch, or throws. Runs once for every request of
   * the API.
   */
  readonly resolveScope: (request: FastifyRequest) => Scope | Promise<Scope>;
  /**
   * Asks peers of sockets that say who they are in their first message; without it their requests
   * are asked like all others.
   */
  readonly socketGate?: SocketGate;
}

declare module "fastify" {
  interface FastifyInstance {
    readonly socketGate: SocketGate | null;
  }

  interface FastifyRequest {
    /**
     * Set for every request of an API before its handler runs; for a socket that is asked later,
     * before it is served.
     */
    scope: Scope;
  }

  interface FastifySchema {
    readonly tags?: readonly string[];
    readonly summary?: string;
    readonly description?: string;
    readonly operationId?: string;
    readonly deprecated?: boolean;
    /**
     * Media types other than JSON in which the body may be sent as a text; the route brings their
     * parsers.
     */
    readonly consumes?: readonly string[];
    /** Other ways to say who asks than those of the API; empty where nobody is asked. */
    readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
    /** Leaves the route out of the OpenAPI document. */
    readonly hide?: boolean;
  }
}

/**
 * Bodies, queries and parameters have the type of their schema; answers are checked in tests, not
 * by type.
 */
interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
  readonly serializer: unknown;
}

/** Where a feature registers its routes. */
export type ApiInstance = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  SchemaTypes
>;

export interface MountedApi {
  readonly document: () => OpenApiDocument;
  /**
   * Schemas are compiled by the first request that needs them; a test compiles them all to find a
   * broken one.
   */
  readonly compileSchemas: () => void;
}

/** An API of its own under a prefix: its routes, its document, its idea of who asks. */
export function mountApi(
  app: FastifyInstance,
  options: ApiOptions,
  register: (api: ApiInstance) => void,
): MountedApi {
  const { prefix } = options;
  const routes: DescribedRoute[] = [];
  const validation = createRequestValidation();
  let cached: OpenApiDocument | undefined;
  const document = (): OpenApiDocument => {
    cached ??= buildOpenApiDocument(options, routes);
    return cached;
  };

  app.register(
    (docs, _options, done) => {
      mountDocs(docs, options, document);
      done();
    },
    { prefix: options.docsPrefix ?? prefix },
  );
  app.register(
    (api, _options, done) => {
      api.setErrorHandler(createErrorHandler(options));
      api.setValidatorCompiler(validation.compiler);
      api.addHook("onRoute", (route) => {
        routes.push(...describeRoute(prefix, route));
      });
      installScope(api, options);
      finishTogether(api, () => register(api as unknown as ApiInstance));
      done();
    },
    { prefix },
  );
  return { document, compileSchemas: validation.compileAll };
}

function installScope(
  api: FastifyInstance,
  { resolveScope: resolve, socketGate }: ApiOptions,
): void {
  api.decorateRequest("scope");
  api.decorate("socketGate", socketGate ?? null);
  api.addHook("onRequest", (request, _reply, done) => {
    if (socketGate !== undefined && negotiates(request)) {
      done();
      return;
    }
    let scope: Scope | Promise<Scope>;
    try {
      scope = resolve(request);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (!(scope instanceof Promise)) {
      request.scope = scope;
      done();
      return;
    }
    scope.then((resolved) => {
      request.scope = resolved;
      // oxlint-disable-next-line promise/no-callback-in-promise -- a hook with a callback is the cheaper kind
      done();
    }, done);
  });
}

function describeRoute(prefix: string, route: RouteOptions): DescribedRoute[] {
  const schema = isSchema(route.schema) ? route.schema : {};
  if (schema["hide"] === true) return [];
  const path = route.url.slice(prefix.length) || "/";
  const methods = [route.method].flat().filter((method) => method !== "HEAD");
  return methods.map((method) => ({ method, path, schema }));
}
