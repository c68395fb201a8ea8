import type { AddressInfo } from "node:net";
import { writeJson } from "@orchestrator/exact-json";
import { createComputePool } from "@orchestrator/kernel/compute";
import { followLog, type LoggedEvent } from "@orchestrator/kernel/events";
import type { HttpApp } from "@orchestrator/kernel/http";
import { createLogger, type Logger } from "@orchestrator/kernel/log";
import { createHearing, uninterrupted } from "@orchestrator/kernel/loops";
import { type Clock, systemClock, systemIds } from "@orchestrator/kernel/pure";
import { noQuotas, openGate, openScope, type ServiceHost } from "@orchestrator/kernel/scope";
import { openKeyring } from "@orchestrator/kernel/secrets";
import { defineSettings } from "@orchestrator/kernel/settings";
import { ampleDisk, kernelMigrations } from "@orchestrator/kernel/storage";
import {
  describeEachDatabase,
  type OpenTestDatabase,
  parseAnswer,
  type TestDatabase,
} from "@orchestrator/kernel/testing";
import type { ServiceContext } from "../create-context.ts";
import { createContext } from "../create-context.ts";
import { uptimeMigrations } from "../db/migrations/index.ts";
import type { Pipeline } from "../engine/runs-in-flight.ts";
import { ensureAccount } from "../login/accounts.service.ts";
import { type UptimeSettings, uptimeSettings } from "../settings.ts";
import { borrowUptimeApp, buildUptimeApp } from "./test-app.ts";

export interface UptimeApiOptions {
  /** Where the API takes the time from; the system's clock when left out. */
  readonly clock?: Clock;
  readonly settings?: Partial<UptimeSettings>;
  /** Where log lines go; nowhere when left out. */
  readonly log?: Logger;
  /**
   * Whether the server cannot hear while its clock jumps; otherwise it is taken to have heard all
   * the time.
   */
  readonly hasGaps?: boolean;
  /** What looks at targets; the real checks when left out. */
  readonly pipeline?: Pipeline;
}

export interface UptimeTestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface UptimeTestRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Credentials are left out. */
  readonly isAnonymous?: boolean;
}

export interface UptimeTestEvent {
  readonly event: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly related: readonly Readonly<Record<string, string>>[];
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The whole API over a database of its own, asked without a socket and with Basic credentials. */
export interface UptimeApi extends AsyncDisposable {
  readonly ctx: ServiceContext;
  /** The workspace that all requests are in. */
  readonly workspaceId: string;
  readonly request: (
    method: string,
    path: string,
    options?: UptimeTestRequest,
  ) => Promise<UptimeTestAnswer>;
  readonly get: (path: string) => Promise<UptimeTestAnswer>;
  readonly post: (path: string, body?: unknown) => Promise<UptimeTestAnswer>;
  readonly put: (path: string, body?: unknown) => Promise<UptimeTestAnswer>;
  readonly patch: (path: string, body?: unknown) => Promise<UptimeTestAnswer>;
  readonly delete: (path: string) => Promise<UptimeTestAnswer>;
  /** Every event so far, oldest first. */
  readonly events: () => Promise<UptimeTestEvent[]>;
  /** Has the server note that it hears, as it does every few seconds. */
  readonly hear: () => Promise<void>;
  /** Where the API can be reached by real requests. */
  readonly url: () => Promise<string>;
  /** The database as another replica has it; null where one process has it alone. */
  readonly openReplica: TestDatabase["openReplica"];
}

export type OpenUptimeApi = (options?: UptimeApiOptions) => Promise<UptimeApi>;

/** The same behaviour through HTTP, on every engine. */
export function describeEachUptimeApi(title: string, body: (open: OpenUptimeApi) => void): void {
  describeEachDatabase(title, (openDatabase) => {
    body((options) => openUptimeApi(openDatabase, options));
  });
}

const TEST_SETTINGS: UptimeSettings = defineSettings(uptimeSettings).read({
  env: { UPTIME_PASSWORD: "a password for tests" },
});

/** Tries that take no time at all. */
const QUICK_COST = 2;

async function openUptimeApi(
  openDatabase: OpenTestDatabase,
  {
    clock = systemClock,
    settings = {},
    hasGaps = false,
    pipeline,
    log = createLogger({ level: "silent", format: "json", name: "test" }),
  }: UptimeApiOptions = {},
): Promise<UptimeApi> {
  const database = await openDatabase([kernelMigrations, uptimeMigrations]);
  const { workspaceId } = openScope("test");
  const compute = createComputePool();
  const host: ServiceHost = {
    db: database.db,
    clock,
    ids: systemIds(clock),
    log,
    keyring: openKeyring({ folder: "", secretKey: "07".repeat(32) }),
    version: "0.0.0-test",
    loopHealth: () => [],
    takesRequests: true,
    gate: openGate,
    quotas: noQuotas,
    disk: ampleDisk,
    compute,
  };
  const ears = createHearing({ ...host, service: "uptime" });
  const hearing = hasGaps ? ears : uninterrupted;
  await hearing.listen();
  const ctx = createContext(host, {
    settings: { ...TEST_SETTINGS, ...settings },
    hearing,
    passwordCost: QUICK_COST,
    ...(pipeline === undefined ? {} : { pipeline }),
  });
  await ensureAccount(ctx, workspaceId);
  const { app, giveBack } = await borrowUptimeApp(ctx);
  let listening: Promise<HttpApp> | undefined;
  const url = async (): Promise<string> => {
    listening ??= buildUptimeApp(ctx);
    const own = await listening;
    if (!own.server.listening) await own.listen({ port: 0, host: "127.0.0.1" });
    const { port } = own.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/uptime/api`;
  };

  const { username, password } = ctx.settings;
  const basic = `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}`;
  let underWay = 0;
  let isOver = false;
  const request = async (
    method: string,
    path: string,
    { body, headers = {}, isAnonymous = false }: UptimeTestRequest = {},
  ): Promise<UptimeTestAnswer> => {
    // What a test left behind may still be woken up, but nobody hears the answer.
    if (isOver) return new Promise(() => {});
    underWay += 1;
    const answer = await app
      .inject({
        method: method as "GET",
        url: `/uptime/api${path}`,
        headers: {
          ...(isAnonymous ? {} : { authorization: basic }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { payload: typeof body === "string" ? body : writeJson(body) }),
      })
      .finally(() => {
        underWay -= 1;
      });
    const isJson = /\bjson\b/.test(String(answer.headers["content-type"]));
    const text = answer.body === "" ? undefined : answer.body;
    const parsed: unknown = isJson && text !== undefined ? parseAnswer(text) : text;
    return { status: answer.statusCode, headers: answer.headers, body: parsed };
  };

  return {
    ctx,
    workspaceId,
    request,
    get: (path) => request("GET", path),
    post: (path, body = {}) => request("POST", path, { body }),
    put: (path, body = {}) => request("PUT", path, { body }),
    patch: (path, body = {}) => request("PATCH", path, { body }),
    delete: (path) => request("DELETE", path),
    async events() {
      const rows: LoggedEvent[] = await followLog(database.db).next(0, 1000);
      return rows.map(({ body }) => JSON.parse(body) as UptimeTestEvent);
    },
    async hear() {
      for (const { tick } of ears.loops) await tick(new AbortController().signal);
    },
    url,
    openReplica: database.openReplica,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await (await listening)?.close();
      // In an app that is still at work the next test would meet requests of this one.
      if (underWay > 0) await app.close();
      else giveBack();
      await compute.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
