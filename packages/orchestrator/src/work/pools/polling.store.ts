import { type Queries, recordSql } from "@orchestrator/kernel/storage";
import { type ExpressionBuilder, sql } from "kysely";
import { ACTIVE, OCCUPYING } from "../../db/tables/work-pools.table.ts";
import { statement, type Tables } from "../../db/tables.ts";
import { isDue, prioritised } from "./due-runs.store.ts";
import type { Due } from "./poll-window.rules.ts";
import {
  type PeekedQueue,
  type PolledQueue,
  peekAt,
  type QueuesPeek,
} from "./polled-queues.rules.ts";
import { readOnce } from "./read-once.ts";

/** A queue and the pool it is in. */
const QUEUE = [
  "work_pools.id as pool_id",
  "work_pools.is_paused as pool_is_paused",
  "work_pools.concurrency_limit as pool_limit",
  "work_queues.id",
  "work_queues.name",
  "work_queues.is_paused",
  "work_queues.concurrency_limit",
  "work_queues.status",
] as const;

/**
 * All queues as one text: a glance mostly shows what the one before it has shown, and a text that
 * is known is not read again.
 */
const GLANCE = {
  pool_id: "id",
  pool_is_paused: "flag",
  pool_limit: "integer",
  id: "id",
  name: "text",
  is_paused: "flag",
  concurrency_limit: "integer",
  status: "text",
  first: "time",
} as const;

/** The first time, from one on, for which a run of a queue is scheduled. */
const firstTime = (
  query: Pick<ExpressionBuilder<Tables, "flow_runs">, "selectFrom">,
  operator: ">" | ">=",
  time: string,
) =>
  query
    .selectFrom("flow_runs")
    .select("flow_runs.next_scheduled_start_time")
    .where("flow_runs.work_queue_id", "=", sql.ref<string>("work_queues.id"))
    .where("flow_runs.state_type", "=", sql.lit("SCHEDULED"))
    .where("flow_runs.next_scheduled_start_time", operator, time)
    .orderBy("flow_runs.next_scheduled_start_time")
    .limit(1);

const glance = statement<{ pool: string; after: string }>()((db, p, dialect) => {
  const queues = db
    .selectFrom("work_pools")
    .innerJoin("work_queues", "work_queues.work_pool_id", "work_pools.id")
    .select([...QUEUE, "work_queues.priority"])
    .select((queue) => firstTime(queue, ">=", p.after).as("first"))
    .where("work_pools.workspace_id", "=", p.workspace_id)
    .where("work_pools.name", "=", p.pool);
  const records = db
    .selectFrom(queues.as("queue"))
    .select(recordSql(dialect, { fields: GLANCE, table: "queue" }).as("record"))
    .orderBy("queue.priority")
    .orderBy("queue.id");
  return db
    .selectFrom(records.as("listed"))
    .select(sql<string>`concat('[', ${sql.raw(dialect.joined("record"))}, ']')`.as("json"));
});

const readGlance = readOnce((json) => peekAt(JSON.parse(json) as PeekedQueue[]));

/**
 * The queues of a pool, most urgent first, and from when on there is work in them; none when there
 * is no such pool.
 */
export async function peekAtQueues(
  queries: Queries,
  poll: { readonly pool: string; readonly after: string },
): Promise<QueuesPeek> {
  return readGlance((await queries.get(glance, poll))?.json ?? "[]");
}

const places = statement<Due & { pool: string }>()((db, p) =>
  db
    .selectFrom("work_pools")
    .innerJoin("work_queues", "work_queues.work_pool_id", "work_pools.id")
    .select(QUEUE)
    // Not `exists`, which may become one search through the runs of all queues; the order names the
    // index to use.
    .select((e) =>
      e
        .selectFrom("flow_runs")
        .select("flow_runs.id")
        .whereRef("flow_runs.work_queue_id", "=", "work_queues.id")
        .where(isDue(p))
        .orderBy("flow_runs.next_scheduled_start_time")
        .limit(1)
        .as("due"),
    )
    .select((e) => firstTime(e, ">", p.before).as("next"))
    .select((e) => prioritised(e, "work_queues.id").as("prioritised"))
    .where("work_pools.workspace_id", "=", p.workspace_id)
    .where("work_pools.name", "=", p.pool)
    .orderBy("work_queues.priority")
    .orderBy("work_queues.id"),
);

export interface QueueWork extends PolledQueue {
  readonly hasDue: boolean;
  /** The next time, after those that are asked for, for which a run is scheduled there. */
  readonly next: string | null;
  /** Whether a run waits there that goes before others, or after them. */
  readonly hasPrioritised: boolean;
}

/**
 * The queues of a pool, most urgent first, and which of them have something to do; none when there
 * is no such pool.
 */
export async function readQueueWork(
  queries: Queries,
  poll: Due & { readonly pool: string },
): Promise<QueueWork[]> {
  const rows = await queries.all(places, poll);
  return rows.map(({ due, prioritised: any, ...queue }) => ({
    hasDue: due !== null,
    hasPrioritised: any !== null,
    ...queue,
  }));
}

const occupancy = statement<{ poolId: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .innerJoin("flow_runs", "flow_runs.work_queue_id", "work_queues.id")
    .select((e) => ["work_queues.id", e.fn.countAll<number>().as("count")])
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.work_pool_id", "=", p.poolId)
    .where(sql<boolean>`${sql.raw(ACTIVE)}`)
    .groupBy("work_queues.id"),
);

/** How many runs each queue of a pool is busy with; queues that are idle are left out. */
export async function readOccupancy(
  queries: Queries,
  poolId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.all(occupancy, { poolId });
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const byName = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("work_queues as asked")
    .innerJoin("work_queues as queue", (join) =>
      join
        .onRef("queue.workspace_id", "=", "asked.workspace_id")
        .onRef("queue.name", "=", "asked.name"),
    )
    .innerJoin("work_pools as pool", "pool.id", "queue.work_pool_id")
    .select([
      "asked.status",
      "asked.is_paused",
      "asked.concurrency_limit",
      "queue.id",
      "queue.is_paused as other_is_paused",
      "queue.concurrency_limit as other_limit",
      "pool.id as pool_id",
      "pool.is_paused as pool_is_paused",
      "pool.concurrency_limit as pool_limit",
    ])
    .select((e) =>
      e
        .selectFrom("flow_runs")
        .select((run) => run.fn.countAll<number>().as("count"))
        .whereRef("flow_runs.work_queue_id", "=", "queue.id")
        .where(sql<boolean>`${sql.raw(OCCUPYING)}`)
        .as("occupied"),
    )
    .select((e) => prioritised(e, "queue.id").as("prioritised"))
    .where("asked.workspace_id", "=", p.workspace_id)
    .where("asked.id", "=", p.id)
    .orderBy("queue.id"),
);

export interface NamesakeQueue {
  readonly id: string;
  readonly status: string;
  readonly is_paused: boolean;
  readonly concurrency_limit: number | null;
  readonly other_is_paused: boolean;
  readonly other_limit: number | null;
  readonly pool_id: string;
  readonly pool_is_paused: boolean;
  readonly pool_limit: number | null;
  readonly occupied: number | null;
  readonly hasPrioritised: boolean;
}

/**
 * Every queue with the name of the given one, beside what the given one allows; none when there is
 * no such queue.
 */
export async function readNamesakes(queries: Queries, id: string): Promise<NamesakeQueue[]> {
  const rows = await queries.all(byName, { id });
  return rows.map(({ prioritised: any, ...queue }) => ({ hasPrioritised: any !== null, ...queue }));
}
