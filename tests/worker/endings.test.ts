// How jobs and workers end when somebody or something ends them.

import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { isProcessRunning, type Stage, stage } from "./support.ts";

/** Numbers of processes that a job has written down. */
async function pids(on: Stage, ...names: readonly string[]): Promise<number[]> {
  return retryUntil(async () => {
    const texts = await Promise.all(names.map((name) => readFile(on.file(name), "utf8")));
    const numbers = texts.map(Number);
    for (const number of numbers) expect(number).toBeGreaterThan(0);
    return numbers;
  });
}

const allGone = (numbers: readonly number[]): Promise<void> =>
  retryUntil(() => expect(numbers.filter(isProcessRunning)).toEqual([]));

/** The child has a child of its own, which does not mind being asked to end. */
const STUBBORN =
  "(trap '' TERM; echo $(sh -c 'echo $PPID') > grandchild; while true; do sleep 0.1; done) & echo $$ > child; wait; wait; sleep 60";

test("cancelling ends every process of a job, those that do not listen after the grace, and then the run is cancelled", async () => {
  await using on = await stage();
  await on.worker("--grace", "1");
  const id = await on.run(await on.command(STUBBORN));
  const processes = await pids(on, "child", "grandchild");
  await on.client.flowRuns.setState(id, { state: { type: "CANCELLING" } });
  await on.inState(id, "CANCELLED");
  await allGone(processes);
});

test("a flow that is cancelled is told to end, and tells so itself", async () => {
  await using on = await stage();
  await on.worker();
  const deploymentId = await on.flow(`
    import { writeFileSync } from "node:fs";
    import { getRunContext } from ${JSON.stringify(new URL("../../packages/sdk/dist/bundle/index.js", import.meta.url).href)};
    export const work = flow({ name: "work" }, async () => {
      writeFileSync("begun", String(process.pid));
      const { signal } = getRunContext();
      const alive = setInterval(() => {}, 1000);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      clearInterval(alive);
    });`);
  const id = await on.run(deploymentId);
  const [pid = 0] = await pids(on, "begun");
  await on.client.flowRuns.setState(id, { state: { type: "CANCELLING" } });
  const { state } = await on.inState(id, "CANCELLED");
  expect(state?.message).toContain("The run was cancelled");
  await allGone([pid]);
});

test("a server that is killed and comes back finds the job done once, and all that it printed", async () => {
  await using on = await stage();
  const worker = await on.worker();
  const line =
    "echo before; touch begun; while [ -e wait ]; do sleep 0.05; done; echo meanwhile; touch done; while [ -e wait2 ]; do sleep 0.05; done; echo after";
  const deploymentId = await on.command(line);
  await writeFile(on.file("wait"), "");
  const id = await on.run(deploymentId);
  const ending = await on.run(
    await on.command("touch begun2; while [ -e wait ]; do sleep 0.05; done; echo x >> ended"),
  );
  await writeFile(on.file("wait2"), "");
  // That a run is running is known before the worker has been told that it may begin.
  await retryUntil(() =>
    expect(["begun", "begun2"].map((name) => existsSync(on.file(name)))).toEqual([true, true]),
  );
  await on.killServer();
  await rm(on.file("wait"));
  await retryUntil(() =>
    expect(existsSync(on.file("done")) && existsSync(on.file("ended"))).toBe(true),
  );
  await on.startServer();
  await rm(on.file("wait2"));
  for (const one of [id, ending]) {
    expect(await on.inState(one, "COMPLETED")).toMatchObject({ run_count: 1 });
  }
  expect(await on.logsOf(id)).toEqual(["before", "meanwhile", "after"]);
  expect(await readFile(on.file("ended"), "utf8")).toBe("x\n");
  const later = await on.run(await on.command("echo again"));
  await on.inState(later, "COMPLETED");
  expect(worker.stderr()).toContain("The server answers again");
});

test("a worker that is told to stop takes no more runs and lets its jobs end", async () => {
  await using on = await stage();
  const worker = await on.worker();
  const deploymentId = await on.command("touch begun; while [ ! -e go ]; do sleep 0.05; done");
  const id = await on.run(deploymentId);
  await retryUntil(() => expect(existsSync(on.file("begun"))).toBe(true));
  worker.kill("SIGTERM");
  await retryUntil(() => expect(worker.stderr()).toContain("1 under way"));
  const next = await on.run(deploymentId);
  await writeFile(on.file("go"), "");
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  expect(await on.client.flowRuns.read(id)).toMatchObject({ state_type: "COMPLETED" });
  expect(await on.client.flowRuns.read(next)).toMatchObject({ state_type: "SCHEDULED" });
  expect(await on.client.workers.list("local")).toEqual([]);
});

test.each([
  ["crashed", [], "CRASHED"],
  ["scheduled again where that is wanted", ["--reschedule"], "SCHEDULED"],
] as const)("runs whose jobs do not end in time are %s", async (_, flags, type) => {
  await using on = await stage();
  const worker = await on.worker("--drain", "0", "--grace", "1", ...flags);
  const id = await on.run(await on.command(STUBBORN));
  const processes = await pids(on, "child", "grandchild");
  worker.kill("SIGTERM");
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  expect(await on.client.flowRuns.read(id)).toMatchObject({ state_type: type });
  await allGone(processes);
});

test("a run that waits for another try when its worker is stopped is left to other workers, for the same time", async () => {
  await using on = await stage();
  const worker = await on.worker("--drain", "0");
  const id = await on.run(await on.command("exit 1"), { retries: 1, retryDelay: 3600 });
  const waiting = await retryUntil(async () => {
    const run = await on.client.flowRuns.read(id);
    expect(run.state_name).toBe("AwaitingRetry");
    return run;
  });
  worker.kill("SIGTERM");
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  const { state, run_count } = await on.client.flowRuns.read(id);
  expect(state).toMatchObject({
    type: "SCHEDULED",
    message: "Its worker was stopped, so it waits for another",
    state_details: { scheduled_time: waiting.state?.state_details.scheduled_time },
  });
  expect(run_count).toBe(1);
});

test("a second signal kills the jobs at once", async () => {
  await using on = await stage();
  const worker = await on.worker("--drain", "600", "--grace", "600");
  const id = await on.run(await on.command(STUBBORN));
  const processes = await pids(on, "child", "grandchild");
  worker.kill("SIGTERM");
  await retryUntil(() => expect(worker.stderr()).toContain("1 under way"));
  worker.kill("SIGTERM");
  expect(await worker.exited).toEqual({ code: 143, signal: null });
  await allGone(processes);
  await on.inState(id, "CRASHED");
});

test("after a worker that was killed the next one ends its commands and tells of their runs", async () => {
  await using on = await stage();
  const first = await on.worker();
  const id = await on.run(await on.command(STUBBORN));
  const processes = await pids(on, "child", "grandchild");
  first.kill("SIGKILL");
  await first.exited;
  await on.worker();
  const { state } = await on.inState(id, "CRASHED");
  expect(state?.message).toBe("The worker that had it is gone");
  await allGone(processes);
});

test("a flow goes on when its worker was killed", async () => {
  await using on = await stage();
  const first = await on.worker();
  const deploymentId = await on.flow(`
    import { existsSync, writeFileSync } from "node:fs";
    import { setTimeout } from "node:timers/promises";
    export const work = flow({ name: "work" }, async () => {
      writeFileSync("begun", "1");
      while (!existsSync("go")) {
        console.log("still here");
        await setTimeout(20);
      }
    });`);
  const id = await on.run(deploymentId);
  await retryUntil(() => expect(existsSync(on.file("begun"))).toBe(true));
  first.kill("SIGKILL");
  await first.exited;
  await on.worker();
  await writeFile(on.file("go"), "");
  expect(await on.inState(id, "COMPLETED")).toMatchObject({ run_count: 1 });
});
