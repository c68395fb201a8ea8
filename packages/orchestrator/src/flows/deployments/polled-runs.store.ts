// The runs of deployments that are due, the most urgent first. As in a queue, nearly all have the
// priority 0 and are read by their time, deployment by deployment; those with another one have an
// index of their own and are read level by level.

import type { FlowRun } from "@orchestrator/contract";
import {
  arraySql,
  type Dialect,
  idRows,
  idTable,
  type JsonText,
  listedIds,
  type Queries,
  recordText,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { FLOW_RUNS } from "../../db/tables/flow-runs.table.ts";
import { statement } from "../../db/tables.ts";
import {
  type Chosen,
  hasNoPriority,
  hasPriority,
  IS_PRIORITISED,
  isDueBefore,
  priorityLevels,
} from "../../work/pools/due-runs.store.ts";
import { type Rooms, withinRoom } from "./room.rules.ts";

const polled = statement<{ ids: string; before: string }>()((db, p, dialect) =>
  db
    .selectFrom(idTable(dialect, p.ids))
    .leftJoin("deployments", (join) =>
      join
        .onRef("deployments.id", "=", "listed.id")
        .on("deployments.workspace_id", "=", p.workspace_id),
    )
    .leftJoin("work_queues", "work_queues.id", "deployments.work_queue_id")
    .leftJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select([
      "listed.id",
      "deployments.status",
      "work_queues.id as queue_id",
      "work_queues.concurrency_limit as queue_limit",
      "work_pools.id as pool_id",
      "work_pools.concurrency_limit as pool_limit",
    ])
    .select((e) =>
      e
        .selectFrom("flow_runs")
        .select("flow_runs.next_scheduled_start_time")
        .whereRef("flow_runs.deployment_id", "=", "listed.id")
        .where(isDueBefore(p.before))
        .orderBy("flow_runs.next_scheduled_start_time")
        .limit(1)
        .as("first_due"),
    )
    .select((e) =>
      e
        .selectFrom("flow_runs")
        .select("flow_runs.id")
        .whereRef("flow_runs.deployment_id", "=", "listed.id")
        .where(IS_PRIORITISED)
        .limit(1)
        .as("prioritised"),
    ),
);

/**
 * A deployment that is polled: whether there is one, since when a run of it is due, and whether
 * some go before others.
 */
export interface PolledDeployment {
  readonly id: string;
  /** Null: there is no such deployment, any more. */
  readonly status: string | null;
  readonly first_due: string | null;
  readonly prioritised: string | null;
  readonly queue_id: string | null;
  readonly queue_limit: number | null;
  readonly pool_id: string | null;
  readonly pool_limit: number | null;
}

export function readPolledDeployments(
  queries: Queries,
  {
    deployment_ids,
    before,
  }: { readonly deployment_ids: readonly string[]; readonly before: string },
): Promise<PolledDeployment[]> {
  return queries.all(polled, { ids: idRows(new Set(deployment_ids)), before });
}

const nextOf = statement<{ ids: string; after: string }>()((db, p, dialect) =>
  db
    .selectFrom("deployments")
    .select((e) =>
      e
        .selectFrom("flow_runs")
        .select("flow_runs.next_scheduled_start_time")
        .whereRef("flow_runs.deployment_id", "=", "deployments.id")
        .where("flow_runs.state_type", "=", sql.lit("SCHEDULED"))
        .where("flow_runs.next_scheduled_start_time", ">", p.after)
        .orderBy("flow_runs.next_scheduled_start_time")
        .limit(1)
        .as("time"),
    )
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

/** The next time after `after` for which a run of these deployments is scheduled. */
export async function findNextTime(
  queries: Queries,
  { deployment_ids, after }: { readonly deployment_ids: readonly string[]; readonly after: string },
): Promise<string | null> {
  const rows = await queries.all(nextOf, { ids: idRows(deployment_ids), after });
  return rows.flatMap(({ time }) => (time === null ? [] : [time])).toSorted()[0] ?? null;
}

interface Level {
  readonly deployment_id: string;
  readonly priority: number;
  readonly before: string;
  readonly limit: number;
}

const dueWhere = (isChosen: Chosen) =>
  statement<Level>()((db, p) =>
    db
      .selectFrom("flow_runs")
      .select(["id", "next_scheduled_start_time as due", "work_queue_id"])
      .where("workspace_id", "=", p.workspace_id)
      .where("deployment_id", "=", p.deployment_id)
      .where(isDueBefore(p.before))
      .where(isChosen(p))
      .orderBy("next_scheduled_start_time")
      .orderBy("id")
      .limit(p.limit),
  );
const dueAt = dueWhere(hasPriority);
const dueAtZero = dueWhere(hasNoPriority);

const levels = statement<{ deployment_id: string; before: string }>()((db, p) =>
  priorityLevels(db, "flow_runs.deployment_id", p.deployment_id)
    .selectFrom("level")
    .select("level.priority")
    .where("level.priority", "is not", null)
    .where((e) =>
      e.exists(
        e
          .selectFrom("flow_runs")
          .select("flow_runs.id")
          .where("flow_runs.workspace_id", "=", p.workspace_id)
          .where("flow_runs.deployment_id", "=", p.deployment_id)
          .where(IS_PRIORITISED)
          .whereRef("flow_runs.priority", "=", "level.priority")
          .where(isDueBefore(p.before)),
      ),
    ),
);

interface Due {
  readonly deployments: readonly PolledDeployment[];
  readonly rooms: Rooms;
  readonly before: string;
  readonly limit: number;
}

/**
 * The ids of the runs of polled deployments that are due, the most urgent first and the longest
 * waiting first among equals.
 */
export async function findDueRuns(
  queries: Queries,
  { deployments, rooms, before, limit }: Due,
): Promise<string[]> {
  const due = deployments
    .filter(({ first_due }) => first_due !== null)
    .toSorted((a, b) => ((a.first_due ?? "") < (b.first_due ?? "") ? -1 : 1));
  const byLevel = new Map<number, PolledDeployment[]>([[0, due]]);
  for (const deployment of due.filter(({ prioritised }) => prioritised !== null)) {
    const found = await queries.all(levels, { deployment_id: deployment.id, before });
    for (const { priority } of found)
      byLevel.set(priority ?? 0, [...(byLevel.get(priority ?? 0) ?? []), deployment]);
  }
  const runs: DueRun[] = [];
  for (const priority of [...byLevel.keys()].toSorted((a, b) => b - a)) {
    if (runs.length >= limit) break;
    const places = byLevel.get(priority) ?? [];
    const level = { priority, before, limit: limit - runs.length };
    const fitting = (found: readonly DueRun[]) => withinRoom(rooms, found, runs);
    runs.push(...(await readLevel(queries, { deployments: places, fitting }, level)));
  }
  return runs.map(({ id }) => id);
}

interface DueRun {
  readonly id: string;
  readonly deployment_id: string;
  readonly work_queue_id: string | null;
  readonly due: string | null;
}

/**
 * Of deployments in the order of their first due run, those of one priority that have waited
 * longest.
 */
async function readLevel(
  queries: Queries,
  {
    deployments,
    fitting,
  }: {
    readonly deployments: readonly PolledDeployment[];
    /** Leaves out runs without a place; more runs before one never give it a place. */
    readonly fitting: (runs: readonly DueRun[]) => readonly DueRun[];
  },
  { priority, before, limit }: Omit<Level, "deployment_id">,
): Promise<readonly DueRun[]> {
  let runs: readonly DueRun[] = [];
  let last = before;
  for (const { id: deployment_id, first_due } of deployments) {
    // Nothing of this one, or of those behind it, comes before what was found.
    if ((first_due ?? "") > last) break;
    const request = { deployment_id, priority, before: last, limit };
    const found = await queries.all(priority === 0 ? dueAtZero : dueAt, request);
    const all = [...runs, ...found.map((run) => ({ deployment_id, ...run }))];
    runs = fitting(all.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))).slice(0, limit);
    if (runs.length === limit) last = runs.at(-1)?.due ?? last;
  }
  return runs;
}

const orderOf = ({ due, id }: { readonly due: string | null; readonly id: string }): string =>
  `${due} ${id}`;

/** The runs themselves, as far as they still wait, in the same order. */
export async function readWaitingRuns(
  queries: Queries,
  { ids, now }: { readonly ids: readonly string[]; readonly now: string },
): Promise<JsonText<FlowRun[]>> {
  if (ids.length === 0) return "[]";
  const { dialect } = queries;
  const values = [queries.workspaceId, now, dialect.list(ids)];
  const row = await queries.select<{ json: string }>({ sql: waitingSql(dialect), values });
  return row?.json ?? "[]";
}

const known = new Map<Dialect, string>();

function waitingSql(dialect: Dialect): string {
  const text = known.get(dialect) ?? writeWaitingSql(dialect);
  known.set(dialect, text);
  return text;
}

function writeWaitingSql(dialect: Dialect): string {
  const [workspace, now, ids] = [1, 2, 3].map(dialect.parameter);
  const record = recordText(dialect, {
    fields: FLOW_RUNS.fields,
    table: "flow_runs",
    now: now ?? "",
  });
  return arraySql(
    dialect,
    `select ${record} as record from flow_runs where flow_runs.workspace_id = ${workspace} ` +
      `and ${dialect.isOneOf("flow_runs.id", "id", ids ?? "")} and flow_runs.state_type = 'SCHEDULED' ` +
      "order by flow_runs.priority desc, flow_runs.next_scheduled_start_time, flow_runs.id",
  );
}
