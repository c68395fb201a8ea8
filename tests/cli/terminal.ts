// A server, and a terminal beside it in which commands are typed.
import { writeFile } from "node:fs/promises";
import { createClient, createUptimeClient } from "@orchestrator/client/node";
import { expect } from "vitest";
import {
  type CommandProcess,
  type FinishedCommand,
  launchCommand,
  runCommand,
  type ServerEnv,
  type ServerProcess,
  startReadyServer,
} from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PASSWORD = "a-password-for-tests";

export interface Terminal extends AsyncDisposable {
  readonly server: ServerProcess;
  /** What the commands find in their environment. */
  readonly env: ServerEnv;
  /** Types a command; whatever it ends with. */
  readonly type: (args: readonly string[], env?: ServerEnv) => Promise<FinishedCommand>;
  /** What a command prints that ends well. */
  readonly text: (...args: readonly string[]) => Promise<string>;
  /** What a command prints as JSON, and it prints nothing else. */
  readonly json: <Value>(...args: readonly string[]) => Promise<Value>;
  /** Starts a command that goes on. */
  readonly begin: (...args: readonly string[]) => CommandProcess;
  /** Writes a file and returns where it is. */
  readonly file: (name: string, text: string) => Promise<string>;
  readonly client: ReturnType<typeof createClient>;
  readonly uptime: ReturnType<typeof createUptimeClient>;
}

export async function openTerminal(): Promise<Terminal> {
  const folder = await temporaryFolder();
  const home = `${folder.path}/data`;
  const server = await startReadyServer({ home, env: { UPTIME_PASSWORD: PASSWORD } });
  const env = {
    ORCHESTRATOR_HOME: home,
    ORCHESTRATOR_API_URL: `${server.url}/api`,
    UPTIME_PASSWORD: PASSWORD,
  };
  const type: Terminal["type"] = (args, more = {}) => runCommand(args, { ...env, ...more });
  const text: Terminal["text"] = async (...args) => {
    const { code, stdout, stderr } = await type(args);
    expect(`${code} ${stderr}`).toMatch(/^0 /);
    return stdout;
  };
  return {
    server,
    env,
    type,
    text,
    json: async <Value>(...args: readonly string[]) =>
      JSON.parse(await text(...args, "--json")) as Value,
    begin: (...args) => launchCommand(args, env),
    async file(name, content) {
      const path = `${folder.path}/${name}`;
      await writeFile(path, content);
      return path;
    },
    client: createClient({ env }),
    uptime: createUptimeClient({ env }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
