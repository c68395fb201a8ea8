import type { Queries } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import { ACTIVE } from "../work-pools/work-pools.table.ts";
import type { LastWorker, RunFacts } from "./situation.rules.ts";

const facts = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .leftJoin("deployments", "deployments.id", "flow_runs.deployment_id")
    .leftJoin("deployment_schedules", "deployment_schedules.id", "flow_runs.created_by_id")
    .leftJoin("concurrency_limits", "concurrency_limits.id", "deployments.concurrency_limit_id")
    .leftJoin("work_queues", "work_queues.id", "flow_runs.work_queue_id")
    .leftJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select([
      "flow_runs.id",
      "flow_runs.state_type",
      "flow_runs.state_name",
      "flow_runs.state_timestamp",
      "flow_runs.retry_type",
      "flow_runs.next_scheduled_start_time",
      "flow_runs.deadline",
      "flow_runs.deployment_id",
      "flow_runs.auto_scheduled",
      "flow_runs.run_count",
      "deployments.id as known_deployment_id",
      "deployments.name as deployment_name",
      "deployments.paused as deployment_paused",
      "deployments.last_polled as deployment_polled",
      "deployment_schedules.id as schedule_id",
      "deployment_schedules.slug as schedule_slug",
      "deployment_schedules.active as schedule_active",
      "deployment_schedules.overlap as schedule_overlap",
      "concurrency_limits.id as limit_id",
      "concurrency_limits.name as limit_name",
      "concurrency_limits.slot_limit as limit_slots",
      "concurrency_limits.active as limit_active",
      "concurrency_limits.key as limit_key",
      "flow_runs.parameters",
      "flow_runs.tags",
      "work_queues.id as queue_id",
      "work_queues.name as queue_name",
      "work_queues.is_paused as queue_paused",
      "work_queues.concurrency_limit as queue_limit",
      "work_queues.last_polled as queue_polled",
      "work_pools.id as pool_id",
      "work_pools.name as pool_name",
      "work_pools.is_paused as pool_paused",
      "work_pools.concurrency_limit as pool_limit",
    ])
    .where("flow_runs.workspace_id", "=", p.workspace_id)
    .where("flow_runs.id", "=", p.id),
);

export async function findRunFacts(queries: Queries, id: string): Promise<RunFacts | null> {
  return (await queries.get(facts, { id })) ?? null;
}

const newestWorker = statement<{ pool_id: string }>()((db, p) =>
  db
    .selectFrom("workers")
    .select(["id", "name", "last_heartbeat_time", "heartbeat_interval_seconds"])
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.pool_id)
    .orderBy("last_heartbeat_time", "desc")
    .limit(1),
);

/** The worker of the pool that was heard last. */
export async function findLastWorker(queries: Queries, poolId: string): Promise<LastWorker | null> {
  return (await queries.get(newestWorker, { pool_id: poolId })) ?? null;
}

const MAX_HOLDERS = 50;

const inQueue = statement<{ queue_id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("work_queue_id", "=", p.queue_id)
    .where(sql<boolean>`${sql.raw(ACTIVE)}`)
    .limit(sql.lit(MAX_HOLDERS)),
);

const inPool = statement<{ pool_id: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .innerJoin("flow_runs", "flow_runs.work_queue_id", "work_queues.id")
    .select("flow_runs.id")
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.work_pool_id", "=", p.pool_id)
    .where(sql<boolean>`${sql.raw(ACTIVE)}`)
    .limit(sql.lit(MAX_HOLDERS)),
);

const holdersOf = (isKeyed: boolean) =>
  statement<{ limit_id: string; value: string; now: string }>()((db, p) =>
    db
      .selectFrom("concurrency_slots")
      .innerJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
      .select("concurrency_leases.holder_id as id")
      .where("concurrency_slots.workspace_id", "=", p.workspace_id)
      .where("concurrency_slots.limit_id", "=", p.limit_id)
      .$if(isKeyed, (query) => query.where("concurrency_slots.key_value", "=", p.value))
      .where((eb) =>
        eb.or([
          eb("concurrency_leases.expires", "is", null),
          eb("concurrency_leases.expires", ">", p.now),
        ]),
      )
      .limit(sql.lit(MAX_HOLDERS)),
  );
const holders = holdersOf(false);
const holdersOfValue = holdersOf(true);

const idsOf = (rows: readonly { readonly id: string | null }[]): string[] =>
  rows.flatMap(({ id }) => (id === null ? [] : [id]));

/** The runs that are being worked on in a queue or in all queues of a pool. */
export async function findRunsInQueue(queries: Queries, queueId: string): Promise<string[]> {
  return idsOf(await queries.all(inQueue, { queue_id: queueId }));
}

export async function findRunsInPool(queries: Queries, poolId: string): Promise<string[]> {
  return idsOf(await queries.all(inPool, { pool_id: poolId }));
}

/** Who holds the slots of a limit; with a value, those that are for this value of its key. */
export async function findHolders(
  queries: Queries,
  query: { readonly limit_id: string; readonly value: string | null; readonly now: string },
): Promise<string[]> {
  const { value } = query;
  if (value === null) return idsOf(await queries.all(holders, { ...query, value: "" }));
  return idsOf(await queries.all(holdersOfValue, { ...query, value }));
}
