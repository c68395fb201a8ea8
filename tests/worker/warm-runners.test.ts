// Flows of one deployment share processes, one run at a time, and each run finds its process as if
// it were new.

import { readFile, rm, utimes, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { isProcessRunning, type Stage, stage } from "./support.ts";

let on: Stage;
let flows = 0;

beforeAll(async () => {
  on = await stage();
  await on.worker("--limit", "2");
});

afterAll(async () => {
  await on[Symbol.asyncDispose]();
});

interface Deployed {
  readonly id: string;
  /** Where its runs write the numbers of their processes. */
  readonly pids: () => Promise<number[]>;
}

/** A flow that writes down its process, and then does what is given. */
async function deploy(body: string, imports = ""): Promise<Deployed> {
  flows += 1;
  const file = `pids${flows}`;
  const id = await on.flow(`
    import { spawn } from "node:child_process";
    import { appendFileSync, existsSync, writeFileSync } from "node:fs";
    import { createServer } from "node:net";
    import { setTimeout as wait } from "node:timers/promises";
    ${imports}
    export const work = flow({ name: "work" }, async (parameters) => {
      appendFileSync(${JSON.stringify(on.file(file))}, process.pid + "\\n");
      ${body}
    });`);
  const pids = async (): Promise<number[]> =>
    (await readFile(on.file(file), "utf8")).trim().split("\n").map(Number);
  return { id, pids };
}

async function runSeveral({ id }: Deployed, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const run = await on.run(id);
    await on.inState(run, "COMPLETED");
    ids.push(run);
  }
  return ids;
}

const lastPid = async ({ pids }: Deployed): Promise<number> => (await pids()).at(-1) ?? 0;

describe("a warm runner", () => {
  test("executes several runs of a deployment, each with its own output, environment and folder", async () => {
    const deployed = await deploy(`
      console.log("left", process.env.LEFT_BY_A_RUN, process.cwd() === "/");
      process.stdout.write("printed " + process.env.ORCHESTRATOR_FLOW_RUN_ID);
      process.env.LEFT_BY_A_RUN = "yes";
      process.exitCode = 7;
      process.chdir("/");`);
    const ids = await runSeveral(deployed, 4);
    expect(new Set(await deployed.pids()).size).toBeLessThan(4);
    for (const id of ids) {
      const lines = await retryUntil(async () => {
        const found = await on.logsOf(id);
        expect(found).toHaveLength(2);
        return found.toSorted();
      });
      expect(lines).toEqual(["left undefined false", `printed ${id}`]);
    }
  });

  test("is replaced when a file of the flow or what is installed for it changes", async () => {
    await writeFile(on.file("answer.mjs"), "export const answer = 1;");
    await writeFile(on.file("package.json"), "{}");
    const deployed = await deploy(
      `appendFileSync("answers", answer + "\\n");`,
      `import { answer } from "../answer.mjs";`,
    );
    await runSeveral(deployed, 2);
    await writeFile(on.file("answer.mjs"), "export const answer = 2;");
    // Copied with its old time, as many tools do that bring code to a machine.
    await utimes(on.file("answer.mjs"), 1, 1);
    await runSeveral(deployed, 2);
    expect(await readFile(on.file("answers"), "utf8")).toBe("1\n1\n2\n2\n");
    const before = await deployed.pids();
    await writeFile(on.file("package.json"), `{"dependencies":{}}`);
    await runSeveral(deployed, 1);
    expect(before).not.toContain(await lastPid(deployed));
  });

  test.each([
    ["exits", "process.exit(3);", "exited with code 3"],
    ["is killed", 'process.kill(process.pid, "SIGKILL");', "SIGKILL"],
    [
      "throws outside of the flow",
      'setTimeout(() => { throw new Error("not caught"); }); await new Promise(() => {});',
      "not caught",
    ],
  ])("that %s crashes its run alone, and another executes the next", async (_, code, why) => {
    const deployed = await deploy(`
      if (parameters.crash) { ${code} }
      while (parameters.steady && !existsSync("go")) await wait(20);`);
    const start = (name: string) => on.run(deployed.id, { parameters: { [name]: true as never } });
    const steady = await start("steady");
    await retryUntil(() => deployed.pids());
    const crashing = await start("crash");
    const { state } = await on.inState(crashing, "CRASHED");
    expect(state?.message).toContain(why);
    const crashed = await lastPid(deployed);
    await writeFile(on.file("go"), "");
    await on.inState(steady, "COMPLETED");
    await rm(on.file("go"));
    await runSeveral(deployed, 1);
    expect(await lastPid(deployed)).not.toBe(crashed);
  });

  test.each([
    ["a timer", "setInterval(() => {}, 1000);"],
    ["a server", 'createServer().listen(0, "127.0.0.1");'],
    ["a process", 'spawn("sleep", ["60"], { stdio: "ignore" }).unref();'],
  ])("in which a run leaves %s behind ends", async (_, code) => {
    const deployed = await deploy(code);
    await runSeveral(deployed, 2);
    const [first = 0, second] = await deployed.pids();
    expect(second).not.toBe(first);
    await retryUntil(() => expect(isProcessRunning(first)).toBe(false));
  });

  test("ends with a run that is cancelled", async () => {
    const deployed = await deploy(`while (existsSync("wait")) await wait(20);`);
    await runSeveral(deployed, 1);
    await writeFile(on.file("wait"), "");
    const id = await on.run(deployed.id);
    await retryUntil(async () => expect(await deployed.pids()).toHaveLength(2));
    await on.client.flowRuns.setState(id, { state: { type: "CANCELLING" } });
    await on.inState(id, "CANCELLED");
    const pid = await lastPid(deployed);
    await retryUntil(() => expect(isProcessRunning(pid)).toBe(false));
    await rm(on.file("wait"));
    await runSeveral(deployed, 1);
  });

  test("is not used where the job variables ask for a process for each run", async () => {
    const deployed = await deploy("");
    await on.client.deployments.update(deployed.id, { job_variables: { isolation: "process" } });
    await runSeveral(deployed, 3);
    expect(new Set(await deployed.pids()).size).toBe(3);
  });

  test("that cannot load a flow fails its run, and another executes the repaired flow", async () => {
    const deployed = await deploy("", `import "../missing.mjs";`);
    const { state } = await on.inState(await on.run(deployed.id), "FAILED");
    expect(state?.message).toContain("The flow could not be loaded");
    await writeFile(on.file("missing.mjs"), "");
    await runSeveral(deployed, 1);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "that waits for runs ends with a worker that gets %s",
    async (signal) => {
      await using another = await stage();
      const worker = await another.worker();
      const id = await another.flow(`
        import { writeFileSync } from "node:fs";
        export const work = flow({ name: "work" }, () => writeFileSync("pid", String(process.pid)));`);
      await another.inState(await another.run(id), "COMPLETED");
      const pid = Number(await readFile(another.file("pid"), "utf8"));
      if (signal === "SIGKILL") expect(isProcessRunning(pid)).toBe(true);
      worker.kill(signal);
      await worker.exited;
      await retryUntil(() => expect(isProcessRunning(pid)).toBe(false));
    },
  );
});
