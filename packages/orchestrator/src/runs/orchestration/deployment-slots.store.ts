import type { ConcurrencyOptions, OnCollision, SlotKey } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import type { Transaction } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";
import type { KeyProblem } from "../../limits/key-template.rules.ts";
import { NO_VALUE, receivedKey, resolveKey } from "../../limits/limit-keys.rules.ts";
import type { QueuePlace } from "../../work/pools/places.store.ts";
import type { LockedFlowRun } from "./flow-run-states.store.ts";

/** How many runs of a deployment may be under way, and what happens to one more. */
export interface DeploymentSlots {
  readonly limitId: string;
  readonly limit: number;
  readonly isActive: boolean;
  /** Only runs with the same value of it share slots; null: all do. */
  readonly key: SlotKey | null;
  readonly options: ConcurrencyOptions | null;
  /** Null: as the options say. */
  readonly onCollision: OnCollision | null;
}

/** What a run may have to wait for before it is claimed. */
export interface ClaimLimits {
  /** Null when the deployment has no limit; undefined when there is no such deployment. */
  readonly deployment: DeploymentSlots | null | undefined;
  /** Where its queue or its pool has a limit. */
  readonly place: QueuePlace | null;
}

const select = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .leftJoin("deployments", "deployments.id", "flow_runs.deployment_id")
    .leftJoin("concurrency_limits", "concurrency_limits.id", "deployments.concurrency_limit_id")
    .leftJoin("work_queues", "work_queues.id", "flow_runs.work_queue_id")
    .leftJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select([
      "deployments.id as deployment_id",
      "deployments.concurrency_options",
      "deployments.on_collision",
      "concurrency_limits.id as limit_id",
      "concurrency_limits.slot_limit",
      "concurrency_limits.active",
      "concurrency_limits.key",
      "work_queues.id as queue_id",
      "work_queues.concurrency_limit as queue_limit",
      "work_pools.id as pool_id",
      "work_pools.concurrency_limit as pool_limit",
    ])
    .where("flow_runs.workspace_id", "=", p.workspace_id)
    .where("flow_runs.id", "=", p.id),
);

/** A run is read anew for every transition, and its limits once for all rules that ask. */
const known = new WeakMap<LockedFlowRun, ClaimLimits>();

export async function findClaimLimits(tx: Transaction, run: LockedFlowRun): Promise<ClaimLimits> {
  const limits = known.get(run) ?? (await readClaimLimits(tx, run));
  known.set(run, limits);
  return limits;
}

async function readClaimLimits(tx: Transaction, { id }: LockedFlowRun): Promise<ClaimLimits> {
  // Who takes a place or a slot afterwards locks what they are of, and looks again.
  const row = await tx.committed.get(select, { id });
  if (row === undefined || row.deployment_id === null)
    return { deployment: undefined, place: placeOf(row) };
  const { limit_id: limitId, slot_limit: limit, concurrency_options: options } = row;
  if (limitId === null || limit === null) return { deployment: null, place: placeOf(row) };
  const deployment = {
    limitId,
    limit,
    isActive: row.active ?? true,
    key: receivedKey(row.key),
    options: options === null ? null : (JSON.parse(options) as ConcurrencyOptions),
    onCollision: row.on_collision,
  };
  return { deployment, place: placeOf(row) };
}

interface PlaceRow {
  readonly queue_id: string | null;
  readonly queue_limit: number | null;
  readonly pool_id: string | null;
  readonly pool_limit: number | null;
}

function placeOf(row: PlaceRow | undefined): QueuePlace | null {
  if (row === undefined || row.queue_id === null || row.pool_id === null) return null;
  if (row.queue_limit === null && row.pool_limit === null) return null;
  return { queueId: row.queue_id, poolId: row.pool_id };
}

const selectParameters = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("parameters")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

const keepKey = statement<{ id: string; value: string }>()((db, p) =>
  db
    .updateTable("flow_runs")
    .set({ concurrency_key: p.value })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/**
 * The values of a limit's key that a run has. A run from before the key keeps its value from here
 * on.
 */
export async function findKeyValues(
  tx: Transaction,
  { id, name, tags, concurrency_key }: LockedFlowRun,
  key: SlotKey | null,
): Promise<readonly [string, ...string[]] | KeyProblem> {
  if (key === null) return [NO_VALUE];
  const isTemplate = key.template !== undefined;
  const isKept = isTemplate && concurrency_key !== null;
  const isRead = key.parameter !== undefined || (isTemplate && !isKept);
  const row = isRead ? await tx.get(selectParameters, { id }) : undefined;
  const values = resolveKey(key, {
    name,
    concurrency_key,
    parameters: readJson(row?.parameters ?? "{}") as Record<string, unknown>,
    tags: JSON.parse(tags) as string[],
  });
  if (isTemplate && !isKept && !("problem" in values))
    await tx.run(keepKey, { id, value: values[0] });
  return values;
}

const extend = statement<{ id: string; expires: string; now: string }>()((db, p) =>
  db
    .updateTable("concurrency_leases")
    .set((e) => ({
      expires: e
        .case()
        .when("expires", "is", null)
        .then(null)
        // Whoever renewed it for longer counts on that.
        .when("expires", ">", p.expires)
        .then(e.ref("expires"))
        .else(p.expires)
        .end(),
    }))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where((e) => e.or([e("expires", "is", null), e("expires", ">", p.now)])),
);

/**
 * Holds a lease at least until `expires`, or without end where it had none. False when it has run
 * out or is gone.
 */
export async function extendSlotLease(
  tx: Transaction,
  { leaseId, expires, now }: { leaseId: string; expires: string; now: string },
): Promise<boolean> {
  return (await tx.run(extend, { id: leaseId, expires, now })) === 1;
}
