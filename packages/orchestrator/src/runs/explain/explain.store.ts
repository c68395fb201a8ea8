import type { Queries } from "@orchestrator/kernel/storage";
import { type Kysely, sql } from "kysely";
import { ACTIVE } from "../../db/tables/work-pools.table.ts";
import { statement, type Tables } from "../../db/tables.ts";
import { isSilentSince } from "../../work/workers/workers.store.ts";
import type { KnownWorker, RunFacts, RunWait, TakenSlots } from "./situation.rules.ts";

const facts = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .leftJoin("deployments", "deployments.id", "flow_runs.deployment_id")
    .leftJoin("deployment_schedules", "deployment_schedules.id", "flow_runs.created_by_id")
    .leftJoin("work_queues as home", "home.id", "deployments.work_queue_id")
    .leftJoin("work_pools as home_pool", "home_pool.id", "home.work_pool_id")
    .leftJoin("work_queues", "work_queues.id", "flow_runs.work_queue_id")
    .leftJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select([
      "flow_runs.id",
      "flow_runs.name",
      "flow_runs.concurrency_key",
      "flow_runs.state_type",
      "flow_runs.state_name",
      "flow_runs.state_timestamp",
      "flow_runs.state",
      "flow_runs.retry_type",
      "flow_runs.next_scheduled_start_time",
      "flow_runs.deadline",
      "flow_runs.deployment_id",
      "flow_runs.auto_scheduled",
      "flow_runs.run_count",
      "deployments.id as known_deployment_id",
      "deployments.name as deployment_name",
      "deployments.paused as deployment_paused",
      "deployments.last_served as deployment_served",
      "deployments.concurrency_options",
      "deployments.on_collision",
      "deployments.concurrency_limit_id as limit_id",
      "home_pool.name as home_pool_name",
      "deployment_schedules.id as schedule_id",
      "deployment_schedules.slug as schedule_slug",
      "deployment_schedules.active as schedule_active",
      "deployment_schedules.overlap as schedule_overlap",
      "flow_runs.parameters",
      "flow_runs.tags",
      "work_queues.id as queue_id",
      "work_queues.name as queue_name",
      "work_queues.created as queue_created",
      "work_queues.is_paused as queue_paused",
      "work_queues.concurrency_limit as queue_limit",
      "work_queues.last_polled as queue_polled",
      "work_pools.id as pool_id",
      "work_pools.name as pool_name",
      "work_pools.is_paused as pool_paused",
      "work_pools.concurrency_limit as pool_limit",
    ])
    .select((e) =>
      e
        .selectFrom("work_queues as any_queue")
        .select((queue) => queue.fn.max<string | null>("any_queue.last_polled").as("last_polled"))
        .whereRef("any_queue.work_pool_id", "=", "work_pools.id")
        .as("pool_polled"),
    )
    .where("flow_runs.workspace_id", "=", p.workspace_id)
    .where("flow_runs.id", "=", p.id),
);

export async function findRunFacts(queries: Queries, id: string): Promise<RunFacts | null> {
  return (await queries.get(facts, { id })) ?? null;
}

const knownWorker = statement<{ pool_id: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("workers")
    .select(["name", "last_heartbeat_time", "heartbeat_interval_seconds"])
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.pool_id)
    .orderBy(isSilentSince(dialect, p.now))
    .orderBy("last_heartbeat_time", "desc")
    .limit(1),
);

/** A worker of the pool that is online, otherwise the one that was heard last. */
export async function findKnownWorker(
  queries: Queries,
  query: { readonly pool_id: string; readonly now: string },
): Promise<KnownWorker | null> {
  return (await queries.get(knownWorker, query)) ?? null;
}

const MOST_WAITS = 10;
/** More than so many are not named. */
const MOST_NAMED = 50;

const inQueue = statement<{ queue_id: string; run_id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("work_queue_id", "=", p.queue_id)
    .where(sql<boolean>`${sql.raw(ACTIVE)}`)
    .where("id", "<>", p.run_id)
    .limit(sql.lit(MOST_NAMED)),
);

const inPool = statement<{ pool_id: string; run_id: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .innerJoin("flow_runs", "flow_runs.work_queue_id", "work_queues.id")
    .select("flow_runs.id")
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.work_pool_id", "=", p.pool_id)
    .where(sql<boolean>`${sql.raw(ACTIVE)}`)
    .where("flow_runs.id", "<>", p.run_id)
    .limit(sql.lit(MOST_NAMED)),
);

/** Some of the other runs that are being worked on in a queue or in all queues of a pool. */
export async function findRunsInQueue(
  queries: Queries,
  query: { readonly queue_id: string; readonly run_id: string },
): Promise<string[]> {
  return (await queries.all(inQueue, query)).map(({ id }) => id);
}

export async function findRunsInPool(
  queries: Queries,
  query: { readonly pool_id: string; readonly run_id: string },
): Promise<string[]> {
  return (await queries.all(inPool, query)).map(({ id }) => id);
}

interface OfLimit {
  readonly limit_id: string;
  readonly value: string;
  readonly now: string;
}

/**
 * The slots of a limit in use, or those of one value of its key, beside the leases they are held
 * by.
 */
const slotsOf = (db: Kysely<Tables>, p: OfLimit & { workspace_id: string }, isKeyed: boolean) =>
  db
    .selectFrom("concurrency_slots")
    .leftJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.limit_id", "=", p.limit_id)
    .$if(isKeyed, (query) => query.where("concurrency_slots.key_value", "=", p.value))
    .where((e) =>
      e.or([
        e("concurrency_leases.expires", "is", null),
        e("concurrency_leases.expires", ">", p.now),
      ]),
    );

const runsOf = (isKeyed: boolean) =>
  statement<OfLimit>()((db, p) =>
    slotsOf(db, p, isKeyed)
      .select("concurrency_leases.holder_id")
      .where("concurrency_leases.holder_type", "=", sql.lit("flow_run"))
      .limit(sql.lit(MOST_NAMED)),
  );
const holderTypesOf = (isKeyed: boolean) =>
  statement<OfLimit>()((db, p) =>
    slotsOf(db, p, isKeyed)
      .select([
        "concurrency_leases.holder_type as type",
        sql<number>`cast(sum(concurrency_slots.slots) as bigint)`.as("slots"),
      ])
      .groupBy("concurrency_leases.holder_type")
      .orderBy("slots", "desc"),
  );
const [runs, runsOfValue] = [runsOf(false), runsOf(true)];
const [holderTypes, holderTypesOfValue] = [holderTypesOf(false), holderTypesOf(true)];

/** Who holds the slots of a limit; with a value, those that are for this value of its key. */
export async function findSlotHolders(
  queries: Queries,
  { limit_id, now, value }: Omit<OfLimit, "value"> & { readonly value: string | null },
): Promise<Pick<TakenSlots, "holders" | "runs">> {
  const query = { limit_id, now, value: value ?? "" };
  const [holders, named] = await Promise.all([
    queries.all(value === null ? holderTypes : holderTypesOfValue, query),
    queries.all(value === null ? runs : runsOfValue, query),
  ]);
  const ids = named.flatMap(({ holder_id }) => (holder_id === null ? [] : [holder_id]));
  return { holders, runs: [...new Set(ids)] };
}

const openWaits = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_run_waits")
    .select(["event", "expires"])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.id)
    .where("outcome", "is", null)
    .orderBy("expires")
    .limit(sql.lit(MOST_WAITS)),
);

/** What the run waits for, first what ends first. */
export async function findOpenWaits(queries: Queries, id: string): Promise<RunWait[]> {
  return queries.all(openWaits, { id });
}

const lease = statement<{ id: string; now: string }>()((db, p) =>
  db
    .selectFrom("concurrency_leases")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where((e) => e.or([e("expires", "is", null), e("expires", ">", p.now)])),
);

/** Whether a lease is there that has not run out. */
export async function isLeaseAlive(
  queries: Queries,
  query: { readonly id: string; readonly now: string },
): Promise<boolean> {
  return (await queries.get(lease, query)) !== undefined;
}
