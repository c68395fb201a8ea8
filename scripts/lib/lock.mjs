// Lets only one process at a time change node_modules or the built files.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./run.mjs";

const folder = join(root, ".cache");
const file = join(folder, "setup.lock");

export async function withLock(work) {
  mkdirSync(folder, { recursive: true });
  for (let waited = 0; !acquire(); waited++) {
    if (waited === 0) console.log("Waiting for another command that is installing or building ...");
    await sleep(200);
  }
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function acquire() {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  // Whoever was interrupted could not take its lock away.
  const owner = readOwner();
  if (owner === undefined || isAlive(owner) || readOwner() !== owner) return false;
  release();
  return acquire();
}

function release() {
  rmSync(file, { force: true });
}

function readOwner() {
  try {
    return Number(readFileSync(file, "utf8")) || undefined;
  } catch {
    return undefined; // taken away meanwhile
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
