import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programSettings } from "./settings.ts";
import { startServerProcess } from "./start-server.ts";
import { ACCOUNTS_MODE } from "./testing/guarded-server.ts";

test("the key of the owner is told as soon as it is good, also by a start that fails then", async () => {
  const home = await mkdtemp(join(tmpdir(), "orchestrator-notices-"));
  try {
    const settings = programSettings.read({
      env: {
        ORCHESTRATOR_HOME: home,
        ORCHESTRATOR_SERVER_PORT: "0",
        ORCHESTRATOR_LOG_LEVEL: "silent",
        ...ACCOUNTS_MODE,
        UPTIME_PASSWORD: "a password for tests",
      },
    });
    const told: string[] = [];
    const tell = ({ text }: { readonly text: string }): void => {
      told.push(text);
      throw new Error("interrupted");
    };
    await expect(startServerProcess(settings, { tell })).rejects.toThrow("interrupted");
    const [key] = (told[0] ?? "").split(" ");
    const server = await startServerProcess(settings);
    const headers = { authorization: `Bearer ${key}` };
    const me = await fetch(`${server.url}/api/me`, { headers });
    await server.stop();
    expect([me.status, server.notices]).toEqual([200, []]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
