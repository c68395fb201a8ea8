// Row-level security asks its policy before anything that might tell of a row, so an index whose
// operators might is of no use behind it. Nothing here depends on samples: so few rows are read in
// full when they are analysed.

import type { EventFilter } from "@orchestrator/contract";
import {
  countRows,
  type ListDefinition,
  listJson,
  type Relations,
} from "@orchestrator/kernel/lists";
import {
  type Database,
  kernelMigrations,
  type Queries,
  sharedTables,
} from "@orchestrator/kernel/storage";
import { openTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { orchestratorMigrations } from "../db/migrations/index.ts";
import { FLOW_RUN_NAME_TRIGRAMS, TASK_RUN_NAME_TRIGRAMS } from "../db/trigram-indexes.ts";
import { ARTIFACT_LIST, LATEST_ARTIFACT_LIST } from "../telemetry/artifacts/artifacts.filter.ts";
import { countByName } from "../telemetry/events/events-count.store.ts";
import { countEvents, findEventKeys } from "../telemetry/events/events-page.store.ts";
import { LOG_LIST } from "../telemetry/logs/logs.filter.ts";
import { FILL, ID, WORKSPACE } from "../testing/two-full-workspaces.ts";
import { DEPLOYMENT_LIST } from "./deployments.filter.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";
import { FLOW_LIST } from "./flows.filter.ts";
import {
  ARTIFACT_RELATIONS,
  DEPLOYMENT_RELATIONS,
  FLOW_RELATIONS,
  FLOW_RUN_RELATIONS,
  TASK_RUN_RELATIONS,
} from "./relations.ts";
import { TASK_RUN_LIST } from "./task-runs.filter.ts";

type Attributes = ListDefinition["filter"];
type Filter = Readonly<Record<string, unknown>>;
type Ask = (queries: Queries) => Promise<unknown>;
type SchemaSession = Parameters<Parameters<Database["exclusively"]>[0]>[0];

const LISTS: readonly (readonly [ListDefinition, Relations])[] = [
  [FLOW_RUN_LIST, FLOW_RUN_RELATIONS],
  [TASK_RUN_LIST, TASK_RUN_RELATIONS],
  [LOG_LIST, {}],
  [ARTIFACT_LIST, ARTIFACT_RELATIONS],
  [LATEST_ARTIFACT_LIST, ARTIFACT_RELATIONS],
  [DEPLOYMENT_LIST, DEPLOYMENT_RELATIONS],
  [FLOW_LIST, FLOW_RELATIONS],
];

const EVENT_FILTERS: readonly EventFilter[] = [
  {},
  { id: { id: [ID] } },
  { event: { name: ["name.7"] } },
  { event: { name: ["name.7", "name.8"] } },
  { event: { prefix: ["name.7"] } },
  { resource: { id: ["thing.7"] } },
  { resource: { id_prefix: ["thing.77"] } },
  { related: { id: ["flow.7"], role: ["flow"] } },
  { any_resource: { id: ["flow.7"] } },
  { any_resource: { id_prefix: ["flow.7"] } },
  { text: { query: "x" } },
];

/** Each thing that can be asked, by itself. */
function* filtersOf(attributes: Attributes): Generator<Readonly<Record<string, unknown>>> {
  for (const [name, attribute] of Object.entries(attributes)) {
    if ("group" in attribute)
      for (const filter of filtersOf(attribute.group)) yield { [name]: filter };
    else if ("meaning" in attribute) yield { [name]: [attribute.kind === "id" ? ID : "x"] };
    else
      for (const operator of attribute.operators)
        yield { [name]: { [operator]: asked(operator, attribute.kind) } };
  }
}

function asked(operator: string, kind: string): unknown {
  if (/^(any_|not_any_|all_|startswith_)$/.test(operator)) return [kind === "id" ? ID : "x"];
  if (/^(is_null_|exists_)$/.test(operator) || kind === "flag") return true;
  return kind === "integer" ? 1 : "x";
}

function* questions(): Generator<readonly [string, Ask]> {
  const page = { limit: 200, offset: 0, now: "2026" };
  for (const [list, relations] of LISTS) {
    const selections = [
      ...Array.from(filtersOf(list.filter), (filter) => ({ filter })),
      ...Object.entries(relations).flatMap(([name, { to }]) =>
        Array.from(filtersOf(to.filter), (filter) => ({ related: { [name]: filter }, relations })),
      ),
    ];
    for (const sort of Object.keys(list.sorts))
      yield [`${list.table} by ${sort}`, (queries) => listJson(queries, list, { sort, ...page })];
    for (const selection of selections) {
      const { relations: _, ...about } = { relations, ...selection };
      const title = `${list.table} ${JSON.stringify(about)}`;
      yield [title, (queries) => listJson(queries, list, { ...selection, ...page })];
      yield [`count of ${title}`, (queries) => countRows(queries, list, selection)];
    }
  }
  for (const filter of EVENT_FILTERS) {
    const selection = { filter, period: { since: "2026", until: "2027" }, head: 1_000_000 };
    const title = `events ${JSON.stringify(filter)}`;
    yield [title, (queries) => findEventKeys(queries, selection, { limit: 50, after: null })];
    yield [`count of ${title}`, (queries) => countEvents(queries, selection)];
    yield [`names of ${title}`, (queries) => countByName(queries, selection)];
  }
}

interface PlannedStatement {
  readonly sql: string;
  readonly findsOnly?: true;
}

/**
 * The statements of a question, where so many rows have the tags that are asked for, and few the
 * letters.
 */
async function statementsOf(
  { dialect }: Database,
  ask: Ask,
  tagged: number,
): Promise<PlannedStatement[]> {
  const statements: PlannedStatement[] = [];
  await ask({
    workspaceId: WORKSPACE,
    dialect,
    get: async () => undefined,
    all: async () => [],
    select: async <R>(statement: PlannedStatement) => {
      statements.push(statement);
      const glance = { seen: 500, others: 500, met: 0, json: "[]" };
      return { count: tagged, least: tagged, rarest: "x", ...glance } as R;
    },
  });
  return statements;
}

async function planOf(session: SchemaSession, statement: string): Promise<string> {
  const lines = await session.rows<Readonly<Record<string, string>>>(
    `explain (generic_plan, costs off) ${statement}`,
  );
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

/**
 * The columns by which the rows of each table are found in an index, such as `related1.flow_id`.
 */
function foundBy(plan: string): string[] {
  const found = new Set<string>();
  let table = "";
  for (const line of plan.split("\n")) {
    const scanned = / Scan .*?\bon (?:\w+ )?(\w+)$/.exec(line);
    if (scanned?.[1] !== undefined && !line.includes("Bitmap Index Scan")) table = scanned[1];
    if (!line.includes("Index Cond:")) continue;
    for (const [, column] of line.matchAll(/\((\w+) (?:=|<=?|>=?) /g))
      found.add(`${table}.${column}`);
  }
  return [...found];
}

interface Plans {
  readonly open: string;
  readonly confined: string;
}

/** Hands on what the database plans for a question with and without row-level security. */
async function compare(
  body: (plansOf: (ask: Ask, tagged?: number) => Promise<Plans>) => Promise<void>,
) {
  const migrations = [kernelMigrations, orchestratorMigrations];
  await using database = await openTestPostgres(migrations);
  const { db } = database;
  expect(await db.confineRows(sharedTables(migrations))).toEqual({ state: "on" });
  await db.exclusively((session) => session.execute(FILL));
  for (const letters of [FLOW_RUN_NAME_TRIGRAMS, TASK_RUN_NAME_TRIGRAMS])
    expect(await db.updateTrigramIndex(letters, new AbortController().signal)).toEqual({
      state: "kept",
    });
  await db.exclusively(async (session) => {
    // What was looked up is never remembered where a policy is checked once for all rows.
    await session.execute("set local enable_memoize = off");
    await session.execute(`set local orchestrator.workspace = '${WORKSPACE}'`);
    const [role] = await session.rows<{ name: string }>(
      "select quote_ident('workspace_of_' || current_database()) as name",
    );
    const plans = async (
      statements: readonly PlannedStatement[],
      user = "none",
    ): Promise<string> => {
      const found: string[] = [];
      for (const { sql, findsOnly } of statements) {
        await session.execute(`set local role ${findsOnly === true ? "none" : user}`);
        found.push(await planOf(session, sql));
      }
      await session.execute("set local role none");
      return found.join("\n");
    };
    await body(async (ask, tagged = 0) => {
      const statements = await statementsOf(db, ask, tagged);
      const open = await plans(statements);
      const confined = await plans(statements, role?.name);
      return { open, confined };
    });
  });
}

const PAGE = { sort: "EXPECTED_START_TIME_DESC", limit: 20, offset: 0, now: "2026" };
const TAGGED = { tags: { any_: ["tag 7"] } };
const TAGGED_TWICE = { tags: { all_: ["tag 7", "odd"] } };
const ENDED = { ...TAGGED, end_time: { after_: "2026" } };
const OF_TAGGED = { related: { flow_runs: TAGGED }, relations: TASK_RUN_RELATIONS };

const BY_TAGS: Readonly<Record<string, Ask>> = {
  page: (queries) => listJson(queries, FLOW_RUN_LIST, { ...PAGE, filter: TAGGED }),
  byName: (queries) =>
    listJson(queries, FLOW_RUN_LIST, { ...PAGE, sort: "NAME_ASC", filter: TAGGED }),
  severalTags: (queries) => listJson(queries, FLOW_RUN_LIST, { ...PAGE, filter: TAGGED_TWICE }),
  count: (queries) => countRows(queries, FLOW_RUN_LIST, { filter: TAGGED }),
  countOfEnded: (queries) => countRows(queries, FLOW_RUN_LIST, { filter: ENDED }),
  taskRuns: (queries) => listJson(queries, TASK_RUN_LIST, { ...PAGE, filter: TAGGED }),
  related: (queries) => listJson(queries, TASK_RUN_LIST, { ...PAGE, ...OF_TAGGED }),
};

const NAMED = { name: { like_: "run 77" } };

const BY_LETTERS: Readonly<Record<string, Ask>> = {
  page: (queries) => listJson(queries, FLOW_RUN_LIST, { ...PAGE, filter: NAMED }),
  byName: (queries) =>
    listJson(queries, FLOW_RUN_LIST, { ...PAGE, sort: "NAME_ASC", filter: NAMED }),
  count: (queries) => countRows(queries, FLOW_RUN_LIST, { filter: NAMED }),
  taskRuns: (queries) => listJson(queries, TASK_RUN_LIST, { ...PAGE, filter: NAMED }),
  related: (queries) =>
    listJson(queries, TASK_RUN_LIST, {
      ...PAGE,
      related: { flow_runs: NAMED },
      relations: TASK_RUN_RELATIONS,
    }),
};

const BY_VALUES: readonly (readonly [ListDefinition, Filter, string])[] = [
  [FLOW_RUN_LIST, { flow_version: { any_: ["version 7"] } }, "flow_runs.flow_version"],
  [FLOW_RUN_LIST, { created_by: { type_: ["KIND 7"] } }, "flow_runs.created_by_type"],
  [TASK_RUN_LIST, { state: { name: { any_: ["Name 7"] } } }, "task_runs.state_name"],
];

/**
 * Not worth a lookup: rows are read in the order of the list, or by what they are related through.
 */
const BY_COMMON_TAGS: Readonly<Record<string, readonly [Ask, string]>> = {
  byName: [
    (queries) => listJson(queries, FLOW_RUN_LIST, { ...PAGE, sort: "NAME_ASC", filter: TAGGED }),
    "flow_runs_by_name",
  ],
  flows: [
    (queries) =>
      listJson(queries, FLOW_LIST, {
        ...PAGE,
        related: { flow_runs: TAGGED },
        relations: FLOW_RELATIONS,
      }),
    "flow_runs_by_flow",
  ],
};

test("behind row-level security every filter and order finds its rows by what it finds them without, tags among it", async () => {
  await compare(async (plansOf) => {
    const differ: unknown[] = [];
    let count = 0;
    for (const [title, ask] of questions()) {
      const { open, confined } = await plansOf(ask);
      count += 1;
      const confinedBy = foundBy(confined);
      const lost = foundBy(open).filter((column) => !confinedBy.includes(column));
      if (lost.length > 0) differ.push({ title, lost, open, confined });
    }
    expect(count).toBeGreaterThan(500);
    expect(differ).toEqual([]);

    for (const [title, ask] of Object.entries(BY_TAGS)) {
      const { confined } = await plansOf(ask);
      expect([title, confined]).toEqual([title, expect.stringMatching(/using \w+_run_tags_pkey/)]);
      expect([title, confined]).toEqual([title, expect.stringMatching(/Index Cond: .*tag = /)]);
      expect([title, confined]).toEqual([
        title,
        expect.not.stringMatching(/Seq Scan on (flow|task)_run|Filter: .*tag =/),
      ]);
      // The index has them in this order already.
      if (title === "page") expect(confined).not.toContain("Sort");
    }
    for (const [title, ask] of Object.entries(BY_LETTERS)) {
      const { confined } = await plansOf(ask);
      expect([title, confined]).toEqual([title, expect.stringContaining("_run_letters_trigrams")]);
      expect([title, confined]).toEqual([title, expect.stringMatching(/Index Cond: .*id = ANY/)]);
      expect([title, confined]).toEqual([
        title,
        expect.not.stringMatching(/Seq Scan on (flow|task)_run/),
      ]);
    }
    for (const [list, filter, column] of BY_VALUES)
      for (const sort of Object.keys(list.sorts)) {
        const page = { ...PAGE, sort, filter };
        const { confined } = await plansOf((queries) => listJson(queries, list, page));
        expect([sort, foundBy(confined)]).toEqual([sort, expect.arrayContaining([column])]);
      }
    for (const [title, [ask, index]] of Object.entries(BY_COMMON_TAGS)) {
      const { confined } = await plansOf(ask, 1_000_000);
      expect([title, confined]).toEqual([title, expect.stringContaining(index)]);
      expect([title, confined]).toEqual([title, expect.not.stringContaining("Seq Scan on flow_r")]);
    }
  });
});
