import { type JsonText, type Queries, recordSql } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { FLOW_RUN_SLOT_FIELDS } from "../../db/tables/occupancy.table.ts";
import { ACTIVE, OCCUPYING } from "../../db/tables/work-pools.table.ts";
import { statement } from "../../db/tables.ts";

const pool = statement<{ name: string }>()((db, p) =>
  db
    .selectFrom("work_pools")
    .innerJoin("work_queues", "work_queues.work_pool_id", "work_pools.id")
    .select((e) => [
      "work_pools.id",
      "work_pools.concurrency_limit",
      e.fn.countAll<number>().as("queues"),
    ])
    .where("work_pools.workspace_id", "=", p.workspace_id)
    .where("work_pools.name", "=", p.name)
    .groupBy(["work_pools.id", "work_pools.concurrency_limit"]),
);

export interface LimitedPool {
  readonly id: string;
  readonly concurrency_limit: number | null;
  readonly queues: number;
}

export async function findLimitedPool(queries: Queries, name: string): Promise<LimitedPool | null> {
  return (await queries.get(pool, { name })) ?? null;
}

const queuesOfPool = statement<{ poolId: string; limit: number; offset: number }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .select(["id", "name", "concurrency_limit"])
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .orderBy("priority")
    .orderBy("id")
    .limit(p.limit)
    .offset(p.offset),
);

export interface LimitedQueue {
  readonly id: string;
  readonly name: string;
  readonly concurrency_limit: number | null;
}

export async function listLimitedQueues(
  queries: Queries,
  page: { readonly poolId: string; readonly limit: number; readonly offset: number },
): Promise<LimitedQueue[]> {
  return queries.all(queuesOfPool, page);
}

const queueById = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .select(["id", "name", "concurrency_limit", "last_polled"])
    .select((e) => [
      e
        .selectFrom("flow_runs")
        .select((run) => run.fn.countAll<number>().as("count"))
        .whereRef("flow_runs.work_queue_id", "=", "work_queues.id")
        .where(sql<boolean>`${sql.raw(OCCUPYING)}`)
        .as("occupied"),
      e
        .selectFrom("flow_runs")
        .select((run) => run.fn.countAll<number>().as("count"))
        .whereRef("flow_runs.work_queue_id", "=", "work_queues.id")
        .where("flow_runs.state_type", "=", sql.lit("SCHEDULED"))
        .where("flow_runs.state_name", "=", sql.lit("Late"))
        .as("late"),
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** A queue with how many runs take up a place in it, and how many are late. */
export interface WatchedOccupancy extends LimitedQueue {
  readonly last_polled: string | null;
  readonly occupied: number;
  readonly late: number;
}

export async function findOccupancy(
  queries: Queries,
  id: string,
): Promise<WatchedOccupancy | null> {
  const row = await queries.get(queueById, { id });
  return row === undefined ? null : { ...row, occupied: row.occupied ?? 0, late: row.late ?? 0 };
}

interface SlotPage {
  readonly queueId: string;
  readonly now: string;
  readonly limit: number;
  readonly offset: number;
}

const slotsWhere = (condition: string) =>
  statement<SlotPage>()((db, p, dialect) =>
    db
      .selectFrom("flow_runs")
      .innerJoin("work_queues", "work_queues.id", "flow_runs.work_queue_id")
      .select(
        recordSql(dialect, {
          fields: FLOW_RUN_SLOT_FIELDS,
          table: "flow_runs",
          now: p.now,
        }).as("json"),
      )
      .where("work_queues.workspace_id", "=", p.workspace_id)
      .where("flow_runs.work_queue_id", "=", p.queueId)
      .where(sql<boolean>`${sql.raw(condition)}`)
      .orderBy("flow_runs.state_timestamp")
      .orderBy("flow_runs.id")
      .limit(p.limit)
      .offset(p.offset),
  );
const occupyingSlots = slotsWhere(OCCUPYING);
const activeSlots = slotsWhere(ACTIVE);

/** The runs in a queue's places as a JSON array, those that have been there longest first. */
export async function listSlots(
  queries: Queries,
  which: "occupying" | "active",
  page: SlotPage,
): Promise<JsonText<unknown[]>> {
  if (page.limit === 0) return "[]";
  const slots = which === "active" ? activeSlots : occupyingSlots;
  const rows = await queries.all(slots, page);
  return `[${rows.map(({ json }) => json).join(",")}]`;
}
