import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programSettings } from "./settings.ts";
import { startServer } from "./start-server.ts";

/** What a page is told whose name was let lead here once it was loaded. */
async function reboundStatus(url: string): Promise<number | undefined> {
  const headers = { origin: "http://rebound.example", host: "rebound.example" };
  const sent = request(`${url}/api/nowhere`, { method: "POST", headers }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  await once(answer, "end");
  return answer.statusCode;
}

test.each([
  ["127.0.0.1", true, 403],
  ["127.1", true, 403],
  ["2130706433", true, 403],
  ["LocalHost", true, 403],
  ["0.0.0.0", false, 404],
])(
  "a server on %s knows whether it is reached from this machine alone, and then takes no page for its own by a name that others give",
  async (host, isLocal, status) => {
    const home = await mkdtemp(join(tmpdir(), "orchestrator-loopback-"));
    const settings = programSettings.read({
      env: {
        ORCHESTRATOR_HOME: home,
        ORCHESTRATOR_SERVER_HOST: host,
        ORCHESTRATOR_SERVER_PORT: "0",
        ORCHESTRATOR_LOG_LEVEL: "silent",
        UPTIME_PASSWORD: "a password for tests",
      },
    });
    const server = await startServer(settings);
    try {
      const { port } = new URL(server.url);
      expect([server.isLocal, await reboundStatus(`http://127.0.0.1:${port}`)]).toEqual([
        isLocal,
        status,
      ]);
    } finally {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    }
  },
);
