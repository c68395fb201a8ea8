import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type JobRecord, JobRecords, jobEnvironmentMarker, processRecord } from "./job-records.ts";

const CLAIM = { flow_run_id: "r1", claim_id: "c1" };
const GONE = { pid: process.pid, start: "another process had this number" };
const left: JobRecord = {
  ...CLAIM,
  is_self_reporting: false,
  host: hostname(),
  worker: GONE,
  type: "process",
  identifier: null,
  process: null,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "notes-"));
});
afterEach(() => rm(folder, { recursive: true }));

const isLinux = process.platform === "linux";

/**
 * A process as a worker starts them, which a worker that was killed in that moment did not write
 * down.
 */
async function started(mark: Readonly<Record<string, string>>): Promise<number> {
  const env = { ...process.env, ...mark };
  const child = spawn("sleep", ["60"], { env, detached: true, stdio: "ignore" });
  await once(child, "spawn");
  return child.pid ?? 0;
}

describe.runIf(isLinux)("a note of a job whose process was not written down in time", () => {
  test.each([
    ["is told by the job's environment where the process is", jobEnvironmentMarker(CLAIM), true],
    [
      "is not taken for another claim of the run",
      jobEnvironmentMarker({ ...CLAIM, claim_id: "c2" }),
      false,
    ],
  ])("%s", async (_, mark, isFound) => {
    const notes = new JobRecords(folder);
    notes.write(left);
    const pid = await started(mark);
    try {
      expect(notes.leftBehind()).toEqual([
        { ...left, process: isFound ? processRecord(pid) : null },
      ]);
    } finally {
      process.kill(-pid, "SIGKILL");
    }
  });
});

test("notes of a worker that still runs, or of another machine, are not left behind", () => {
  const notes = new JobRecords(folder);
  notes.write({ ...left, worker: processRecord(process.pid) });
  notes.write({ ...left, flow_run_id: "r2", host: "elsewhere" });
  expect(notes.leftBehind()).toEqual([]);
});
