// A whole server for a test, with a folder of its own.
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyMigratedFile } from "@orchestrator/kernel/testing";
import { migrationsOf } from "../services.ts";
import { programSettings } from "../settings.ts";
import { type RunningServer, startServerProcess } from "../start-server.ts";

type Env = Readonly<Record<string, string>>;

const PASSWORD = "a password for tests";
const BASIC = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}`;
/** Far longer than anything takes on a busy machine. */
export const WAIT_OPTIONS = { timeout: 25_000, interval: 50 };

export interface RunningTestServer extends AsyncDisposable {
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>;
  readonly text: (path: string) => Promise<string>;
  /** Stops the server and starts another on the same data. */
  readonly restart: () => Promise<void>;
}

export async function startTestServer(env: Env): Promise<RunningTestServer> {
  const home = await mkdtemp(join(tmpdir(), "orchestrator-together-"));
  const file = join(home, "orchestrator.db");
  const settings = programSettings.read({
    env: {
      ORCHESTRATOR_HOME: home,
      ORCHESTRATOR_DATABASE_URL: `sqlite:${file}`,
      ORCHESTRATOR_SERVER_PORT: "0",
      ORCHESTRATOR_LOG_LEVEL: "silent",
      UPTIME_PASSWORD: PASSWORD,
      UPTIME_MIN_INTERVAL: "1s",
      ...env,
    },
  });
  const { services, authMode } = settings.server;
  if (env["ORCHESTRATOR_DATABASE_URL"] === undefined)
    await copyMigratedFile(file, migrationsOf(services, authMode));
  let server: RunningServer = await startServerProcess(settings);
  const headers = { authorization: BASIC, "content-type": "application/json" };
  return {
    async call(method, path, body) {
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(server.url + path, { method, headers, ...init });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text === "" ? null : JSON.parse(text);
    },
    text: async (path) => (await fetch(server.url + path)).text(),
    async restart() {
      await server.stop();
      server = await startServerProcess(settings);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A port of this machine that nobody listens on. */
export async function deadPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export const recordId = (record: unknown): string => (record as { readonly id: string }).id;
