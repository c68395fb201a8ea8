// Runs that a program or a flow starts, and follows by a handle.

import {
  FlowRunFailedError,
  flow,
  getRunContext,
  ResultNotStoredError,
  startDeployment,
  suspendFlowRun,
  task,
} from "@orchestrator/sdk";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const LOCAL = { name: "local", stopOnSignals: false } as const;

const report = flow(
  { name: "report", parameters: z.object({ region: z.enum(["eu", "us"]).default("eu") }) },
  ({ region }) => ({ region, made: new Date(0), sold: new Map([[region, 10]]) }),
);

const countRuns = (server: SdkServer): Promise<number> => server.client.flowRuns.count({});

test("a run of a deployment is started with typed parameters, and its result comes back whole", async () => {
  await using server = await sdkServer();
  const served = await report.serve(LOCAL);
  const run = await startDeployment<typeof report>(
    "report/local",
    { region: "us" },
    { name: "by-hand", tags: ["shop"], priority: 5 },
  );
  const result = await run.result();
  expect(result).toEqual({ region: "us", made: new Date(0), sold: new Map([["us", 10]]) });
  expectTypeOf(result.region).toEqualTypeOf<"eu" | "us">();
  // @ts-expect-error there is no such region
  expectTypeOf(startDeployment<typeof report>).toBeCallableWith("report/local", { region: "mars" });
  expect(await run.status()).toMatchObject({ type: "COMPLETED" });
  expect(run.url).toBe(`${server.url}/runs/${run.id}`);
  expect(await server.client.flowRuns.read(run.id)).toMatchObject({
    name: "by-hand",
    tags: ["shop"],
    priority: 5,
  });
  const again = await report.start({ region: "us" }, { deployment: "local" });
  expect((await again.result()).region).toBe("us");
  await served.stop();
});

test("two starts with one key are one run", async () => {
  await using server = await sdkServer();
  await (await report.serve(LOCAL)).stop();
  const start = () => startDeployment("report/local", {}, { idempotencyKey: "day-1" });
  const [first, second] = [await start(), await start()];
  expect(second.id).toBe(first.id);
  expect(await countRuns(server)).toBe(1);
});

test("a run that has not begun is cancelled at once, and its result is an error that says so", async () => {
  await using _ = await sdkServer();
  await (await report.serve(LOCAL)).stop();
  const run = await startDeployment<typeof report>("report/local", {});
  await run.cancel();
  expect(await run.wait()).toMatchObject({ type: "CANCELLED" });
  const failure: unknown = await run.result().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(FlowRunFailedError);
  expect(failure).toMatchObject({ flowRunId: run.id, state: { type: "CANCELLED" } });
});

test("a result that is too large to be stored is an error that says so, not a wrong value", async () => {
  await using _ = await sdkServer();
  const large = flow({ name: "large" }, () => "x".repeat(70_000));
  const served = await large.serve(LOCAL);
  const run = await startDeployment<typeof large>("large/local");
  await expect(run.result()).rejects.toBeInstanceOf(ResultNotStoredError);
  expect(await run.status()).toMatchObject({ type: "COMPLETED" });
  await served.stop();
});

test("a deployment that does not exist, or a name without a flow, is refused", async () => {
  await using _ = await sdkServer();
  await expect(startDeployment("report/none")).rejects.toMatchObject({ status: 404 });
  await expect(startDeployment("report")).rejects.toThrow("named as flow/deployment, not report");
});

test("a flow that executes again gets the run that it has started, not a second one", async () => {
  await using server = await sdkServer();
  const served = await report.serve(LOCAL);
  const ids: string[] = [];
  const outer = flow({ name: "outer", retries: 1 }, async () => {
    for (const region of ["eu", "us"] as const) {
      const run = await startDeployment<typeof report>("report/local", { region });
      ids.push(run.id);
      expect((await run.result()).region).toBe(region);
    }
    if (ids.length === 2) throw new Error("not yet");
    return getRunContext().flowRun?.id;
  });
  const id = await outer();
  expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  expect(new Set(ids).size).toBe(2);
  const started = await server.client.flowRuns.read(ids[0] ?? "");
  expect(started.labels["orchestrator.started-by"]).toBe(id);
  await served.stop();
});

test("a flow that goes on on another machine keeps the run that it has started there", async () => {
  await using server = await sdkServer();
  await using otherHome = await temporaryFolder();
  const inner = await report.serve(LOCAL);
  const ids: string[] = [];
  const outer = flow({ name: "outer" }, async () => {
    const run = await startDeployment<typeof report>("report/local", { region: "us" });
    ids.push(run.id);
    await suspendFlowRun();
    return (await run.result()).region;
  });
  const first = await outer.serve(LOCAL);
  const started = await startDeployment<typeof outer>("outer/local");
  await retryUntil(async () => expect((await started.status()).name).toBe("Suspended"));
  await first.stop();
  process.env["ORCHESTRATOR_HOME"] = otherHome.path;
  const second = await outer.serve(LOCAL);
  await server.client.flowRuns.resume(started.id);
  expect(await started.result()).toBe("us");
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await countRuns(server)).toBe(2);
  await Promise.all([second.stop(), inner.stop()]);
});

test("a started run that failed is started anew when its flow is tried again", async () => {
  await using _ = await sdkServer();
  let runs = 0;
  const shaky = flow({ name: "shaky" }, () => {
    runs += 1;
    if (runs === 1) throw new Error("not yet");
    return runs;
  });
  const served = await shaky.serve(LOCAL);
  const outer = flow({ name: "outer", retries: 1 }, async () =>
    (await startDeployment<typeof shaky>("shaky/local")).result(),
  );
  expect(await outer()).toBe(2);
  await served.stop();
});

test("a flow is started in this process, followed and cancelled by its handle", async () => {
  await using server = await sdkServer();
  const run = await report.start({ region: "us" });
  expectTypeOf(run.result).returns.resolves.toExtend<{ region: "eu" | "us" }>();
  expect((await run.result()).region).toBe("us");
  expect(await run.wait()).toMatchObject({ type: "COMPLETED" });
  const endless = flow({ name: "endless" }, async () => {
    const { signal } = getRunContext();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  const other = await endless.start();
  expect(await other.status()).toMatchObject({ type: "RUNNING" });
  await other.cancel();
  expect(await other.wait()).toMatchObject({ type: "CANCELLED" });
  await expect(other.result()).rejects.toMatchObject({ name: "CancelledError" });
  expect(await server.client.flowRuns.read(other.id)).toMatchObject({ state_type: "CANCELLED" });
  await expect(report.start({}, { priority: 3 })).rejects.toThrow("name a deployment");
});

test("a flow that cancels what it has started goes on, and is told that it was cancelled", async () => {
  await using _ = await sdkServer();
  const endless = flow({ name: "endless" }, async () => {
    const { signal } = getRunContext();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  const outer = flow({ name: "outer" }, async () => {
    const [watched, left] = [await endless.start(), await endless.start()];
    await Promise.all([watched.cancel(), left.cancel()]);
    return watched.wait();
  });
  expect(await outer()).toMatchObject({ type: "CANCELLED" });
});

test("a flow that starts another one waits for it, and keeps its run when it executes again", async () => {
  await using server = await sdkServer();
  const done: string[] = [];
  const step = task(async function step(name: string) {
    done.push(name);
    return name;
  });
  const inner = flow({ name: "inner" }, async ({ name }: { name: string }) => step(name));
  const ids: string[] = [];
  const outer = flow({ name: "outer", retries: 1 }, async () => {
    const runs = [await inner.start({ name: "a" }), await inner.start({ name: "b" })];
    ids.push(...runs.map(({ id }) => id));
    const results = await Promise.all(runs.map((run) => run.result()));
    if (ids.length === 2) throw new Error("not yet");
    return results;
  });
  expect(await outer()).toEqual(["a", "b"]);
  expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  expect(done.toSorted((a, b) => a.localeCompare(b))).toEqual(["a", "b"]);
  const unseen = flow({ name: "unseen" }, async () => {
    await inner.start({ name: "c" });
  });
  await unseen();
  await retryUntil(async () => expect(done).toContain("c"));
  expect(await countRuns(server)).toBe(5);
});
