import { openScope } from "@orchestrator/kernel/scope";
import type { Database, Queries } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { describeEachUptimeApi } from "../testing.ts";
import { hasResults, listResults, type ResultSelection } from "./results.store.ts";

const WORKSPACE = openScope("test").workspaceId;
const ROWS = 20_000;
const MONITORS = 40;
const AT = "2026-11-10T00:00:00.000000Z";

const idOf = (kind: number, n: number): string =>
  `0000000${kind}-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** Every fiftieth is not up. */
async function fill(db: Database): Promise<void> {
  const isSqlite = db.dialect.name === "sqlite";
  const numbers = isSqlite
    ? `(with recursive g(n) as (select 1 union all select n + 1 from g where n < ${ROWS}) select n from g) g`
    : `generate_series(1, ${ROWS}) as g(n)`;
  const id = (kind: number, n: string): string => {
    const digits = `substr('000000000000' || cast(${n} as text), length(cast(${n} as text)) + 1)`;
    const text = `'0000000${kind}-0000-4000-8000-' || ${digits}`;
    return isSqlite ? text : `(${text})::uuid`;
  };
  await db.exclusively(async (session) => {
    await session.execute(
      `insert into check_results (id, workspace_id, monitor_id, checked_at, status, message, elapsed_ms, details, origin, inconclusive)
       select ${id(1, "n")}, '${WORKSPACE}', ${id(2, `(n % ${MONITORS})`)}, '2026-11-' || cast(10 + n % 20 as text) || 'T00:00:00.' || cast(100000 + n as text) || 'Z',
         case when n % 50 = 1 then 'down' else 'up' end, 'http: 200 OK', 1, '{}', 'schedule', ${isSqlite ? "0" : "false"} from ${numbers}`,
    );
    if (!isSqlite) await session.execute("analyze check_results");
  });
}

/** How the database goes about a question. */
async function planOf(db: Database, ask: (queries: Queries) => Promise<unknown>): Promise<string> {
  const real = db.in(WORKSPACE);
  let asked = "";
  await ask({
    workspaceId: WORKSPACE,
    dialect: db.dialect,
    get: (statement, parameters) => real.get(statement, parameters),
    all: (statement, parameters) => real.all(statement, parameters),
    select: async (query) => {
      asked = query.sql;
      return real.select(query);
    },
  });
  const explain =
    db.dialect.name === "sqlite" ? "explain query plan" : "explain (generic_plan, costs off)";
  const lines = await db.exclusively((session) =>
    session.rows<Readonly<Record<string, unknown>>>(`${explain} ${asked}`),
  );
  return lines.map((line) => String(line["detail"] ?? line["QUERY PLAN"])).join("\n");
}

const ALL: ResultSelection = {
  monitorId: idOf(2, 7),
  since: null,
  until: null,
  statuses: [],
  after: null,
  order: "desc",
  limit: 100,
  offset: 0,
};

describeEachUptimeApi("the database", (open) => {
  test("finds the results of a monitor by an index, whatever is asked of them", async () => {
    await using api = await open();
    const { db } = api.ctx;
    await fill(db);
    const selections: readonly Partial<ResultSelection>[] = [
      {},
      { order: "asc" },
      { since: AT, until: AT },
      { after: { checkedAt: AT, id: idOf(1, 9) } },
      { statuses: ["down"] },
      { statuses: ["up"], since: AT },
    ];
    for (const selection of selections)
      for (const ask of [listResults, hasResults]) {
        const plan = await planOf(db, (queries) => ask(queries, { ...ALL, ...selection }));
        const about = [selection, ask.name];
        const index = selection.statuses?.includes("down") ? /by_monitor|troubled/ : /by_monitor/;
        expect([about, plan]).toEqual([about, expect.stringMatching(index)]);
        expect([about, plan]).toEqual([about, expect.not.stringMatching(/Seq Scan|SCAN check_/)]);
      }
  });
});
