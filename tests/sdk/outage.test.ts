import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { flow, getLogger, getRunContext, NoServerError, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { sdkServer } from "./support.ts";

const runId = (): string => getRunContext().flowRun?.id ?? "";

test("a flow goes on while the server is away, which hears of everything later, in order and once", async () => {
  await using server = await sdkServer();
  const step = task(async function step(n: number) {
    getLogger().info(`step ${n}`);
    return n;
  });
  let id = "";
  let afterAway = 0;
  const long = flow({ name: "long" }, async () => {
    id = runId();
    for (let n = 0; n < 3; n += 1) await step(n);
    await server.takeAway();
    for (let n = 3; n < 50; n += 1) afterAway = await step(n);
    // Nobody has waited for the server so far.
    void server.bringBack();
  });
  await long();
  expect(afterAway).toBe(49);
  expect(await server.client.flowRuns.read(id)).toMatchObject({ state_type: "COMPLETED" });
  await retryUntil(async () => {
    const runs = await server.client.taskRuns.list({ limit: 200 });
    expect(runs).toHaveLength(50);
    expect(new Set(runs.map(({ state_type }) => state_type))).toEqual(new Set(["COMPLETED"]));
  });
  const states = await server.client.taskRunStates.list({
    task_run_id: (await server.client.taskRuns.list({ limit: 1 }))[0]?.id ?? "",
  });
  expect(states.map(({ name }) => name)).toEqual(["Running", "Completed"]);
  const lines = await server.client.logs.list({ logs: { flow_run_id: { any_: [id] } } });
  expect(lines.map(({ message }) => message)).toEqual(
    Array.from({ length: 50 }, (_, n) => `step ${n}`),
  );
});

test("what the server could not be told at the end is left for later", async () => {
  await using server = await sdkServer();
  process.env["ORCHESTRATOR_SDK_DELIVERY_SECONDS"] = "0.3";
  try {
    let id = "";
    const forsaken = flow({ name: "forsaken" }, async () => {
      id = runId();
      await server.takeAway();
      return "done";
    });
    expect(await forsaken()).toBe("done");
    const folder = join(server.home, "undelivered");
    expect(existsSync(folder)).toBe(true);
    const [place = ""] = readdirSync(folder);
    expect(
      readdirSync(join(folder, place)).filter((name) => name.endsWith(".states")),
    ).toHaveLength(1);
    await server.bringBack();
    expect((await server.client.flowRuns.read(id)).state_type).toBe("RUNNING");
  } finally {
    delete process.env["ORCHESTRATOR_SDK_DELIVERY_SECONDS"];
  }
});

test("a flow cannot begin without a server, and says what to do; unless that is allowed", async () => {
  const server = await sdkServer();
  const lonely = flow({ name: "lonely" }, async ({ n }: { n: number }) => n + 1);
  await server.takeAway();
  await expect(lonely({ n: 1 })).rejects.toThrow(NoServerError);
  await expect(lonely({ n: 1 })).rejects.toThrow("orchestrator server start");
  process.env["ORCHESTRATOR_OFFLINE"] = "allow";
  try {
    expect(await lonely({ n: 1 })).toBe(2);
  } finally {
    delete process.env["ORCHESTRATOR_OFFLINE"];
    await server[Symbol.asyncDispose]();
  }
});
