import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { CLAIM_ID, startScriptedServer } from "../testing/run-server.ts";
import type { JobRecord } from "./job-records.ts";
import { processRunner } from "./process-runner.ts";
import type { JobRunner } from "./runner.ts";
import { tearDownInfrastructure } from "./tear-down.ts";

/** Of a container of a worker that was killed. */
const noteOf = (flow_run_id: string): JobRecord => ({
  flow_run_id,
  claim_id: CLAIM_ID,
  is_self_reporting: false,
  host: hostname(),
  worker: { pid: process.pid, start: "another process had this number" },
  type: "docker",
  identifier: "docker:c1",
  process: null,
});

const dockerLike = (takeDown: () => Promise<void>): JobRunner => ({
  ...processRunner,
  type: "docker",
  takeDown,
});

describe("what a killed worker left in a container", () => {
  test("is left to a worker of its type", async () => {
    await using server = await startScriptedServer({ state_type: "RUNNING" });
    const scope = server.scope(processRunner);
    const note = noteOf(server.run.id);
    scope.notes.write(note);
    await tearDownInfrastructure(scope);
    expect(server.told()).toEqual([]);
    expect(scope.notes.leftBehind()).toEqual([note]);
  });

  test("is taken down by a worker of its type, which says so and forgets it", async () => {
    await using server = await startScriptedServer({ state_type: "RUNNING" });
    const taken: unknown[] = [];
    const scope = server.scope(dockerLike(async (...args) => void taken.push(...args)));
    scope.notes.write(noteOf(server.run.id));
    await tearDownInfrastructure(scope);
    expect(taken).toEqual(["docker:c1"]);
    expect(server.told()).toEqual(["CRASHED"]);
    expect(scope.notes.leftBehind()).toEqual([]);
  });

  test("is remembered while the engine does not answer", async () => {
    await using server = await startScriptedServer({ state_type: "RUNNING" });
    const scope = server.scope(dockerLike(() => Promise.reject(new Error("no engine"))));
    const note = noteOf(server.run.id);
    scope.notes.write(note);
    await tearDownInfrastructure(scope);
    expect(server.told()).toEqual(["CRASHED"]);
    expect(scope.notes.leftBehind()).toEqual([note]);
  });

  test("is anybody's to tell of where it was only claimed", async () => {
    await using server = await startScriptedServer({ state_type: "PENDING" });
    const scope = server.scope(processRunner);
    scope.notes.write({ ...noteOf(server.run.id), identifier: null });
    await tearDownInfrastructure(scope);
    expect(server.told()).toEqual(["SCHEDULED"]);
    expect(scope.notes.leftBehind()).toEqual([]);
  });
});
