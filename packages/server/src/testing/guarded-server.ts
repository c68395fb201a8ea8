// A whole server that asks who is there, for a test, with data of its own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  copyMigratedFile,
  createTestPostgres,
  openSocket,
  type SocketClient,
} from "@orchestrator/kernel/testing";
import { describe } from "vitest";
import { migrationsOf } from "../services.ts";
import { type ProgramSettings, programSettings } from "../settings.ts";
import { type RunningServer, startServerProcess } from "../start-server.ts";

type Env = Readonly<Record<string, string>>;
export type DatabaseEngine = "sqlite" | "postgres";

export interface ServerResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Call {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What reaches a running server. */
export interface ServerAccess {
  readonly url: string;
  /** Where its data is, for a test that looks at the rows themselves. */
  readonly databaseUrl: string;
  readonly isLocal: boolean;
  readonly notices: RunningServer["notices"];
  readonly call: (method: string, path: string, call?: Call) => Promise<ServerResponse>;
  /** A websocket that has sent its first message, the token. */
  readonly socket: (path: string, token: string | null) => Promise<SocketClient>;
  /** Another process on the same data, as a replica. */
  readonly replica: () => Promise<GuardedServer>;
}

export interface GuardedServer extends ServerAccess, AsyncDisposable {}

export async function guardedServer(
  env: Env,
  engine: DatabaseEngine = "sqlite",
): Promise<GuardedServer> {
  const home = await mkdtemp(join(tmpdir(), "orchestrator-guarded-"));
  const { services, authMode } = readSettings(env).server;
  const migrations = migrationsOf(services, authMode);
  const database = engine === "postgres" ? await createTestPostgres(migrations) : null;
  const file = join(home, "orchestrator.db");
  if (database === null) await copyMigratedFile(file, migrations);
  const given = {
    ORCHESTRATOR_HOME: home,
    ORCHESTRATOR_DATABASE_URL: database?.url ?? `sqlite:${file}`,
    ...env,
  };
  return start(given, async () => {
    await database?.drop();
    await rm(home, { recursive: true, force: true });
  });
}

const readSettings = (env: Env): ProgramSettings =>
  programSettings.read({
    env: {
      ORCHESTRATOR_SERVER_PORT: "0",
      ORCHESTRATOR_LOG_LEVEL: "silent",
      UPTIME_PASSWORD: "a password for tests",
      ...env,
    },
  });

async function start(env: Env, cleanUp: () => Promise<void>): Promise<GuardedServer> {
  const settings = readSettings(env);
  const server = await startServerProcess(settings);
  return {
    url: server.url,
    databaseUrl: settings.database.url,
    isLocal: server.isLocal,
    notices: server.notices,
    async call(method, path, { key, body, headers = {} } = {}) {
      const answer = await fetch(server.url + path, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: "manual",
      });
      const text = await answer.text();
      const isJson = /\bjson\b/.test(answer.headers.get("content-type") ?? "");
      return {
        status: answer.status,
        headers: answer.headers,
        body: isJson && text !== "" ? JSON.parse(text) : text,
      };
    },
    async socket(path, token) {
      const client = await openSocket(`${server.url.replace("http", "ws")}${path}`, ["prefect"]);
      client.send({ type: "auth", token });
      return client;
    },
    replica: () => start(env, async () => {}),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await cleanUp();
    },
  };
}

/** The same behaviour, on every engine. */
export function describeEachEngine(title: string, body: (engine: DatabaseEngine) => void): void {
  for (const engine of ["sqlite", "postgres"] as const)
    describe(`${title} [${engine}]`, () => body(engine));
}

/** What tests ask for in the name of one account of a server. */
export interface ServerAccount extends ServerAccess {
  readonly ownerKey: string;
  readonly accountId: string;
  /** Its first workspace, which addresses that name none mean. */
  readonly workspaceId: string;
  readonly handle: string;
  /** Of the owner of the first account, who may make others. */
  readonly operatorKey: string;
}

/** A server of a test's own, with the account that it begins with. */
export interface AccountsServer extends ServerAccount, AsyncDisposable {}

/** The links of such a server begin with an address that it is not reached by here. */
export const ACCOUNTS_MODE = {
  ORCHESTRATOR_SERVER_AUTH_MODE: "accounts",
  ORCHESTRATOR_AUTH_PUBLIC_URL: "https://orchestrator.example/",
};

/** The workspace that every server begins with. */
export const FIRST_WORKSPACE = "00000000-0000-0000-0000-000000000000";

export async function accountsServer(
  engine: DatabaseEngine = "sqlite",
  env: Env = {},
): Promise<AccountsServer> {
  const server = await guardedServer({ ...ACCOUNTS_MODE, ...env }, engine);
  const notice = server.notices.find(({ label }) => label === "Owner key");
  const ownerKey = notice?.text.split(" ")[0] ?? "";
  const me = await server.call("GET", "/api/me", { key: ownerKey });
  return Object.assign(server, {
    ownerKey,
    accountId: (me.body as { readonly account_id: string }).account_id,
    workspaceId: FIRST_WORKSPACE,
    handle: "default",
    operatorKey: ownerKey,
  });
}
