import type { AddressInfo } from "node:net";
import { writeJson } from "@orchestrator/exact-json";
import { createComputePool } from "@orchestrator/kernel/compute";
import { followLog, type LoggedEvent } from "@orchestrator/kernel/events";
import type { Logger } from "@orchestrator/kernel/log";
import { createHearing, type Hearing, uninterrupted } from "@orchestrator/kernel/loops";
import { type Clock, systemClock, systemIds } from "@orchestrator/kernel/pure";
import { noQuotas, openGate } from "@orchestrator/kernel/scope";
import { openKeyring } from "@orchestrator/kernel/secrets";
import { ampleDisk, kernelMigrations } from "@orchestrator/kernel/storage";
import {
  describeEachDatabase,
  type OpenTestDatabase,
  openSocket,
  parseAnswer,
  type SocketClient,
  type TestDatabase,
} from "@orchestrator/kernel/testing";
import type { OrchestratorContext } from "../context.ts";
import { orchestratorMigrations } from "../db/migrations/index.ts";
import { apiDialect, type DialectName } from "../dialect.ts";
import { createEmptyPollCache } from "../polling/empty-poll-cache.ts";
import { PollRecorder } from "../polling/poll-recorder.ts";
import { createSlotLines } from "../polling/slot-lines.ts";
import { createWaitingPolls } from "../polling/waiting-polls.ts";
import { extendDeadlines } from "../reacting/extend-deadlines.store.ts";
import type { OrchestratorSettings } from "../settings.ts";
import { watchForLeaks } from "./leaks.ts";
import { borrowApp, ownApp, type TestApp } from "./test-app.ts";

export interface TestApiOptions {
  readonly dialect?: DialectName;
  /** Where the API takes the time from; the system's clock when left out. */
  readonly clock?: Clock;
  readonly settings?: Partial<OrchestratorSettings>;
  /**
   * Whether the server cannot hear while its clock jumps; otherwise it is taken to have heard all
   * the time.
   */
  readonly hasGaps?: boolean;
  /** Where log lines go; when left out, they are only looked through for secrets. */
  readonly log?: Logger;
  readonly socketLimits?: NonNullable<Parameters<typeof ownApp>[1]>["socketLimits"];
  /**
   * Whether no other test has the app: for what it remembers, or decides once for all when it is
   * built.
   */
  readonly isAlone?: boolean;
  /** From how many rows on a table is gone through beside the event loop, where that is done. */
  readonly manyRows?: number;
  /** Hears of every statement that SQLite prepares to write. */
  readonly onPrepare?: (sql: string) => void;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly text: string;
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
  /** Where the API can be reached by real requests. */
  readonly url: () => Promise<string>;
  /** A websocket to the API, let in already. */
  readonly socket: (path: string) => Promise<SocketClient>;
  /** The database as another replica has it; null where one process has it alone. */
  readonly openReplica: TestDatabase["openReplica"];
}

export interface TestRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestEvent {
  readonly event: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly related: readonly Readonly<Record<string, string>>[];
  readonly payload: Readonly<Record<string, unknown>>;
}

const DEFAULT_SETTINGS: OrchestratorSettings = {
  uiUrl: null,
  csrfProtectionEnabled: false,
  csrfTokenLifetime: 3_600_000,
  eventRetention: 604_800_000,
  eventRetentionByName: null,
  eventUnreadRetention: 2_592_000_000,
  claimTimeout: 600_000,
  cancellingTimeout: 25_000,
  lateAfter: 15_000,
  runRetention: null,
  automationsPerWorkspace: 1000,
  automationFiringsPerMinute: 600,
  deliveriesAllowPrivate: true,
  deliveriesAllowedHosts: null,
  deliveriesGiveUpAfter: 86_400_000,
};

export type OpenTestApi = (options?: TestApiOptions) => Promise<TestApi>;

/** The same behaviour through HTTP, on every engine. */
export function describeEachApi(title: string, body: (open: OpenTestApi) => void): void {
  describeEachDatabase(title, (openDatabase) => {
    body((options) => openTestApi(openDatabase, options));
  });
}

/** The ears of a process that begins now. */
export const hearingOf = (host: Pick<OrchestratorContext, "db" | "clock" | "log">): Hearing =>
  createHearing({
    ...host,
    service: "orchestrator",
    takesRequests: true,
    extend: extendDeadlines,
  });

async function openTestApi(
  openDatabase: OpenTestDatabase,
  {
    dialect = "orchestrator",
    clock = systemClock,
    settings = {},
    hasGaps = false,
    socketLimits = {},
    log: given,
    isAlone = settings.csrfProtectionEnabled === true || given !== undefined,
    ...options
  }: TestApiOptions = {},
): Promise<TestApi> {
  const leaks = watchForLeaks();
  const log = given ?? leaks.log;
  const migrations = [kernelMigrations, orchestratorMigrations];
  const database = await openDatabase(migrations, {
    manyRows: options.manyRows,
    onPrepare: options.onPrepare,
  });
  const compute = createComputePool();
  const ctx: OrchestratorContext = {
    db: database.db,
    clock,
    ids: systemIds(clock),
    log,
    keyring: openKeyring({ folder: "", secretKey: "07".repeat(32) }),
    version: "0.0.0-test",
    loopHealth: () => [],
    takesRequests: true,
    hearing: hasGaps ? hearingOf({ db: database.db, clock, log }) : uninterrupted,
    gate: openGate,
    quotas: noQuotas,
    disk: ampleDisk,
    compute,
    dialect: apiDialect(dialect, "0.0.0-test"),
    settings: { ...DEFAULT_SETTINGS, ...settings },
    settingsView: { server: { port: 4200 } },
    monitors: null,
    polls: new PollRecorder(),
    quietPools: createEmptyPollCache(database),
    slotLines: createSlotLines(database),
    waits: createWaitingPolls({ db: database.db, log }),
  };
  await ctx.hearing.listen();
  const place = { ctx, leaks };
  const inject = isAlone ? await ownApp(place, { socketLimits }) : await borrowApp(place);
  let listening: Promise<TestApp> | undefined;
  const url = async (): Promise<string> => {
    listening ??= isAlone ? Promise.resolve(inject) : ownApp(place, { socketLimits });
    const { app } = await listening;
    if (!app.server.listening) await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/api`;
  };

  let underWay = 0;
  let isOver = false;
  const request = async (
    method: string,
    path: string,
    { body, headers = {} }: TestRequest = {},
  ): Promise<TestAnswer> => {
    // What a test left behind may still be woken up, but nobody hears the answer.
    if (isOver) return new Promise(() => {});
    const payload = typeof body === "string" ? body : writeJson(body);
    leaks.given(`${payload} ${JSON.stringify(headers)}`);
    underWay += 1;
    const answer = await inject.app
      .inject({
        method: method as "GET",
        url: path.startsWith("/ui-") ? path : `/api${path}`,
        headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
        ...(payload === undefined ? {} : { payload }),
      })
      .finally(() => {
        underWay -= 1;
      });
    const isJson = /\bjson\b/.test(String(answer.headers["content-type"]));
    const text = answer.body === "" ? undefined : answer.body;
    const parsed: unknown = isJson && text !== undefined ? parseAnswer(text) : text;
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: parsed,
      text: answer.body,
    };
  };

  return {
    ctx,
    request,
    post: (path, body = {}) => request("POST", path, { body }),
    get: (path) => request("GET", path),
    patch: (path, body = {}) => request("PATCH", path, { body }),
    delete: (path) => request("DELETE", path),
    async events() {
      const log = followLog(database.db);
      const rows: LoggedEvent[] = [];
      // Where a write was rolled back the log is told in parts.
      for (let more = await log.next(0, 1000); more.length > 0; ) {
        rows.push(...more);
        more = await log.next(rows.at(-1)?.position ?? 0, 1000);
      }
      return rows.map(({ body }) => parseAnswer(body) as TestEvent);
    },
    url,
    async socket(path) {
      const client = await openSocket(`${(await url()).replace("http", "ws")}${path}`, ["prefect"]);
      client.ws.on("message", (data: Buffer) => leaks.look(data, `the socket ${path}`));
      client.send({ type: "auth", token: null });
      const answer = (await client.next()) as { readonly type?: string };
      if (answer.type !== "auth_success") throw new Error("The server did not let us in");
      return client;
    },
    openReplica: database.openReplica,
    async [Symbol.asyncDispose]() {
      isOver = true;
      const opened = new Set([inject, ...(listening === undefined ? [] : [await listening])]);
      await Promise.all([...opened].map((app) => app.release(underWay === 0)));
      try {
        await leaks.check(database.db);
      } finally {
        await compute.close();
        await database[Symbol.asyncDispose]();
      }
    },
  };
}
