import { openScope } from "@orchestrator/kernel/scope";
import { kernelMigrations, migrate } from "@orchestrator/kernel/storage";
import { openTestPostgres, rounds } from "@orchestrator/kernel/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orchestratorMigrations } from "../db/migrations/index.ts";
import { addFlow, addFlowRun } from "../testing/run-fixtures.ts";
import { createTestFlowRun, proposeFlow } from "../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../testing.ts";
import { addUpRunChanges } from "./run-tallies.store.ts";

const WORKSPACE = openScope("fixtures").workspaceId;
const STATES = ["SCHEDULED", "PENDING", "RUNNING", "COMPLETED", null] as const;

const addUp = async ({ ctx: { db } }: TestApi): Promise<number> =>
  db.dialect.isRemote ? addUpRunChanges(db) : 0;

const rows = <R>({ ctx: { db } }: TestApi, sql: string): Promise<R[]> =>
  db.exclusively((session) => session.rows<R>(sql));
const execute = ({ ctx: { db } }: TestApi, sql: string): Promise<void> =>
  db.exclusively((session) => session.execute(sql));

const quoted = (value: string | null): string => (value === null ? "null" : `'${value}'`);

const IN_GROUPS = "group by 1 order by 1";
const counted = (api: TestApi) =>
  rows(
    api,
    `select coalesce(state_type, '') as state, cast(count(*) as integer) as runs from flow_runs ${IN_GROUPS}`,
  );
/** Several rows of a state are added up; of what is none there may be a row that says so. */
const tallied = (api: TestApi) =>
  rows(
    api,
    `select state_type as state, cast(sum(runs) as integer) as runs from flow_run_tallies where minute = '' group by 1 having sum(runs) <> 0 order by 1`,
  );

const HOURS = [null, "2026-01-01T10:59:59.999999Z", "2026-01-01T11:00:00.000000Z"] as const;
describeEachApi("the tally of runs by their states", (open) => {
  const change = fc.record({
    what: fc.constantFrom("add", "change", "move", "delete", "delete flow", "add up"),
    of: fc.nat({ max: 9 }),
    to: fc.constantFrom(...STATES),
    at: fc.constantFrom(...HOURS),
  });

  test("is what counting the runs comes to, whatever became of them and whenever it is added up", {
    timeout: 120_000,
  }, async () => {
    await using api = await open();
    const property = fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      await execute(api, "delete from flows");
      let flow_id = (await addFlow(api)).id;
      for (const { what, of, to, at } of changes) {
        const some = `id in (select id from flow_runs order by id limit 2 offset ${of})`;
        if (what === "add")
          await addFlowRun(api, {
            flow_id,
            state_type: to,
            state_name: to,
            expected_start_time: at,
          });
        else if (what === "change")
          await execute(api, `update flow_runs set state_type = ${quoted(to)} where ${some}`);
        else if (what === "move")
          await execute(
            api,
            `update flow_runs set expected_start_time = ${quoted(at)} where ${some}`,
          );
        else if (what === "delete") await execute(api, `delete from flow_runs where ${some}`);
        else if (what === "add up") await addUp(api);
        else {
          await execute(api, "delete from flows");
          flow_id = (await addFlow(api)).id;
        }
      }
      expect(await tallied(api)).toEqual(await counted(api));
    });
    await fc.assert(property, {
      numRuns: api.ctx.db.dialect.isRemote ? rounds(6, 25) : rounds(15, 50),
    });
  });

  test("stays right while many write and several add it up at the same moment", async () => {
    await using api = await open();
    const ids = await Promise.all(Array.from({ length: 12 }, () => createTestFlowRun(api)));
    await Promise.all([
      ...ids.map(async (id) => {
        for (const state of ["PENDING", "RUNNING", "COMPLETED"] as const)
          await proposeFlow(api, id, state);
      }),
      ...[0, 1, 2].map(async () => {
        for (let n = 0; n < 5; n += 1) await addUp(api);
      }),
    ]);
    const completed = [{ state: "COMPLETED", runs: ids.length }];
    expect(await tallied(api)).toEqual(completed);
    await addUp(api);
    expect(await tallied(api)).toEqual(completed);
    expect(await rows(api, "select * from flow_run_changes")).toEqual([]);
    expect(await addUp(api)).toBe(0);
    const body = { flow_runs: { state: { type: { any_: ["COMPLETED", "RUNNING"] } } } };
    expect((await api.post("/flow_runs/count", body)).body).toBe(ids.length);
  });
});

describe("the tally on PostgreSQL", () => {
  test("begins with the runs that are there already", async () => {
    const { component, migrations } = orchestratorMigrations;
    const at = migrations.findIndex(({ name }) => name === "remote-tallies");
    const before = { component, migrations: migrations.slice(0, at) };
    await using database = await openTestPostgres([kernelMigrations, before]);
    const { db } = database;
    await db.exclusively((session) =>
      session.execute(`
        insert into flows (id, workspace_id, created, updated, name, tags, labels)
          values ('${WORKSPACE}', '${WORKSPACE}', '', '', 'flow', '[]', '{}');
        insert into flow_runs (id, workspace_id, created, updated, name, flow_id, run_count, total_run_time, auto_scheduled, parameters,
            context, empirical_policy, tags, labels, state_type, state_name)
          select gen_random_uuid(), '${WORKSPACE}', '', '', 'run', '${WORKSPACE}', 0, 0, false, '{}', '{}', '{}', '[]', '{}', state, state
            from unnest(array['FAILED', 'FAILED', null]) state`),
    );
    await migrate(db, [kernelMigrations, orchestratorMigrations]);
    const states = await db.exclusively((session) =>
      session.rows(
        "select state_type, state_name, runs::integer from flow_run_tallies where minute = '' order by 1",
      ),
    );
    expect(states).toEqual([
      { state_type: "", state_name: "", runs: 1 },
      { state_type: "FAILED", state_name: "FAILED", runs: 2 },
    ]);
  });

  test("begins by hours with what is added up already, and goes on with who adds up as before", async () => {
    const { component, migrations } = orchestratorMigrations;
    const at = migrations.findIndex(({ name }) => name === "coarse-tallies");
    const before = { component, migrations: migrations.slice(0, at) };
    await using database = await openTestPostgres([kernelMigrations, before]);
    const { db } = database;
    const note = (times: readonly (string | null)[], sign: 1 | -1) =>
      db.exclusively((session) =>
        session.execute(
          `insert into flow_run_changes (workspace_id, state_type, state_name, expected_start_time, total_run_time, sign) values
             ${times.map((time) => `('${WORKSPACE}', 'PENDING', 'Pending', ${quoted(time)}, 1.5, ${sign})`).join(", ")}`,
        ),
      );
    const [none, late, next] = HOURS;
    await note([none, late, late, next], 1);
    await addUpRunChanges(db);
    await note([late], 1);
    await migrate(db, [kernelMigrations, orchestratorMigrations]);
    await note([none, next], -1);
    await addUpRunChanges(db);
    const coarse = await db.exclusively((session) =>
      session.rows(
        "select stretch, runs::integer, run_time::integer, waiting_offset::float8 from flow_run_coarse_sums order by 1",
      ),
    );
    expect(coarse).toEqual([
      { stretch: "2026-01-01T10", runs: 3, run_time: 4_500_000, waiting_offset: 10_799_999_997 },
      { stretch: "2026-01-01T10:5", runs: 3, run_time: 4_500_000, waiting_offset: 1_799_999_997 },
    ]);
  });

  test("leaves nothing of runs whose workspace went before them", async () => {
    await using database = await openTestPostgres([kernelMigrations, orchestratorMigrations]);
    const { db } = database;
    const note = (runs: number) =>
      db.exclusively((session) =>
        session.execute(
          `insert into flow_run_changes (workspace_id, expected_start_time, total_run_time, sign) select '${WORKSPACE}', '${HOURS[1]}', 0, ${Math.sign(runs)} from generate_series(1, ${Math.abs(runs)})`,
        ),
      );
    await note(-3);
    expect(await addUpRunChanges(db)).toBe(3);
    await note(2);
    await addUpRunChanges(db);
    const left = await db.exclusively((session) =>
      session.rows("select runs::integer from flow_run_tallies where minute = ''"),
    );
    expect(left).toEqual([{ runs: 2 }]);
    const hours = await db.exclusively((session) =>
      session.rows("select stretch, runs::integer from flow_run_coarse_sums order by 1"),
    );
    expect(hours).toEqual([
      { stretch: "2026-01-01T10", runs: 2 },
      { stretch: "2026-01-01T10:5", runs: 2 },
    ]);
  });
});
