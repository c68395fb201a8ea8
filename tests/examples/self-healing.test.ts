import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { openExamples } from "./support.ts";

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

test("the self-healing example brings a dead shop back: monitor, automation, deployment, check", async () => {
  await using world = await openExamples();
  const pidFile = join(world.folder, "shop.pid");
  const pidOfShop = () => Number(readFileSync(pidFile, "utf8"));
  await using healing = world.start("self-healing/healing.mjs", {
    SHOP_PORT: String(await freePort()),
    SHOP_PID_FILE: pidFile,
    SHOP_INTERVAL: "1",
  });
  const eventNames = async (): Promise<string[]> => {
    const { events } = await world.client.events.list({
      filter: {
        event: { name: ["orchestrator.monitor.Down", "orchestrator.monitor.Up"] },
        order: "ASC",
      },
    });
    return events.map(({ event }) => event);
  };
  try {
    await retryUntil(() => expect(healing.stdout(), healing.printed()).toContain("watched over"));
    const [monitor] = await world.uptime.monitors.list();
    await retryUntil(async () => {
      const { last_status } = await world.uptime.monitors.read(monitor?.id ?? "");
      expect(last_status).toBe("up");
    });
    const first = pidOfShop();
    process.kill(first, "SIGKILL");
    await retryUntil(async () => {
      expect(await eventNames()).toEqual(expect.arrayContaining(["orchestrator.monitor.Down"]));
      expect((await eventNames()).at(-1)).toBe("orchestrator.monitor.Up");
    });
    expect(pidOfShop()).not.toBe(first);
    const { events } = await world.client.events.list({
      filter: { event: { name: ["orchestrator.automation.action.executed"] } },
    });
    const acted = events.map(({ payload }) => payload["action_type"]);
    expect(acted).toEqual(expect.arrayContaining(["run-deployment"]));
    await retryUntil(async () => {
      const [run] = await world.client.flowRuns.list({
        deployments: { name: { any_: ["shop"] } },
      });
      expect(run?.state_type).toBe("COMPLETED");
    });
    await retryUntil(async () => {
      const done = await world.client.events.list({
        filter: { event: { name: ["orchestrator.automation.action.executed"] } },
      });
      expect(done.events.map(({ payload }) => payload["action_type"])).toContain("run-check");
    });
  } finally {
    // It is a process of its own, and may never have begun.
    if (existsSync(pidFile)) process.kill(pidOfShop(), "SIGKILL");
  }
});
