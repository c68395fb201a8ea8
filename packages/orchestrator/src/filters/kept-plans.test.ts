import { kernelMigrations, listJson } from "@orchestrator/kernel";
import { openTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { orchestratorMigrations } from "../db/migrations/index.ts";
import { FLOW_RUN_LIST } from "../features/flow-runs/flow-runs.filter.ts";
import { FILL, WORKSPACE } from "../testing/two-full-workspaces.ts";

/** PostgreSQL plans a statement for its values this often before it may keep a plan. */
const PLANNED_ANYWAY = 5;
const CALLS = 8;

const PLANNED = `select custom_plans as planned from pg_prepared_statements
  where statement like '%from "flow_runs" where%' and statement not like '%pg_prepared_statements%'`;

/** How often the statement of a list was planned anew in so many calls, which come one after the other and so share a connection. */
async function timesPlanned(page: { readonly offset?: number }): Promise<number | undefined> {
  await using t = await openTestPostgres([kernelMigrations, orchestratorMigrations]);
  await t.db.exclusively((session) => session.execute(FILL));
  const queries = t.db.in(WORKSPACE);
  const asked = { sort: "EXPECTED_START_TIME_DESC", limit: 20, offset: 0, now: "", ...page };
  for (let call = 0; call < CALLS; call += 1) await listJson(queries, FLOW_RUN_LIST, asked);
  return (await queries.select<{ planned: number }>({ sql: PLANNED, values: [] }))?.planned;
}

test("the first page of all runs is not planned again with every call", async () => {
  expect(await timesPlanned({})).toBe(PLANNED_ANYWAY);
});

test("a page from further on is planned for where it is", async () => {
  expect(await timesPlanned({ offset: 10 })).toBe(CALLS);
});
