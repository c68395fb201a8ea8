// What flows and commands say may be no text that a server or a database takes.

import { flow, getLogger, getRunContext, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { stage } from "../worker/support.ts";
import { sdkServer } from "./support.ts";

const HALF = "🧀".slice(0, 1);

test("an error and lines with NUL or half a character are kept, without what nobody could store", async () => {
  await using server = await sdkServer();
  let id = "";
  const parse = task({ name: "parse", runName: "parse {0}" }, (text: string) => JSON.parse(text));
  const load = flow({ name: "load" }, async () => {
    id = getRunContext().flowRun?.id ?? "";
    getLogger().info(`read ${HALF} and \0`);
    await parse(`\0${HALF}`);
  });
  await expect(load()).rejects.toThrow("not valid JSON");
  const run = await server.client.flowRuns.read(id);
  expect(run.state).toMatchObject({
    type: "FAILED",
    message: expect.stringMatching(/^SyntaxError: .*not valid JSON$/),
  });
  const lines = await server.client.logs.list({
    logs: { flow_run_id: { any_: [id] } },
    sort: "TIMESTAMP_ASC",
  });
  expect(lines[0]?.message).toBe("read \ufffd and ");
  expect(lines.at(-1)?.message).toContain("The flow run ended as Failed: SyntaxError");
  await retryUntil(async () => {
    expect(await server.client.taskRuns.list({})).toMatchObject([
      { name: "parse \ufffd", state_type: "FAILED" },
    ]);
  });
});

test("the name of a run that was cut within a character is kept, of called flows and of deployments", async () => {
  await using server = await sdkServer();
  const { flowRuns, deployments } = server.client;
  const short = (title: string): string => title.slice(0, 6);
  const inner = flow(
    { name: "inner", runName: ({ title }: { title: string }) => short(title) },
    () => {},
  );
  const outer = flow({ name: "outer", runName: `\0${HALF} outer` }, () =>
    inner({ title: "inner🧀" }),
  );
  await outer();
  const names = async (): Promise<string[]> =>
    (await flowRuns.list({ sort: "NAME_ASC" })).map(({ name }) => name);
  expect(await names()).toEqual(["inner\ufffd", "\ufffd outer"]);
  const served = await inner.serve({ name: "s", stopOnSignals: false });
  const parameters = { title: "serve🧀" };
  const { id } = await deployments.createFlowRun(served.deploymentId, { parameters });
  await retryUntil(async () => {
    expect(await flowRuns.read(id)).toMatchObject({ state_type: "COMPLETED", name: "serve\ufffd" });
  });
  await served.stop();
  await served.finished;
});

test("a task whose cache key no database can hold is found in the cache, and told", async () => {
  await using server = await sdkServer();
  let calls = 0;
  const key = `\0${HALF}key`;
  const load = task({ name: "load", cacheKey: (text: string) => text }, () => {
    calls += 1;
  });
  await flow({ name: "twice" }, async () => {
    await load(key);
    await load(key);
  })();
  expect(calls).toBe(1);
  await retryUntil(async () => {
    const runs = await server.client.taskRuns.list({ sort: "NAME_ASC" });
    expect(runs.map(({ state_name, cache_key }) => [state_name, cache_key])).toEqual([
      ["Completed", null],
      ["Cached", "\ufffdkey"],
    ]);
  });
});

test("a message that is cut within a character is the end of its run all the same", async () => {
  await using server = await sdkServer();
  let id = "";
  const long = flow({ name: "long" }, () => {
    id = getRunContext().flowRun?.id ?? "";
    throw new Error("🧀".repeat(2000));
  });
  const odd = flow({ name: "odd" }, () => {
    id = getRunContext().flowRun?.id ?? "";
    throw new Error(`${"x".repeat(1992)}🧀🧀`);
  });
  for (const run of [long, odd]) {
    await expect(run()).rejects.toThrow();
    expect(await server.client.flowRuns.read(id)).toMatchObject({ state_type: "FAILED" });
  }
});

test.each([
  [
    "an object",
    { code: 404, message: "no such table" },
    "Error: { code: 404, message: 'no such table' }",
  ],
  ["an object without a prototype", Object.assign(Object.create(null), { code: 7 }), "code: 7"],
  ["nothing", null, "Error: null"],
  ["a text", "out of cheese", "Error: out of cheese"],
])("%s that is thrown is told by what is in it", async (_, thrown, told) => {
  await using server = await sdkServer();
  let id = "";
  const broken = flow({ name: "broken" }, () => {
    id = getRunContext().flowRun?.id ?? "";
    throw thrown;
  });
  await expect(broken()).rejects.toThrow();
  const { state } = await server.client.flowRuns.read(id);
  expect(state).toMatchObject({ type: "FAILED", message: expect.stringContaining(told) });
});

test("a command whose output is cut within a character has failed, with its lines", async () => {
  await using on = await stage();
  await on.worker();
  // A line is cut after 32,768 characters, what a state says of the last lines 2,000 before their
  // end.
  const print = `process.stdout.write("x" + "🧀".repeat(20000)); process.exitCode = 3`;
  const id = await on.run(await on.command(`node -e '${print}'`));
  const { state } = await on.inState(id, "FAILED");
  expect(state?.message).toContain("The job exited with code 3");
  expect((await on.logsOf(id)).join("")).toContain("x🧀🧀");
});
