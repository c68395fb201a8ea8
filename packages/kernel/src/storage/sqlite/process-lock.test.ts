import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockForThisProcess } from "./process-lock.ts";

let file: string;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orchestrator-test-"));
  file = join(folder, "test.db");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("refuses a second holder in the same process, and lets it have the lock after the first gave it back", () => {
  const first = lockForThisProcess(file);
  expect(() => lockForThisProcess(file)).toThrow(expect.objectContaining({ code: "locked" }));
  first.release();
  lockForThisProcess(file).release();
});

test("keeps the locks of different files apart", () => {
  const first = lockForThisProcess(file);
  const second = lockForThisProcess(join(folder, "other.db"));
  first.release();
  second.release();
});

test("says that the folder is missing rather than that another server is there", () => {
  expect(() => lockForThisProcess(join(folder, "missing", "test.db"))).toThrow(
    expect.objectContaining({ code: "unavailable" }),
  );
});

test("refuses a lock that another process holds, until that process is killed", async () => {
  await using other = await holdInAnotherProcess(file);
  expect(() => lockForThisProcess(file)).toThrow(expect.objectContaining({ code: "locked" }));
  await other.kill();
  lockForThisProcess(file).release();
});

test("refuses another process while this one holds the lock", async () => {
  const lock = lockForThisProcess(file);
  await expect(holdInAnotherProcess(file)).rejects.toThrow("locked");
  lock.release();
  await using other = await holdInAnotherProcess(file);
  expect(other.pid).not.toBe(process.pid);
});

/**
 * Plain Node cannot run our sources, so the other process takes the same lock by the same two
 * steps. It ends with this one.
 */
const HOLD = `
  const { DatabaseSync } = require(process.argv[1]);
  const db = new DatabaseSync(process.argv[2]);
  db.exec("begin exclusive");
  process.stdout.write("held");
  process.stdin.resume().on("end", () => process.exit());
`;

async function holdInAnotherProcess(databaseFile: string) {
  const driver = createRequire(import.meta.url).resolve("@photostructure/sqlite");
  const child = spawn(process.execPath, ["-e", HOLD, driver, `${databaseFile}.lock`]);
  const failure: string[] = [];
  child.stderr.on("data", (chunk) => failure.push(String(chunk)));
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "close").then(() => {
      throw new Error(failure.join(""));
    }),
  ]);
  return { pid: child.pid, kill: () => kill(child), [Symbol.asyncDispose]: () => kill(child) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
