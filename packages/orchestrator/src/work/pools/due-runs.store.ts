// The runs of a queue that are due, the most urgent first. Nearly all runs have the priority 0 and
// are read by their time; those with another one have an index of their own, and are read priority
// by priority, so that runs which are not due yet are never read at all.

import type { FlowRun } from "@orchestrator/contract";
import { type JsonText, type Queries, recordSql } from "@orchestrator/kernel/storage";
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import { FLOW_RUNS } from "../../db/tables/flow-runs.table.ts";
import { statement, type Tables } from "../../db/tables.ts";
import type { Due } from "./poll-window.rules.ts";

// None asks flow runs for their workspace: their queue has been found in it, and a condition on it
// would offer the planner an index that leads through every scheduled run of the workspace.

/**
 * Not of a deployment whose limit is 0: none of its runs can be claimed. Mostly there is no such
 * limit at all.
 */
const CAN_BE_CLAIMED = sql<boolean>`(flow_runs.deployment_id is null or flow_runs.deployment_id not in (
  select closed_deployment.id from concurrency_limits closed_limit
  join deployments closed_deployment on closed_deployment.concurrency_limit_id = closed_limit.id
  where closed_limit.slot_limit = 0 and closed_limit.active))`;

/** Waits, is due, and is not about to be retried by the process it runs in. */
export const isDueBefore = (before: string) => sql<boolean>`(flow_runs.state_type = 'SCHEDULED'
  and flow_runs.next_scheduled_start_time <= ${before}
  and (flow_runs.retry_type is null or flow_runs.retry_type <> 'in_process') and ${CAN_BE_CLAIMED})`;

export const isDue = ({ before, after }: Due) =>
  sql<boolean>`(${isDueBefore(before)} and flow_runs.next_scheduled_start_time >= ${after})`;

/** As it stands in the partial index. */
export const IS_PRIORITISED = sql<boolean>`(flow_runs.state_type = 'SCHEDULED' and flow_runs.priority <> 0)`;

export type Chosen = (level: { readonly priority: number }) => RawBuilder<boolean>;
export const hasPriority: Chosen = ({ priority }) =>
  sql<boolean>`(${IS_PRIORITISED} and flow_runs.priority = ${priority})`;
export const hasNoPriority: Chosen = () => sql<boolean>`flow_runs.priority = 0`;

/** Any run that waits in the queue with a priority of its own. */
export const prioritised = (
  query: Pick<ExpressionBuilder<Tables, "flow_runs">, "selectFrom">,
  queue: string,
) =>
  query
    .selectFrom("flow_runs")
    .select("flow_runs.id")
    .where("flow_runs.work_queue_id", "=", sql.ref<string>(queue))
    .where(IS_PRIORITISED)
    .limit(1);

interface InQueue {
  readonly queueId: string;
}

/**
 * Priorities but 0 that the runs of a queue or a deployment have: each leads to the next in the
 * partial index.
 */
export const priorityLevels = (
  db: Kysely<Tables>,
  owner: "flow_runs.work_queue_id" | "flow_runs.deployment_id",
  id: string,
) =>
  db.withRecursive("level(priority)", (query) =>
    query
      .selectFrom("flow_runs")
      .select((run) => run.fn.max<number | null>("flow_runs.priority").as("priority"))
      .where(owner, "=", id)
      .where(IS_PRIORITISED)
      .unionAll((next) =>
        next
          .selectFrom("level")
          .select((e) =>
            e
              .selectFrom("flow_runs")
              .select((run) => run.fn.max<number | null>("flow_runs.priority").as("priority"))
              .where(owner, "=", id)
              .where(IS_PRIORITISED)
              .whereRef("flow_runs.priority", "<", "level.priority")
              .as("priority"),
          )
          .where("level.priority", "is not", null),
      ),
  );

const levels = statement<Due & InQueue & { limit: number }>()((db, p) =>
  priorityLevels(db, "flow_runs.work_queue_id", p.queueId)
    .selectFrom("level")
    .innerJoin("work_queues", (join) => join.on("work_queues.id", "=", p.queueId))
    .select("level.priority")
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("level.priority", "is not", null)
    .where((e) =>
      e.exists(
        e
          .selectFrom("flow_runs")
          .select("flow_runs.id")
          .where("flow_runs.work_queue_id", "=", p.queueId)
          .where(IS_PRIORITISED)
          .whereRef("flow_runs.priority", "=", "level.priority")
          .where(isDue(p)),
      ),
    )
    .orderBy("level.priority", "desc")
    .limit(p.limit),
);

interface DueParameters extends Due, InQueue {
  readonly now: string;
  readonly limit: number;
  readonly priority: number;
}

const dueWhere = (isChosen: Chosen) =>
  statement<DueParameters>()((db, p, dialect) =>
    db
      .selectFrom("flow_runs")
      .innerJoin("work_queues", "work_queues.id", "flow_runs.work_queue_id")
      .select([
        "flow_runs.id",
        "flow_runs.priority",
        "flow_runs.state_id",
        "flow_runs.next_scheduled_start_time as due",
        recordSql(dialect, { fields: FLOW_RUNS.fields, table: "flow_runs", now: p.now }).as("json"),
      ])
      .where("work_queues.workspace_id", "=", p.workspace_id)
      .where("flow_runs.work_queue_id", "=", p.queueId)
      .where(isDue(p))
      .where(isChosen(p))
      .orderBy("flow_runs.next_scheduled_start_time")
      .orderBy("flow_runs.id")
      .limit(p.limit),
  );
const dueAt = dueWhere(hasPriority);
const dueAtZero = dueWhere(hasNoPriority);

export interface DueRun {
  readonly id: string;
  readonly priority: number;
  readonly state_id: string | null;
  readonly due: string | null;
  readonly json: JsonText<FlowRun>;
}

/**
 * The runs of a queue that are due: the most urgent first, and those that have waited longest first
 * among equals.
 */
export async function readDueRuns(
  queries: Queries,
  {
    hasPrioritised,
    ...request
  }: Omit<DueParameters, "priority"> & { readonly hasPrioritised: boolean },
): Promise<DueRun[]> {
  if (!hasPrioritised) return queries.all(dueAtZero, { priority: 0, ...request });
  const others = (await queries.all(levels, request)).map(({ priority }) => priority ?? 0);
  const inOrder = [...others.filter((n) => n > 0), 0, ...others.filter((n) => n < 0)];
  const runs: DueRun[] = [];
  for (const priority of inOrder) {
    const limit = request.limit - runs.length;
    if (limit <= 0) break;
    const level = priority === 0 ? dueAtZero : dueAt;
    runs.push(...(await queries.all(level, { priority, ...request, limit })));
  }
  return runs;
}
