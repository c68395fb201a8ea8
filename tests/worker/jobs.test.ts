// What a worker makes of jobs.

import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { stage } from "./support.ts";

test("a shell job runs in its folder with its environment, and what it prints is kept in order", async () => {
  await using on = await stage();
  await on.worker("--name", "w1");
  const deploymentId = await on.command(
    'pwd > where.txt; for i in 1 2 3; do echo "line $i $GREETING"; done; echo "$ORCHESTRATOR_PARAMETERS"',
    { env: { GREETING: "hello" } },
  );
  const id = await on.run(deploymentId, { parameters: { n: 1 as never } });
  const run = await on.inState(id, "COMPLETED");
  expect(run).toMatchObject({ run_count: 1, labels: { "orchestrator.worker.name": "w1" } });
  expect(run.infrastructure_pid).toMatch(/:\d+$/);
  expect(await on.logsOf(id)).toEqual(["line 1 hello", "line 2 hello", "line 3 hello", '{"n":1}']);
  expect((await readFile(on.file("where.txt"), "utf8")).trim()).toBe(on.folder);
});

test("a flow tells of itself, and each line of it is kept once, also those that it printed past the SDK", async () => {
  await using on = await stage();
  await on.worker();
  const deploymentId = await on.flow(`
    console.log("while it is read");
    const double = task(async function double(n) { return n * 2; });
    export const work = flow({ name: "work" }, async ({ n }) => {
      getLogger().info("from the logger\\nand a second line");
      console.log("from the console");
      process.stdout.write("past the SDK\\n");
      await double(n);
    });`);
  const id = await on.run(deploymentId, { parameters: { n: 2 as never } });
  expect(await on.inState(id, "COMPLETED")).toMatchObject({ run_count: 1 });
  // What the worker read comes behind the flow's own end.
  await retryUntil(async () => {
    expect((await on.logsOf(id)).toSorted()).toEqual([
      "from the console",
      "from the logger\nand a second line",
      "past the SDK",
      "while it is read",
    ]);
  });
  // It is recorded from events.
  await retryUntil(async () => expect(await on.client.taskRuns.count()).toBe(1));
});

test("a command that fails fails its run with its exit code and last lines, after it was tried again as often as it may be", async () => {
  await using on = await stage();
  await on.worker();
  const deploymentId = await on.command("echo tried >> tries.txt; echo no such table >&2; exit 3");
  const id = await on.run(deploymentId, { retries: 2 });
  const { state, run_count } = await on.inState(id, "FAILED");
  expect(state?.message).toBe("The job exited with code 3; its last lines:\nno such table");
  expect(run_count).toBe(3);
  expect(await readFile(on.file("tries.txt"), "utf8")).toBe("tried\n".repeat(3));
});

test.each([
  ["exits", 'console.error("out of cheese"); process.exit(7);', "exited with code 7"],
  ["is killed", 'console.error("out of cheese"); process.kill(process.pid, "SIGKILL");', "SIGKILL"],
])(
  "a flow whose process %s without a word is crashed, with its last lines",
  async (_, body, how) => {
    await using on = await stage();
    await on.worker();
    const deploymentId = await on.flow(
      `export const work = flow({ name: "work" }, async () => { ${body} });`,
    );
    const id = await on.run(deploymentId);
    const { state } = await on.inState(id, "CRASHED");
    expect(state?.message).toContain(how);
    expect(state?.message).toContain("out of cheese");
  },
);

test("a job that cannot be started crashes its run and says why", async () => {
  await using on = await stage();
  await on.worker();
  const nowhere = await on.run(await on.command("true", { working_dir: "/no/such/folder" }));
  expect((await on.inState(nowhere, "CRASHED")).state?.message).toContain(
    "There is no folder /no/such/folder",
  );
  const unknown = await on.run(
    await on.command("true", { env: { TOKEN: "{{ orchestrator.blocks.secret.token }}" } }),
  );
  expect((await on.inState(unknown, "CRASHED")).state?.message).toContain(
    "names orchestrator.blocks.secret.token, and the server has no such thing",
  );
});

test("variables of the server fill the job's configuration", async () => {
  await using on = await stage();
  await on.worker();
  await on.client.variables.create({ name: "region", value: "eu" });
  const deploymentId = await on.command("echo in $REGION", {
    env: { REGION: "{{ orchestrator.variables.region }}-1" },
  });
  const id = await on.run(deploymentId);
  await on.inState(id, "COMPLETED");
  expect(await on.logsOf(id)).toEqual(["in eu-1"]);
});

test("a job runs in the folder that it asks for, also where the pool's template has no place for one", async () => {
  await using on = await stage();
  const base_job_template = {
    job_configuration: { command: "{{ command }}" },
    variables: { type: "object", properties: { command: { type: "string" } } },
  };
  await on.client.workPools.update("local", { base_job_template });
  await on.worker();
  const id = await on.run(await on.command("pwd", { working_dir: "/" }));
  await on.inState(id, "COMPLETED");
  expect(await on.logsOf(id)).toEqual(["/"]);
});

test("a worker carries out no more runs at once than it may, and several share them, each once", async () => {
  await using on = await stage();
  await Promise.all([on.worker("--limit", "2"), on.worker("--limit", "2")]);
  await writeFile(on.file("log.txt"), "");
  const deploymentId = await on.command(
    'echo "begin $ORCHESTRATOR_FLOW_RUN_ID" >> log.txt; sleep 0.3; echo "end $ORCHESTRATOR_FLOW_RUN_ID" >> log.txt',
  );
  const ids = await Promise.all(Array.from({ length: 12 }, () => on.run(deploymentId)));
  for (const id of ids) await on.inState(id, "COMPLETED");
  const lines = (await readFile(on.file("log.txt"), "utf8")).trim().split("\n");
  expect(lines.filter((line) => line.startsWith("begin")).toSorted()).toEqual(
    ids.map((id) => `begin ${id}`).toSorted(),
  );
  let [now, most] = [0, 0];
  for (const line of lines) {
    now += line.startsWith("begin") ? 1 : -1;
    most = Math.max(most, now);
  }
  expect(most).toBeLessThanOrEqual(4);
});
