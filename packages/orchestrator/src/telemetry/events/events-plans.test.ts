import type { EventFilter } from "@orchestrator/contract";
import { openScope } from "@orchestrator/kernel/scope";
import type { Database, Queries } from "@orchestrator/kernel/storage";
import { expect, test } from "vitest";
import { describeEachApi } from "../../testing.ts";
import { countByName, countByResource } from "./events-count.store.ts";
import { countEvents, findEventKeys } from "./events-page.store.ts";

const WORKSPACE = openScope("test").workspaceId;
const ROWS = 20_000;
const FLOWS = 200;
/** Every set of related resources is there on each of them. */
const DAYS = 20;
const period = { since: "2026-01-01T00:00:00.000000Z", until: "2026-12-31T00:00:00.000000Z" };

/** What must not go through all events, and by which index it finds them where only one will do. */
const FILTERS: readonly (readonly [EventFilter, string])[] = [
  [{}, "events_by_time"],
  [{ order: "ASC" }, "events_by_time"],
  [{ id: { id: ["00000003-0000-4000-8000-000000000001"] } }, ""],
  [{ event: { name: ["name.7"] } }, "events_by_name"],
  [{ event: { name: ["name.7", "name.8"] } }, "events_by_name"],
  [{ event: { prefix: ["name.7"] } }, "events_by_name"],
  [{ resource: { id: ["thing.7"] } }, "events_by_resource"],
  [{ resource: { id: ["thing.7", "thing.8"] } }, "events_by_resource"],
  [{ resource: { id_prefix: ["thing.77"] } }, "events_by_resource"],
  [{ related: { id: ["flow.7"] } }, "events_by_related"],
  [{ related: { id: ["flow.7"], role: ["flow"] } }, "events_by_related"],
  [{ related: { resources_in_roles: [["flow.7", "flow"]] } }, "events_by_related"],
  [{ related: { id: ["flow.7"], labels: { x: "y" } } }, "events_by_related"],
  [{ any_resource: { id: ["flow.7"] } }, "events_by_resource"],
  [{ any_resource: { id: ["flow.7"] } }, "events_by_related"],
  [{ any_resource: { id_prefix: ["flow.7"] } }, "events_by_related"],
  [{ related: { role: ["flow"] } }, ""],
  [{ related: { role: ["nobody", "flow"] } }, ""],
  [{ related: [{ role: ["flow"] }, { id: ["flow.7"] }] }, "events_by_related"],
  [{ resource: { labels: { x: "y*" } } }, ""],
  [{ text: { query: "x" } }, ""],
];

interface Amounts {
  readonly events: number;
  readonly sets: number;
}

/** Fills the tables with one statement each: so many rows one by one would take too long. */
async function fill(db: Database, { events, sets }: Amounts): Promise<void> {
  const isSqlite = db.dialect.name === "sqlite";
  const numbers = (n: number) =>
    isSqlite
      ? `(with recursive g(n) as (select 1 union all select n + 1 from g where n < ${n}) select n from g) g`
      : `generate_series(1, ${n}) as g(n)`;
  const id = (kind: number, n: string) => {
    const digits = `substr('000000000000' || cast(${n} as text), length(cast(${n} as text)) + 1)`;
    const text = `'0000000${kind}-0000-4000-8000-' || ${digits}`;
    return isSqlite ? text : `(${text})::uuid`;
  };
  const day = `'2026-01-' || cast(10 + n % ${DAYS} as text)`;
  await db.exclusively(async (session) => {
    await session.execute(
      `insert into events (workspace_id, id, occurred, received, event, resource_id, related_id, body)
       select '${WORKSPACE}', ${id(3, "n")}, ${day} || 'T00:00:00.' || cast(100000 + n as text) || 'Z', '', 'name.' || (n % 500), 'thing.' || (n % 5000),
         ${id(1, `(n % ${sets} + 1)`)}, '{}' from ${numbers(events)}`,
    );
    await session.execute(
      `insert into event_related (workspace_id, set_id, day, item, resource_id, role, written)
       select '${WORKSPACE}', ${id(1, "g.n")}, '2026-01-' || cast(9 + d.n as text), 0, 'flow.' || g.n, 'flow', ''
       from ${numbers(sets)} cross join ${numbers(DAYS).replace(/g(\(n\))?$/u, "d$1")}`,
    );
  });
}

type Ask = (queries: Queries) => Promise<unknown>;
type AnyQuery = Parameters<Queries["select"]>[0];

/** The last query of a request. */
async function queryOf(db: Database, ask: Ask): Promise<AnyQuery> {
  const real = db.in(WORKSPACE);
  let asked: AnyQuery | undefined;
  await ask({
    workspaceId: WORKSPACE,
    dialect: db.dialect,
    get: (statement, parameters) => real.get(statement, parameters),
    all: (statement, parameters) => real.all(statement, parameters),
    select: async (query) => {
      asked = query;
      return real.select(query);
    },
  });
  if (asked === undefined) throw new Error("Nothing was asked of the database");
  return asked;
}

/** How the database goes about it. */
async function planOf(db: Database, ask: Ask): Promise<string> {
  const { sql } = await queryOf(db, ask);
  const explain =
    db.dialect.name === "sqlite" ? "explain query plan" : "explain (generic_plan, costs off)";
  const lines = await db.exclusively((session) =>
    session.rows<Readonly<Record<string, unknown>>>(`${explain} ${sql}`),
  );
  return lines.map((line) => String(line["detail"] ?? line["QUERY PLAN"])).join("\n");
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows of tables PostgreSQL takes into its hands. */
function rowsIn(node: PlanNode): number {
  const rows = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const own = node["Relation Name"] === undefined ? 0 : rows * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, below) => sum + rowsIn(below), own);
}

async function rowsLookedAt(db: Database, ask: Ask): Promise<number> {
  const { sql, values } = await queryOf(db, ask);
  const query = { sql: `explain (analyze, format json) ${sql}`, values };
  const row = await db.in(WORKSPACE).select<Readonly<Record<string, unknown>>>(query);
  const told = row?.["QUERY PLAN"];
  const plans = typeof told === "string" ? JSON.parse(told) : told;
  return rowsIn((plans as readonly [{ readonly Plan: PlanNode }])[0].Plan);
}

const WHOLE_TABLE = /SCAN (e|m|r|t)\b(?! USING)|Seq Scan on events\b/u;

describeEachApi("the database", (open) => {
  test("finds events by an index, whatever is asked of them", async () => {
    await using api = await open();
    const { db } = api.ctx;
    await fill(db, { events: ROWS, sets: FLOWS });
    if (db.dialect.name === "postgres")
      await db.exclusively((session) => session.execute("analyze events; analyze event_related"));
    const after = { occurred: "2026-01-20T00:00:00.000000Z", position: 9 };
    for (const [filter, index] of FILTERS) {
      const selection = { filter, period, head: ROWS };
      const asks: readonly Ask[] = [
        (queries) => countEvents(queries, selection),
        (queries) => findEventKeys(queries, selection, { limit: 50, after: null }),
        (queries) => findEventKeys(queries, selection, { limit: 50, after }),
        (queries) => countByName(queries, selection),
        (queries) => countByResource(queries, selection),
      ];
      for (const [n, ask] of asks.entries()) {
        const plan = await planOf(db, ask);
        const about = [filter, n];
        expect([about, plan]).toEqual([about, expect.not.stringMatching(WHOLE_TABLE)]);
        if (n < 3) expect([about, plan]).toEqual([about, expect.stringContaining(index)]);
        if (index === "events_by_related")
          expect([about, plan]).toEqual([about, expect.stringContaining("related_by_resource")]);
      }
    }
  });

  test("looks at what is stored twice at most, also while it knows nothing of its tables", async () => {
    await using api = await open();
    const { db } = api.ctx;
    const events = 400;
    const stored = events + events * DAYS;
    await fill(db, { events, sets: events });
    for (const [filter] of FILTERS) {
      const selection = { filter, period, head: events };
      const asks: readonly Ask[] = [
        (queries) => countEvents(queries, selection),
        (queries) => findEventKeys(queries, selection, { limit: 50, after: null }),
        (queries) => countByName(queries, selection),
      ];
      for (const [n, ask] of asks.entries()) {
        const about = [filter, n];
        if (db.dialect.name === "postgres") {
          const rows = await rowsLookedAt(db, ask);
          expect([about, rows]).toEqual([about, expect.toSatisfy((count) => count <= stored * 2)]);
        } else {
          // Where sets are asked one by one, each is found by its key.
          const sets = (await planOf(db, ask)).split("\n").filter((line) => / r\b/u.test(line));
          const found = /related_by_resource|set_id=\? AND day=\?/u;
          expect([about, sets.filter((line) => !found.test(line))]).toEqual([about, []]);
        }
      }
    }
  });
});
