import {
  createHttpApp,
  createLogger,
  createMetrics,
  followLog,
  kernelMigrations,
  type LoggedEvent,
  openKeyring,
  systemClock,
  systemIds,
} from "@orchestrator/kernel";
import { describeEachDatabase, type OpenTestDatabase } from "@orchestrator/kernel/testing";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { mountOrchestrator } from "../app.ts";
import type { OrchestratorContext } from "../context.ts";
import { orchestratorMigrations } from "../db/migrations/index.ts";
import { apiDialect, type DialectName } from "../dialect.ts";
import type { OrchestratorSettings } from "../settings.ts";

export interface TestApiOptions {
  readonly dialect?: DialectName;
  readonly settings?: Partial<OrchestratorSettings>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The whole API over a database of its own, asked without a socket. */
export interface TestApi extends AsyncDisposable {
  readonly ctx: OrchestratorContext;
  readonly request: (method: string, path: string, options?: TestRequest) => Promise<TestAnswer>;
  readonly post: (path: string, body?: unknown) => Promise<TestAnswer>;
  readonly get: (path: string) => Promise<TestAnswer>;
  readonly patch: (path: string, body?: unknown) => Promise<TestAnswer>;
  readonly delete: (path: string) => Promise<TestAnswer>;
  /** Every event so far, oldest first. */
  readonly events: () => Promise<TestEvent[]>;
}

export interface TestRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestEvent {
  readonly event: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

const DEFAULT_SETTINGS: OrchestratorSettings = {
  csrfProtectionEnabled: false,
  csrfTokenLifetime: 3_600_000,
  eventRetention: 604_800_000,
};

export type OpenTestApi = (options?: TestApiOptions) => Promise<TestApi>;

/** The same behaviour through HTTP, on every engine. */
export function describeEachApi(title: string, body: (open: OpenTestApi) => void): void {
  describeEachDatabase(title, (openDatabase) => {
    body((options) => openTestApi(openDatabase, options));
  });
}

/** Every successful answer in every test must be what its documentation says. */
function assertDocumented(
  request: FastifyRequest,
  { statusCode }: FastifyReply,
  payload: unknown,
): void {
  if (statusCode >= 300 || typeof payload !== "string") return;
  const responses = (request.routeOptions.schema?.response ?? {}) as Readonly<
    Record<number, TSchema>
  >;
  const schema = responses[statusCode];
  if (schema === undefined) return;
  const body: unknown = JSON.parse(payload);
  if (Value.Check(schema, body)) return;
  const [first] = Value.Errors(schema, body);
  throw new Error(
    `${request.method} ${request.url} answers other than documented: ${JSON.stringify(first)}`,
  );
}

async function openTestApi(
  openDatabase: OpenTestDatabase,
  { dialect = "orchestrator", settings = {} }: TestApiOptions = {},
): Promise<TestApi> {
  const database = await openDatabase([kernelMigrations, orchestratorMigrations]);
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  const metrics = createMetrics();
  const ctx: OrchestratorContext = {
    db: database.db,
    clock: systemClock,
    ids: systemIds(systemClock),
    log,
    keyring: openKeyring({ folder: "", secretKey: "07".repeat(32) }),
    version: "0.0.0-test",
    loopHealth: () => [],
    dialect: apiDialect(dialect, "0.0.0-test"),
    settings: { ...DEFAULT_SETTINGS, ...settings },
    settingsView: { server: { port: 4200 } },
  };
  const app = createHttpApp({ log, metrics });
  app.addHook("onSend", (sent, reply, payload, done) => {
    assertDocumented(sent, reply, payload);
    done();
  });
  mountOrchestrator(app, ctx);
  await app.ready();

  const request = async (
    method: string,
    path: string,
    { body, headers = {} }: TestRequest = {},
  ): Promise<TestAnswer> => {
    const answer = await app.inject({
      method: method as "GET",
      url: path.startsWith("/ui-") ? path : `/api${path}`,
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      ...(body === undefined
        ? {}
        : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const parsed: unknown = answer.body === "" ? undefined : JSON.parse(answer.body);
    return { status: answer.statusCode, headers: answer.headers, body: parsed };
  };

  return {
    ctx,
    request,
    post: (path, body = {}) => request("POST", path, { body }),
    get: (path) => request("GET", path),
    patch: (path, body = {}) => request("PATCH", path, { body }),
    delete: (path) => request("DELETE", path),
    async events() {
      const rows: LoggedEvent[] = await followLog(database.db).next(0, 1000);
      return rows.map(({ body }) => JSON.parse(body) as TestEvent);
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      metrics.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
