import {
  countRows,
  type ListDefinition,
  listJson,
  type Relations,
} from "@orchestrator/kernel/lists";
import { openScope } from "@orchestrator/kernel/scope";
import type { Database, Queries } from "@orchestrator/kernel/storage";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FLOW_RUN_NAME_TRIGRAMS, TASK_RUN_NAME_TRIGRAMS } from "../db/trigram-indexes.ts";
import { plansOf } from "../testing/plans.ts";
import { describeEachApi, type TestApi } from "../testing.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";
import { FLOW_LIST } from "./flows.filter.ts";
import { FLOW_RELATIONS, FLOW_RUN_RELATIONS, TASK_RUN_RELATIONS } from "./relations.ts";
import { TASK_RUN_LIST } from "./task-runs.filter.ts";

const ID = "00000000-0000-4000-8000-0000000000aa";
const FLOW = "00000001-0000-4000-8000-000000000001";
const RUN = "00000003-0000-4000-8000-000000000001";
const NOW = "2026-01-01T00:00:00.000000Z";
const WORKSPACE = openScope("test").workspaceId;

type Body = Readonly<Record<string, unknown>>;

/**
 * What must not go through all rows of a table, and by which index it finds them where only one
 * will do.
 */
const FLOW_RUN_LISTS: readonly (readonly [Body, string])[] = [
  [{}, ""],
  [{ sort: "EXPECTED_START_TIME_DESC" }, "flow_runs_by_expected_start"],
  [{ sort: "START_TIME_ASC" }, "flow_runs_by_start"],
  [{ sort: "START_TIME_DESC" }, "flow_runs_by_start"],
  [{ sort: "NAME_DESC" }, "flow_runs_by_name"],
  [{ sort: "END_TIME_DESC" }, "flow_runs_by_end"],
  [{ sort: "UPDATED_DESC" }, "flow_runs_by_update"],
  [{ sort: "NEXT_SCHEDULED_START_TIME_ASC" }, "flow_runs_by_next_start"],
  [{ flow_runs: { id: { any_: [RUN] } } }, ""],
  [{ flow_runs: { id: { any_: [RUN, ID] } } }, ""],
  [{ flow_runs: { name: { any_: ["run 7"] } } }, "flow_runs_by_name"],
  [{ flow_runs: { parent_task_run_id: { any_: [ID] } } }, "flow_runs_by_parent"],
  [{ flow_runs: { parent_flow_run_id: { any_: [RUN] } } }, "flow_runs_by_parent"],
  [{ flow_runs: { created_by: { id_: [ID] } } }, "flow_runs_by_schedule"],
  [
    { flow_runs: { start_time: { after_: "2026-129000" } }, sort: "START_TIME_DESC" },
    "flow_runs_by_start",
  ],
  [{ flows: { id: { any_: [FLOW] } }, sort: "EXPECTED_START_TIME_DESC" }, "flow_runs_by_flow"],
  [{ flows: { name: { any_: ["flow 1"] } } }, "flow_runs_by_flow"],
];
const TASK_RUN_LISTS: readonly (readonly [Body, string])[] = [
  [{}, ""],
  [{ sort: "EXPECTED_START_TIME_ASC" }, "task_runs_by_expected_start"],
  [{ sort: "END_TIME_DESC" }, "task_runs_by_end"],
  [{ sort: "UPDATED_DESC" }, "task_runs_by_update"],
  [{ sort: "NEXT_SCHEDULED_START_TIME_ASC" }, "task_runs_by_next_start"],
  [{ task_runs: { flow_run_id: { any_: [RUN] } } }, "task_runs_by_key"],
  [{ task_runs: { flow_run_id: { any_: [RUN, ID] } } }, "task_runs_by_key"],
  [{ flow_runs: { id: { any_: [RUN] } }, sort: "EXPECTED_START_TIME_DESC" }, "task_runs_by_key"],
  [{ flows: { id: { any_: [FLOW] } } }, "task_runs_by_key"],
];

const cached = { state: { name: { any_: ["Cached"] } } };
const late = { state: { name: { any_: ["Late"] } } };

/** By which index they are found. */
const FEW: readonly (readonly [ListDefinition, Body, string])[] = [
  [FLOW_RUN_LIST, { flow_version: { any_: ["rare"] } }, "flow_runs_by_version"],
  [FLOW_RUN_LIST, { flow_version: { any_: ["rare", "none"] } }, "flow_runs_by_version"],
  [
    FLOW_RUN_LIST,
    { flow_version: { any_: ["rare"] }, state: { type: { any_: ["FAILED"] } } },
    "flow_runs_by_version",
  ],
  [FLOW_RUN_LIST, { created_by: { type_: ["BACKFILL"] } }, "flow_runs_by_creator"],
  [
    FLOW_RUN_LIST,
    { created_by: { type_: ["BACKFILL"] }, flow_version: { any_: ["usual"] } },
    "flow_runs_by_creator",
  ],
  [TASK_RUN_LIST, cached, "task_runs_by_state_name"],
  [TASK_RUN_LIST, { state: { name: { any_: ["Cached", "None"] } } }, "task_runs_by_state_name"],
];
/** And which one has them in its order, where it can be told without looking at the other runs. */
const MANY: readonly (readonly [ListDefinition, Body, string | null])[] = [
  [FLOW_RUN_LIST, { flow_version: { any_: ["usual"] } }, "flow_runs_by_version"],
  [FLOW_RUN_LIST, { flow_version: { any_: ["usual", "rare"] } }, null],
  [FLOW_RUN_LIST, { created_by: { type_: ["SCHEDULE"] } }, "flow_runs_by_creator"],
  [FLOW_RUN_LIST, { created_by: { type_: ["SCHEDULE"] }, flow_version: { any_: ["usual"] } }, null],
  [TASK_RUN_LIST, late, "task_runs_by_state_name"],
  [TASK_RUN_LIST, { state: { name: { any_: ["Completed"] } } }, null],
];

const ROWS = 20_000;
const FLOWS = 200;

/** Fills the tables with one statement each: so many rows one by one would take too long. */
async function fill(db: Database): Promise<void> {
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
  const time = "'2026-' || cast(100000 + n as text)";
  await db.exclusively(async (session) => {
    await session.execute(
      `insert into flows (id, workspace_id, created, updated, name, tags, labels)
       select ${id(1, "n")}, '${WORKSPACE}', '', '', 'flow ' || n, '[]', '{}' from ${numbers(FLOWS)}`,
    );
    await session.execute(
      `insert into flow_runs (id, workspace_id, created, updated, name, flow_id, parameters, context, empirical_policy, tags, labels,
         state_type, state_name, run_count, expected_start_time, start_time, effective_start_time, end_time, total_run_time, auto_scheduled,
         flow_version, created_by_type)
       select ${id(3, "n")}, '${WORKSPACE}', '', '', 'run ' || n, ${id(1, `(n % ${FLOWS} + 1)`)}, '{}', '{}', '{}', '[]', '{}',
         case n % 5 when 0 then 'FAILED' when 1 then 'CRASHED' when 2 then 'CANCELLED' when 3 then 'PAUSED' else 'COMPLETED' end,
         'Any', 1, ${time}, ${time}, ${time}, ${time}, 1, ${isSqlite ? "0" : "false"},
         case when n % 1000 = 7 then 'rare' when n % 2 = 0 then 'usual' end,
         case when n % 1000 = 9 then 'BACKFILL' when n % 2 = 0 then 'SCHEDULE' end from ${numbers(ROWS)}`,
    );
    await session.execute(
      `insert into task_runs (id, workspace_id, created, updated, name, flow_run_id, task_key, dynamic_key, empirical_policy, tags, labels,
         task_inputs, state_type, state_name, run_count, flow_run_run_count, expected_start_time, start_time, end_time, total_run_time)
       select ${id(4, "n")}, '${WORKSPACE}', '', '', 'task ' || n, ${id(3, "n")}, 'k', '0', '{}', '[]', '{}', '{}',
         'COMPLETED', case when n % 1000 = 7 then 'Cached' when n % 2 = 0 then 'Late' else 'Completed' end, 1, 1, ${time}, ${time}, ${time}, 1 from ${numbers(ROWS)}`,
    );
    if (!isSqlite) await session.execute("analyze flows; analyze flow_runs; analyze task_runs");
  });
}

/** How the database goes about a query. */
async function planOf(db: Database, ask: (queries: Queries) => Promise<unknown>): Promise<string> {
  let asked = "";
  await ask({
    ...db.in(WORKSPACE),
    workspaceId: WORKSPACE,
    dialect: db.dialect,
    select: async ({ sql }) => {
      asked = sql;
      return undefined;
    },
  });
  const explain =
    db.dialect.name === "sqlite" ? "explain query plan" : "explain (generic_plan, costs off)";
  const lines = await db.exclusively((session) => session.rows<Body>(`${explain} ${asked}`));
  return lines.map((line) => String(line["detail"] ?? line["QUERY PLAN"])).join("\n");
}

const WHOLE_TABLE =
  /SCAN (flow_runs|task_runs|related\d|looked_up)\b(?! USING)|Seq Scan on (flow_runs|task_runs)/u;

/** By the number of the row, or by its id. */
const LOOKED_UP =
  /SEARCH (flow|task)_runs USING INTEGER PRIMARY KEY.*\nLIST SUBQUERY|Index Cond: .*\(id = ANY/u;

/** All rows, before the first of them is known. */
const SORTED = /TEMP B-TREE|Sort Key/u;

describeEachApi("the database", (open) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await open();
    await fill(api.ctx.db);
  });
  afterAll(() => api[Symbol.asyncDispose]());

  test("finds runs by an index, whatever is asked of them", async () => {
    const { db } = api.ctx;
    const check = async (
      list: ListDefinition,
      relations: Relations,
      [body, index]: readonly [Body, string],
    ) => {
      const selection = { filter: body[list.table] as Body, related: body, relations };
      const sort = body["sort"] as string | undefined;
      const page = { ...selection, sort, limit: 200, offset: 0, now: NOW };
      const plan = await planOf(db, (queries) => listJson(queries, list, page));
      expect([body, plan]).toEqual([body, expect.not.stringMatching(WHOLE_TABLE)]);
      expect([body, plan]).toEqual([body, expect.stringContaining(index)]);
    };
    for (const asked of FLOW_RUN_LISTS) await check(FLOW_RUN_LIST, FLOW_RUN_RELATIONS, asked);
    for (const asked of TASK_RUN_LISTS) await check(TASK_RUN_LIST, TASK_RUN_RELATIONS, asked);
  });

  test("looks up the runs in states that few are in, whatever they are sorted by", async () => {
    const few = [
      { state: { type: { any_: ["RUNNING"] } } },
      { state: { type: { any_: ["PENDING", "RUNNING"] } } },
      { state: { name: { any_: ["Late"] } } },
      { state: { name: { any_: ["Late", "Cached"] } }, name: { like_: "x" } },
    ];
    for (const filter of few)
      for (const sort of Object.keys(FLOW_RUN_LIST.sorts)) {
        const page = { filter, sort, limit: 200, offset: 0, now: NOW };
        const plans = await plansOf(api, ({ db }) =>
          listJson(db.in(WORKSPACE), FLOW_RUN_LIST, page),
        );
        expect([filter, sort, plans.at(-1)]).toEqual([
          filter,
          sort,
          expect.stringMatching(
            /(using|USING (COVERING )?INDEX|on) flow_runs_(by_state|occupying)/u,
          ),
        ]);
      }
  });

  test("looks up the runs with a value that few have, and reads them in the order of the list where many have it", async () => {
    const asked = async (
      list: ListDefinition,
      filter: Body,
      sort: string,
    ): Promise<string | undefined> => {
      const page = { filter, sort, limit: 200, offset: 0, now: NOW };
      const ask = ({ db }: { readonly db: Database }) =>
        sort === "count"
          ? countRows(db.in(WORKSPACE), list, page)
          : listJson(db.in(WORKSPACE), list, page);
      return (await plansOf(api, ask)).at(-1);
    };
    const ended = { end_time: { after_: "2026-119990" } };
    for (const [list, filter, index] of FEW)
      for (const sort of ["count", ...Object.keys(list.sorts)]) {
        const plan = await asked(list, filter, sort);
        expect([filter, sort, plan]).toEqual([filter, sort, expect.stringContaining(index)]);
        expect(plan).not.toMatch(WHOLE_TABLE);
      }
    for (const [list, filter, index] of MANY) {
      // How long a run took is in no index.
      const indexed = Object.keys(list.sorts).filter((sort) => !sort.startsWith("DURATION"));
      for (const sort of indexed) {
        const plan = await asked(list, filter, sort);
        expect([filter, sort, plan]).toEqual([filter, sort, expect.not.stringMatching(SORTED)]);
        // The index has them in this order already.
        if (sort.startsWith("EXPECTED") && index !== null) expect(plan).toContain(index);
      }
      if (index !== null) expect(await asked(list, filter, "count")).toContain(index);
      const plan = await asked(list, { ...filter, ...ended }, "count");
      expect([filter, plan]).toEqual([filter, expect.stringMatching(/_runs_(by_end|ended)/u)]);
    }
  });

  test("finds what runs with such a value belong to by the run, and their tasks by the value", async () => {
    const page = { limit: 200, offset: 0, now: NOW };
    const asked = async (list: ListDefinition, relations: Relations, flow_version: string) => {
      const related = { flow_runs: { flow_version: { any_: [flow_version] } } };
      const plans = await plansOf(api, ({ db }) =>
        listJson(db.in(WORKSPACE), list, { ...page, related, relations }),
      );
      return plans.at(-1);
    };
    for (const version of ["usual", "rare"]) {
      const flows = await asked(FLOW_LIST, FLOW_RELATIONS, version);
      if (!api.ctx.db.dialect.isRemote) expect(flows).toContain("flow_runs_by_flow");
      expect(flows).not.toMatch(WHOLE_TABLE);
    }
    const tasks = await asked(TASK_RUN_LIST, TASK_RUN_RELATIONS, "rare");
    expect(tasks).toContain("flow_runs_by_version");
    expect(tasks).not.toMatch(WHOLE_TABLE);
  });

  test("looks up runs by some letters of their names, whatever they are sorted by", async () => {
    const { db } = api.ctx;
    const lists = [
      [FLOW_RUN_LIST, FLOW_RUN_NAME_TRIGRAMS, "run 19999"],
      [TASK_RUN_LIST, TASK_RUN_NAME_TRIGRAMS, "task 19999"],
    ] as const;
    for (const [list, index, name] of lists) {
      expect(await db.updateTrigramIndex(index, new AbortController().signal)).toEqual({
        state: "kept",
      });
      const asked = (like_: string, sort: string): Promise<string[]> => {
        const page = { filter: { name: { like_ } }, sort, limit: 200, offset: 0, now: NOW };
        return plansOf(api, ({ db: recording }) => listJson(recording.in(WORKSPACE), list, page));
      };
      const counted = (like_: string): Promise<string[]> =>
        plansOf(api, ({ db: recording }) =>
          countRows(recording.in(WORKSPACE), list, { filter: { name: { like_ } } }),
        );
      for (const letters of [name.toUpperCase(), "nothing", "k 1999"])
        for (const sort of ["count", ...Object.keys(list.sorts)]) {
          const plans = await (sort === "count" ? counted(letters) : asked(letters, sort));
          const [glance, found, read] = plans;
          expect([letters, sort, glance]).toEqual([
            letters,
            sort,
            expect.not.stringMatching(SORTED),
          ]);
          expect([letters, sort, found]).toEqual([
            letters,
            sort,
            expect.stringContaining(index.name),
          ]);
          expect([letters, sort, read]).toEqual([letters, sort, expect.stringMatching(LOOKED_UP)]);
          expect(`${found}\n${read}`).not.toMatch(WHOLE_TABLE);
        }
      const held = await asked(list === TASK_RUN_LIST ? "task" : "run", "END_TIME_DESC");
      expect(held.at(-1)).toContain(`${list.table}_by_end`);
      expect(held).toHaveLength(2);
    }
  });

  test("counts runs of a state and a time by an index", async () => {
    const { db } = api.ctx;
    const filter = {
      state: { type: { any_: ["FAILED"] } },
      expected_start_time: { after_: "2026-119000" },
    };
    const plan = await planOf(db, (queries) => countRows(queries, FLOW_RUN_LIST, { filter }));
    expect(plan).not.toMatch(WHOLE_TABLE);
    expect(plan).toContain("flow_runs_by_");
  });
});
