import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createLogger,
  type Database,
  kernelMigrations,
  migrate,
  openDatabase,
} from "@orchestrator/kernel";
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
           1.5, 0, '{}', '{}', '{}', '["a"]', '{}');`,
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
  expect(await rows(db, "select stretch, runs from flow_run_hours")).toEqual([
    { stretch: "2026-01-01T10", runs: 3 },
  ]);
  expect(await rows(db, "select row_id from flow_run_tags order by 1")).toEqual([
    { row_id: "r1" },
    { row_id: "r3" },
    { row_id: "r4" },
  ]);
  await execute(db, "delete from flows");
  expect(await tallies(db)).toEqual([]);
  expect(await rows(db, "select * from flow_run_hours")).toEqual([]);
  await db.close();
});

interface Instruction {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
}

/** Whether it can end a statement half done: by a function, a constraint that aborts it, or a reference. SQLite copies what such a statement changes. */
const canEndHalfDone = ({ opcode, p1, p2 }: Instruction): boolean =>
  ["Function", "PureFunc"].includes(opcode) ||
  (["Halt", "HaltIfNull"].includes(opcode) && p1 !== 0 && p2 === 2) ||
  (opcode === "FkCounter" && p1 === 0 && p2 > 0);

test.each([
  ["a run", "insert or fail into flow_runs default values"],
  [
    "the state of a run",
    "update or fail flow_runs set state_type = '', start_time = '', end_time = '', total_run_time = 0",
  ],
  ["the tags of a run", "update or fail flow_runs set tags = '[]', expected_start_time = ''"],
  ["a task", "insert or fail into task_runs default values"],
  ["an event", "insert or fail into events default values returning (select 1 from flows)"],
])("SQLite copies nothing to write %s", async (_what, statement) => {
  const db = openFile();
  await migrate(db, [kernelMigrations, orchestratorMigrations]);
  const program = await rows<Instruction>(db, `explain ${statement}`);
  expect(program.length).toBeGreaterThan(10);
  expect(program.filter(canEndHalfDone)).toEqual([]);
  await db.close();
});
