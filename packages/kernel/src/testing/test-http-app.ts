import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { type ApiInstance, type ApiOptions, type MountedApi, mountApi } from "../http/mount-api.ts";
import { createHttpApp, type HttpAppOptions } from "../http-app/create-http-app.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import type { Scope } from "../scope/scope.ts";

export interface TestHttpApp extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly api: MountedApi;
  readonly metrics: Metrics;
  readonly logLines: readonly Readonly<Record<string, unknown>>[];
  /** Listens on a free port of this machine and returns it. */
  readonly listen: () => Promise<number>;
}

export interface TestHttpAppOptions {
  readonly app?: Partial<HttpAppOptions>;
  readonly api?: Partial<ApiOptions>;
  readonly beforeRoutes?: (app: FastifyInstance) => void;
  readonly routes?: (api: ApiInstance) => void;
}

export function testScope(requestId: string): Scope {
  return { workspaceId: "w1", caller: { kind: "anonymous", id: null }, requestId };
}

/** A web server with one API under `/api`, its log in memory. */
export function testHttpApp(options: TestHttpAppOptions = {}): TestHttpApp {
  const logLines: Readonly<Record<string, unknown>>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => logLines.push(JSON.parse(line)) });
  const metrics = createMetrics();
  const app = createHttpApp({ log, metrics, ...options.app });
  options.beforeRoutes?.(app);
  const api = mountApi(
    app,
    {
      prefix: "/api",
      title: "Test API",
      version: "1.0.0",
      malformedJsonStatus: 422,
      resolveScope: (request) => testScope(request.id),
      ...options.api,
    },
    options.routes ?? (() => {}),
  );
  return {
    app,
    api,
    metrics,
    logLines,
    listen: async () => {
      await app.listen({ port: 0, host: "127.0.0.1" });
      return (app.server.address() as AddressInfo).port;
    },
    [Symbol.asyncDispose]: async () => {
      metrics.close();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
