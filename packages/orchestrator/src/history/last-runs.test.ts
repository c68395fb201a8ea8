import { openScope } from "@orchestrator/kernel/scope";
import type { Database, Queries } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { addDeployment, addFlow, addFlowRun } from "../testing/run-fixtures.ts";
import { describeEachApi } from "../testing.ts";
import { findLastRuns } from "./last-runs.store.ts";
import { listPoolSummaries } from "./pool-summaries.store.ts";

const WORKSPACE = openScope("test").workspaceId;
const UNKNOWN_ID = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";
const at = (minute: number): string =>
  `2026-01-01T10:${String(minute).padStart(2, "0")}:00.000000Z`;

describeEachApi("the last runs", (open) => {
  test("of a quiet deployment are there beside those of a busy one, the latest first", async () => {
    await using api = await open();
    const { id: flow_id } = await addFlow(api);
    const busy = await addDeployment(api, { flow_id, name: "busy" });
    const quiet = await addDeployment(api, { flow_id, name: "quiet" });
    const old = await addFlowRun(api, {
      flow_id,
      deployment_id: quiet.id,
      name: "old",
      expected_start_time: at(0),
      start_time: at(1),
      total_run_time: 7,
    });
    for (let i = 10; i < 40; i += 1)
      await addFlowRun(api, {
        flow_id,
        deployment_id: busy.id,
        name: `run-${i}`,
        expected_start_time: at(i),
      });
    await addFlowRun(api, {
      flow_id,
      deployment_id: busy.id,
      state_type: "SCHEDULED",
      expected_start_time: at(50),
    });
    const ids = [busy.id, quiet.id, UNKNOWN_ID];
    const { status, body } = await api.post("/ui/flow_runs/last", {
      of: "deployment",
      ids,
      limit: 3,
    });
    expect(status).toBe(200);
    const found = body as Record<string, { readonly name: string }[]>;
    expect(found[busy.id]?.map(({ name }) => name)).toEqual(["run-39", "run-38", "run-37"]);
    expect(found[quiet.id]).toEqual([
      {
        id: old.id,
        name: "old",
        state_type: "COMPLETED",
        state_name: old.state_name,
        expected_start_time: at(0),
        start_time: at(1),
        estimated_run_time: 7,
      },
    ]);
    expect(found[UNKNOWN_ID]).toEqual([]);
  });

  test("can be asked for by flow, and not without bounds", async () => {
    await using api = await open();
    const [a, b] = [await addFlow(api, { name: "a" }), await addFlow(api, { name: "b" })];
    await addFlowRun(api, { flow_id: a.id, name: "one" });
    const ask = (body: object) => api.post("/ui/flow_runs/last", body);
    expect((await ask({ of: "flow", ids: [a.id, b.id] })).body).toMatchObject({
      [a.id]: [{ name: "one" }],
      [b.id]: [],
    });
    expect((await ask({ of: "flow", ids: [] })).body).toEqual({});
    expect(await ask({ of: "flow", ids: Array(201).fill(a.id) })).toMatchObject({ status: 422 });
    expect(await ask({ of: "flow", ids: [a.id], limit: 51 })).toMatchObject({ status: 422 });
    expect(await ask({ of: "task", ids: [a.id] })).toMatchObject({ status: 422 });
  });

  test("show a work pool with its workers and runs in numbers", async () => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process" });
    await api.post("/work_pools/", { name: "quiet", type: "process", is_paused: true });
    await api.post("/work_pools/local/workers/heartbeat", { name: "worker-1" });
    const flow = (await api.post("/flows/", { name: "etl" })).body as { readonly id: string };
    const deployment = (
      await api.post("/deployments/", {
        name: "daily",
        flow_id: flow.id,
        work_pool_name: "local",
      })
    ).body as { readonly id: string };
    const run = (await api.post(`/deployments/${deployment.id}/create_flow_run`, {})).body as {
      readonly id: string;
    };
    await api.post(`/flow_runs/${run.id}/set_state`, { state: { type: "RUNNING" }, force: true });
    expect(await api.get("/ui/work_pools")).toMatchObject({
      status: 200,
      body: [
        { name: "local", type: "process", online_workers: 1, running: 1, late: 0 },
        { name: "quiet", status: "PAUSED", online_workers: 0, running: 0, late: 0 },
      ],
    });
  });

  test("are found by an index", async () => {
    await using api = await open();
    const { db } = api.ctx;
    const owners: Owner[] = [];
    for (let n = 1; n <= OWNERS; n += 1) {
      const { id: flow_id } = await addFlow(api, { name: `flow-${n}` });
      owners.push({ flow_id, deployment_id: (await addDeployment(api, { flow_id })).id });
    }
    await addRuns(db, owners);
    const asked = { ids: [UNKNOWN_ID], limit: 20, now: at(0) };
    const last = (of: "flow" | "deployment") =>
      planOf(db, (queries) => findLastRuns(queries, of, asked));
    expect(await last("flow")).toContain("flow_runs_by_flow");
    expect(await last("deployment")).toContain("flow_runs_by_deployment");
    expect(await last("flow")).not.toMatch(WHOLE_TABLE);
    expect(await last("deployment")).not.toMatch(WHOLE_TABLE);
    const pools = await planOf(db, (queries) => listPoolSummaries(queries, 9));
    expect(pools).not.toMatch(WHOLE_TABLE);
  });
});

const WHOLE_TABLE = /SCAN (flow_runs|run)\b(?! USING)|Seq Scan on flow_runs/u;
const ROWS = 20_000;
const OWNERS = 3;

interface Owner {
  readonly flow_id: string;
  readonly deployment_id: string;
}

/** With one statement: so many rows one by one would take too long. */
async function addRuns(db: Database, owners: readonly Owner[]): Promise<void> {
  const isSqlite = db.dialect.name === "sqlite";
  const numbers = isSqlite
    ? `(with recursive g(n) as (select 1 union all select n + 1 from g where n < ${ROWS}) select n from g) g`
    : `generate_series(1, ${ROWS}) as g(n)`;
  const digits = "substr('000000000000' || cast(n as text), length(cast(n as text)) + 1)";
  const ofOwner = (column: keyof Owner): string => {
    const choices = owners.map((owner, i) => `when ${i} then '${owner[column]}'`).join(" ");
    const chosen = `case n % ${OWNERS} ${choices} end`;
    return isSqlite ? chosen : `(${chosen})::uuid`;
  };
  const id = `'00000003-0000-4000-8000-' || ${digits}`;
  await db.exclusively(async (session) => {
    await session.execute(
      `insert into flow_runs (id, workspace_id, created, updated, name, flow_id, deployment_id, parameters, context, empirical_policy,
         tags, labels, state_type, state_name, run_count, expected_start_time, total_run_time, auto_scheduled)
       select ${isSqlite ? id : `(${id})::uuid`}, '${WORKSPACE}', '', '', 'run ' || n, ${ofOwner("flow_id")}, ${ofOwner("deployment_id")}, '{}', '{}', '{}',
         '[]', '{}', 'COMPLETED', 'Completed', 1, '2026-' || cast(100000 + n as text), 1, ${isSqlite ? "0" : "false"} from ${numbers}`,
    );
    if (!isSqlite) await session.execute("analyze flow_runs");
  });
}

/** How the database goes about a statement. */
async function planOf(db: Database, ask: (queries: Queries) => Promise<unknown>): Promise<string> {
  let asked = "";
  await ask({
    ...db.in(WORKSPACE),
    workspaceId: WORKSPACE,
    dialect: db.dialect,
    all: async (statement) => {
      asked = statement.compiledFor(db.dialect).sql;
      return [];
    },
  });
  const explain =
    db.dialect.name === "sqlite" ? "explain query plan" : "explain (generic_plan, costs off)";
  const lines = await db.exclusively((session) =>
    session.rows<Readonly<Record<string, unknown>>>(`${explain} ${asked}`),
  );
  return lines.map((line) => String(line["detail"] ?? line["QUERY PLAN"])).join("\n");
}
