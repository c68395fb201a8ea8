// Runs of a deployment that compete for the same slots, in the order in which they are due.

import type { OnCollision, StateType } from "@orchestrator/contract";
import type { Database, Queries } from "@orchestrator/kernel/storage";
import { type Expression, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { statement, systemStatement, type Tables } from "../../db/tables.ts";
import { AWAITS } from "../../limits/slot-waiters.store.ts";
import type { Competitor } from "./collisions.rules.ts";

/** Wakes the loop that ends the runs whose place a newer one takes. */
export const COLLISIONS_TOPIC = "collisions";

/** The runs of a deployment that compete for the slots of one value of its limit's key. */
export interface Competition {
  readonly deployment_id: string;
  readonly limit_id: string;
  /** Null: the limit has no key. */
  readonly value: string | null;
  readonly now: string;
}

const COMPETITOR = [
  "flow_runs.id",
  "flow_runs.name",
  "flow_runs.state_id",
  "flow_runs.expected_start_time",
  "flow_runs.next_scheduled_start_time",
] as const;

type Query = Competition & { readonly workspace_id: string; readonly limit: number };

const newestFirst = <Row>(query: SelectQueryBuilder<Tables, "flow_runs", Row>) =>
  query.orderBy("flow_runs.expected_start_time", "desc").orderBy("flow_runs.id", "desc");

/** Runs that have begun wait, too, but neither take a place nor lose theirs. */
const COMPETES: Expression<SqlBool> = sql<boolean>`${AWAITS} and flow_runs.run_count = 0`;

const waitersOf = (db: Kysely<Tables>, p: Query, isKeyed: boolean) =>
  newestFirst(db.selectFrom("flow_runs").select(COMPETITOR))
    .where("flow_runs.workspace_id", "=", p.workspace_id)
    .where("flow_runs.deployment_id", "=", p.deployment_id)
    .where(COMPETES)
    .$if(isKeyed, (query) => query.where("flow_runs.awaited_value", "=", p.value ?? ""))
    .limit(p.limit);

/** Those that hold slots and are not being cancelled yet. */
const holdersOf = (db: Kysely<Tables>, p: Query, isKeyed: boolean) =>
  db
    .selectFrom("concurrency_slots")
    .innerJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
    .innerJoin("flow_runs", "flow_runs.id", "concurrency_leases.holder_id")
    .select(COMPETITOR)
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.limit_id", "=", p.limit_id)
    .$if(isKeyed, (query) => query.where("concurrency_slots.key_value", "=", p.value ?? ""))
    .where("concurrency_leases.holder_type", "=", sql.lit("flow_run"))
    .where((e) =>
      e.or([
        e("concurrency_leases.expires", "is", null),
        e("concurrency_leases.expires", ">", p.now),
      ]),
    )
    .where("flow_runs.deployment_id", "=", p.deployment_id)
    .where("flow_runs.state_type", "<>", sql.lit<StateType>("CANCELLING"))
    .orderBy("flow_runs.expected_start_time", "desc")
    .orderBy("flow_runs.id", "desc")
    .limit(p.limit);

type Asked = Competition & { readonly limit: number };
const waiters = [false, true].map((isKeyed) =>
  statement<Asked>()((db, p) => waitersOf(db, p, isKeyed)),
);
const holders = [false, true].map((isKeyed) =>
  statement<Asked>()((db, p) => holdersOf(db, p, isKeyed)),
);

/** The newest of those that wait for a slot. */
export function readWaiters(queries: Queries, asked: Asked): Promise<Competitor[]> {
  return queries.all(statementFor(waiters, asked), asked);
}

/** The newest of those that hold one. */
export function readHolders(queries: Queries, asked: Asked): Promise<Competitor[]> {
  return queries.all(statementFor(holders, asked), asked);
}

function statementFor<S>(statements: readonly S[], { value }: Competition): S {
  const found = statements[value === null ? 0 : 1];
  if (found === undefined) throw new Error("There is no such statement");
  return found;
}

/** A run that waits for a slot, where a newer one may take its place. */
export interface CollidingRun extends Competitor {
  readonly workspace_id: string;
  readonly deployment_id: string | null;
  readonly awaited_value: string;
  readonly on_collision: OnCollision | null;
  readonly limit_id: string;
  readonly slot_limit: number;
  readonly key: string | null;
}

/** The runs that wait for the slots of one value of a deployment's limit: a cursor over them. */
export type CollisionCursor = Pick<CollidingRun, "awaited_value"> & {
  readonly deployment_id: string;
};

/** Before the first deployment. */
export const FIRST_COLLISION: CollisionCursor = {
  deployment_id: "00000000-0000-0000-0000-000000000000",
  awaited_value: "",
};

const colliding = systemStatement<CollisionCursor & { limit: number }>()((db, p) =>
  db
    .selectFrom("deployments")
    .innerJoin("flow_runs", "flow_runs.deployment_id", "deployments.id")
    .innerJoin("concurrency_limits", "concurrency_limits.id", "deployments.concurrency_limit_id")
    .select(COMPETITOR)
    .select([
      "flow_runs.workspace_id",
      "flow_runs.deployment_id",
      "flow_runs.awaited_value",
      "deployments.on_collision",
      "concurrency_limits.id as limit_id",
      "concurrency_limits.slot_limit",
      "concurrency_limits.key",
    ])
    .where("deployments.on_collision", "is not", null)
    .where("deployments.on_collision", "in", ["cancel-running", "replace-queued"])
    .where(COMPETES)
    .where(
      sql<boolean>`(deployments.id, flow_runs.awaited_value) > (${p.deployment_id}, ${p.awaited_value})`,
    )
    .orderBy("deployments.id")
    .orderBy("flow_runs.awaited_value")
    .orderBy("flow_runs.expected_start_time", "desc")
    .orderBy("flow_runs.id", "desc")
    .limit(p.limit),
);

/**
 * Runs that wait, of deployments whose newer runs take the place of older ones, behind a cursor: by
 * the slots that they wait for, the newest first.
 */
export function listCollidingRuns(
  db: Database,
  { after, limit }: { readonly after: CollisionCursor; readonly limit: number },
): Promise<CollidingRun[]> {
  return db.system.all(colliding, { ...after, limit });
}

const waits = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where(AWAITS),
);

export async function isWaiting(queries: Queries, id: string): Promise<boolean> {
  return (await queries.get(waits, { id })) !== undefined;
}
