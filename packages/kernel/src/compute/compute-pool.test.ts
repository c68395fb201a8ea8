import { getPriority } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import type * as jobs from "../testing/pool-test-jobs.ts";
import { computeJob } from "./compute-job.ts";
import { type ComputePoolOptions, createComputePool } from "./compute-pool.ts";
import { ThreadFailedError } from "./thread-failed.ts";
import { threadModule } from "./thread-module.ts";

const module = threadModule(import.meta.url, "../testing/pool-test-jobs");
const double = computeJob<typeof jobs.double>(module, "double", "The double");
const matches = computeJob<typeof jobs.matches>(module, "matches", "The matches");
const spin = computeJob<typeof jobs.spin>(module, "spin", "The spin");
const rest = computeJob<typeof jobs.rest>(module, "rest", "The rest");
const allocate = computeJob<typeof jobs.allocate>(module, "allocate", "The allocate");
const throws = computeJob<typeof jobs.throws>(module, "throws", "The throws");
const ends = computeJob<typeof jobs.ends>(module, "ends", "The ends");
const priority = computeJob<typeof jobs.priority>(module, "priority", "The priority");
const absent = computeJob<typeof jobs.ends>(`${module}.absent`, "ends", "The absent");

const HOSTILE = { pattern: "^(a+)+$", text: `${"a".repeat(35)}!` };

function aPool(options: ComputePoolOptions = {}) {
  const pool = createComputePool({ budget: { cpuMs: 100, memoryMb: 32 }, ...options });
  onTestFinished(() => pool.close());
  const as = (name: string) => pool.for({ workspaceId: "w", caller: { kind: "user", id: name } });
  return { pool, as };
}

/** A job that runs until it is let go. */
function spinning() {
  const flag = new Int32Array(new SharedArrayBuffer(8));
  return {
    flag,
    started: () => Atomics.load(flag, 0) === 1,
    letGo: () => void Atomics.store(flag, 1, 1),
  };
}

const PATIENT = { cpuMs: 60_000, memoryMb: 32 };

test.runIf(process.platform === "linux")("lets the event loop go first", async () => {
  const { as } = aPool();
  expect(await as("a").run(priority, undefined)).toBeGreaterThan(getPriority(process.pid));
});

test("runs a function of a module on a thread", async () => {
  const { as } = aPool();
  expect(await as("one").run(double, 21)).toBe(42);
  expect(await as("one").run(matches, { pattern: "^a$", text: "a" })).toBe(true);
});

test("stops a job that is over its CPU time and goes on with a new thread", async () => {
  const { as } = aPool({ threads: 1 });
  await expect(as("one").run(matches, HOSTILE)).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining(
      "The matches takes more than its budget of 100 ms of CPU time",
    ),
  });
  expect(await as("one").run(double, 1)).toBe(2);
});

test.skipIf(process.platform !== "linux")(
  "charges a job for its own CPU time, not for that of the jobs beside it",
  async () => {
    const { as } = aPool();
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const innocent = as("innocent").run(rest, flag);
    for (let i = 0; i < 3; i += 1)
      await expect(as("hostile").run(matches, HOSTILE)).rejects.toMatchObject({ code: "invalid" });
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    await innocent;
  },
);

test("stops a job that is over its memory and goes on with a new thread", async () => {
  const { as } = aPool({ threads: 1, budget: PATIENT });
  await expect(as("one").run(allocate, undefined)).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("32 MB of memory"),
  });
  expect(await as("one").run(double, 1)).toBe(2);
});

test("the event loop turns while a job runs", async () => {
  const { as } = aPool();
  let isDone = false;
  const hostile = as("one")
    .run(matches, HOSTILE)
    .catch(() => {})
    .finally(() => {
      isDone = true;
    });
  let turns = 0;
  while (!isDone) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await hostile;
  expect(turns).toBeGreaterThan(10);
});

test("a caller runs two jobs at a time; others pass those that wait", async () => {
  const { as } = aPool({ budget: PATIENT });
  const jobs = [spinning(), spinning(), spinning()];
  const running = jobs.map(({ flag }) => as("greedy").run(spin, flag));
  expect(await as("modest").run(double, 3)).toBe(6);
  await until(() => jobs[0]?.started() === true && jobs[1]?.started() === true);
  expect(jobs[2]?.started()).toBe(false);
  jobs[0]?.letGo();
  await running[0];
  await until(() => jobs[2]?.started() === true);
  for (const job of jobs) job.letGo();
  await Promise.all(running);
});

test("callers take turns", async () => {
  const { as } = aPool({ threads: 1, budget: PATIENT });
  const first = spinning();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const running = [as("greedy").run(spin, first.flag).then(note("first"))];
  for (const name of ["second", "third"])
    running.push(as("greedy").run(double, 1).then(note(name)));
  running.push(as("modest").run(double, 1).then(note("other")));
  first.letGo();
  await Promise.all(running);
  expect(order).toEqual(["first", "second", "other", "third"]);
});

test("refuses what the queue has no room for, and takes it again later", async () => {
  const { as } = aPool({ threads: 1, waitingPerCaller: 1, waiting: 2, budget: PATIENT });
  const busy = spinning();
  const running = as("one").run(spin, busy.flag);
  const waiting = [as("one").run(double, 1)];
  const full = { code: "too_many_requests", retryAfterSeconds: 1 };
  await expect(as("one").run(double, 2)).rejects.toMatchObject(full);
  waiting.push(as("two").run(double, 2));
  await expect(as("three").run(double, 3)).rejects.toMatchObject(full);
  busy.letGo();
  await running;
  expect(await Promise.all(waiting)).toEqual([2, 4]);
  expect(await as("three").run(double, 3)).toBe(6);
});

test("requests leave room in the queue for the work of the server itself", async () => {
  const { pool, as } = aPool({ threads: 1, waiting: 1, budget: PATIENT });
  const busy = spinning();
  const running = as("one").run(spin, busy.flag);
  const waiting = [as("two").run(double, 1)];
  await expect(as("three").run(double, 2)).rejects.toMatchObject({ code: "too_many_requests" });
  const server = pool.for({ workspaceId: "w", caller: { kind: "system", id: "monitors" } });
  waiting.push(server.run(double, 2));
  busy.letGo();
  await running;
  expect(await Promise.all(waiting)).toEqual([2, 4]);
});

test("refuses more text than a thread could read within its memory", async () => {
  const { as } = aPool({ threads: 1 });
  const input = { pattern: "^a", text: "a".repeat(5_000_000) };
  await expect(as("one").run(matches, input)).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("32 MB of memory"),
  });
  expect(await as("one").run(double, 1)).toBe(2);
});

test("hands on what a job throws and keeps its thread", async () => {
  const { as } = aPool({ threads: 1 });
  await expect(as("one").run(throws, undefined as never)).rejects.toThrow("not this");
  expect(await as("one").run(double, 1)).toBe(2);
});

test("tells a failure of a thread from one of its job, and goes on", async () => {
  const { as } = aPool({ threads: 1 });
  for (const failing of [ends, absent])
    await expect(as("one").run(failing, undefined as never)).rejects.toBeInstanceOf(
      ThreadFailedError,
    );
  expect(await as("one").run(double, 1)).toBe(2);
});

test("refuses input that cannot be sent", async () => {
  const { as } = aPool({ threads: 1 });
  await expect(as("one").run(double, (() => 1) as never)).rejects.toThrow("could not be cloned");
  expect(await as("one").run(double, 1)).toBe(2);
});

test("closing refuses what runs and what waits", async () => {
  const { pool, as } = aPool({ threads: 1, budget: PATIENT });
  const stopped = { code: "unavailable" };
  const refused = [
    expect(as("one").run(spin, spinning().flag)).rejects.toMatchObject(stopped),
    expect(as("one").run(double, 1)).rejects.toMatchObject(stopped),
  ];
  await pool.close();
  await Promise.all(refused);
  await expect(as("one").run(double, 1)).rejects.toMatchObject(stopped);
});

test("a user does not get more places with more workspaces", async () => {
  const { pool } = aPool({ threads: 1, waitingPerCaller: 1, budget: PATIENT });
  const inWorkspace = (workspaceId: string) =>
    pool.for({ workspaceId, caller: { kind: "user", id: "one" } });
  const busy = spinning();
  const running = inWorkspace("a").run(spin, busy.flag);
  const waiting = inWorkspace("b").run(double, 1);
  await expect(inWorkspace("c").run(double, 2)).rejects.toMatchObject({
    code: "too_many_requests",
  });
  busy.letGo();
  await running;
  expect(await waiting).toBe(2);
});

test("callers without a name are told apart by their address", async () => {
  const { pool } = aPool({ threads: 1, waitingPerCaller: 1, budget: PATIENT });
  const from = (address: string) =>
    pool.for({ workspaceId: "w", caller: { kind: "anonymous", id: null }, address });
  const busy = spinning();
  const running = from("10.0.0.1").run(spin, busy.flag);
  const waiting = [from("10.0.0.1").run(double, 1), from("10.0.0.2").run(double, 2)];
  await expect(from("10.0.0.1").run(double, 3)).rejects.toMatchObject({
    code: "too_many_requests",
  });
  busy.letGo();
  await running;
  expect(await Promise.all(waiting)).toEqual([2, 4]);
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
