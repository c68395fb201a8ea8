import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@orchestrator/kernel/log";
import {
  type Database,
  kernelMigrations,
  migrate,
  openDatabase,
} from "@orchestrator/kernel/storage";
import { afterEach, beforeEach, expect, test } from "vitest";
import { orchestratorMigrations } from "./migrations/index.ts";

const W1 = "00000000-0000-4000-8000-000000000001";
const log = createLogger({ level: "silent", format: "json" });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orchestrator-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const openFile = (): Database =>
  openDatabase({
    url: `sqlite:${join(folder, "test.db")}`,
    maxConnections: 1,
    stats: { onCommit: () => {} },
    log,
  });

const execute = (db: Database, sql: string) => db.exclusively((session) => session.execute(sql));
const rows = <R>(db: Database, sql: string) => db.exclusively((session) => session.rows<R>(sql));

const addRuns = (db: Database, state: string, ids: readonly string[]) =>
  execute(
    db,
    ids
      .map(
        (id) => `insert into flow_runs
          (id, workspace_id, created, updated, name, flow_id, state_type, state_name, run_count, expected_start_time,
           total_run_time, auto_scheduled, parameters, context, empirical_policy, tags, labels)
          values ('${id}', '${W1}', '', '', '${id}', 'flow', '${state}', '${state}', 0, '2026-01-01T10:00:00.000000Z',
           1.5, 0, '{}', '{}', '{}', '["a", "a"]', '{}');`,
      )
      .join(""),
  );

const addFlow = (db: Database) =>
  execute(
    db,
    `insert into flows (id, workspace_id, created, updated, name, tags, labels)
      values ('flow', '${W1}', '', '', 'flow', '[]', '{}')`,
  );

const tallies = (db: Database) =>
  rows(db, "select state_type, minute, runs, run_time from flow_run_tallies order by 1, 2");

test("runs that were tallied row by row go on to be tallied commit by commit", async () => {
  const { component, migrations } = orchestratorMigrations;
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === "flow-run-changes"),
  );
  const old = openFile();
  await migrate(old, [kernelMigrations, { component, migrations: before }]);
  await addFlow(old);
  await addRuns(old, "PENDING", ["r1", "r2", "r3"]);
  await old.close();

  const db = openFile();
  await migrate(db, [kernelMigrations, orchestratorMigrations]);
  await addRuns(db, "PENDING", ["r4"]);
  await execute(
    db,
    `update flow_runs set state_type = 'RUNNING' where id in ('r1', 'r4');
     update flow_runs set state_type = 'FAILED', total_run_time = 2 where id = 'r1';
     delete from flow_runs where id = 'r2'`,
  );
  const minute = "2026-01-01T10:00";
  expect(await tallies(db)).toEqual([
    { state_type: "FAILED", minute: "", runs: 1, run_time: 0 },
    { state_type: "FAILED", minute, runs: 1, run_time: 2_000_000 },
    { state_type: "PENDING", minute: "", runs: 1, run_time: 0 },
    { state_type: "PENDING", minute, runs: 1, run_time: 1_500_000 },
    { state_type: "RUNNING", minute: "", runs: 1, run_time: 0 },
    { state_type: "RUNNING", minute, runs: 1, run_time: 1_500_000 },
  ]);
  expect(await rows(db, "select row_id from flow_run_tags order by 1")).toEqual([
    { row_id: "r1" },
    { row_id: "r3" },
    { row_id: "r4" },
  ]);
  await execute(db, "delete from flows");
  expect(await tallies(db)).toEqual([]);
  await db.close();
});

test("runs whose tallies were taken away before them leave none that count less than nothing", async () => {
  const db = openFile();
  await migrate(db, [kernelMigrations, orchestratorMigrations]);
  await addFlow(db);
  await addRuns(db, "PENDING", ["r1", "r2"]);
  await execute(db, "delete from flow_run_tallies");
  await execute(db, "delete from flow_runs");
  expect(await tallies(db)).toEqual([]);
  await db.close();
});

test("runs that are late by centuries are tallied in any number, and deleted", async () => {
  const db = openFile();
  await migrate(db, [kernelMigrations, orchestratorMigrations]);
  await addFlow(db);
  await addRuns(
    db,
    "PENDING",
    Array.from({ length: 300 }, (_, n) => `r${n}`),
  );
  await execute(
    db,
    `update flow_runs set state_type = 'RUNNING', start_time = '2026-01-01T10:00:00.000000Z',
      expected_start_time = '0001-01-01T00:00:00.000000Z'`,
  );
  const lateness = async () => {
    const kept = await rows<{ runs: number; each: number }>(
      db,
      "select runs, lateness / runs as each from flow_run_tallies where minute <> ''",
    );
    return kept.map(({ runs, each }) => ({
      runs,
      years: Math.round(each / (365.2425 * 86_400e6)),
    }));
  };
  expect(await lateness()).toEqual([{ runs: 300, years: 2025 }]);
  await execute(db, "delete from flow_runs where id < 'r2'");
  for (const id of ["r20", "r21"]) await execute(db, `delete from flow_runs where id = '${id}'`);
  expect(await lateness()).toEqual([{ runs: 186, years: 2025 }]);
  await execute(db, "delete from flow_runs");
  expect(await tallies(db)).toEqual([]);
  await db.close();
});
