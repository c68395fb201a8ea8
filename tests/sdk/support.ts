// A server in this process, and the SDK pointed at it.

import { createClient, type OrchestratorClient } from "@orchestrator/client";
import { programSettings, type RunningServer, startServerProcess } from "@orchestrator/server";
import { temporaryFolder } from "../support/temporary-folder.ts";

export interface SdkServer extends AsyncDisposable {
  readonly client: OrchestratorClient;
  readonly url: string;
  /** Where the SDK keeps its files. */
  readonly home: string;
  /** Takes the server away; what it has stored stays. */
  readonly takeAway: () => Promise<void>;
  /** The same server again, at the same address. */
  readonly bringBack: () => Promise<void>;
}

const SDK_ENVIRONMENT = [
  "ORCHESTRATOR_API_URL",
  "ORCHESTRATOR_HOME",
  "ORCHESTRATOR_SDK_LOG_PRINT",
] as const;

/** While it is open, flows of this process run against it. */
export async function sdkServer(): Promise<SdkServer> {
  const data = await temporaryFolder();
  const home = await temporaryFolder();
  let server: RunningServer | null = await start(data.path, "0");
  const { url } = server;
  const port = new URL(url).port;
  const before = SDK_ENVIRONMENT.map((name) => [name, process.env[name]] as const);
  process.env["ORCHESTRATOR_API_URL"] = `${url}/api`;
  process.env["ORCHESTRATOR_HOME"] = home.path;
  process.env["ORCHESTRATOR_SDK_LOG_PRINT"] = "false";
  const takeAway = async (): Promise<void> => {
    await server?.stop();
    server = null;
  };
  return {
    client: createClient({ url: `${url}/api` }),
    url,
    home: home.path,
    takeAway,
    async bringBack() {
      server ??= await start(data.path, port);
    },
    async [Symbol.asyncDispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await takeAway();
      await data[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

function start(home: string, port: string): Promise<RunningServer> {
  return startServerProcess(
    programSettings.read({
      env: { ORCHESTRATOR_HOME: home, ORCHESTRATOR_LOG_LEVEL: "error" },
      overrides: {
        "server.port": { flag: "--port", text: port },
        "server.services": { flag: "--services", text: "orchestrator" },
      },
    }),
  );
}
