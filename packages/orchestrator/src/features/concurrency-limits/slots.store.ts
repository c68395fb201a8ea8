import type { Ids, Queries, Transaction } from "@orchestrator/kernel";
import { statement } from "../../db/tables.ts";
import type { ConcurrencyLimitRow } from "./concurrency-limits.table.ts";
import {
  averageOccupancy,
  decayingAfterLease,
  decayingSlots,
  decays,
  deniedSlots,
  type FullLimit,
  secondsAfter,
  secondsBetween,
} from "./occupancy.rules.ts";
import {
  insertLease,
  insertSlots,
  type LeasedLimit,
  LIMIT_COLUMNS,
  lockLimits,
  lockLimitsOfLease,
  readUsage,
  removeExpiredLeases,
  updateLimitUsage,
} from "./slot-rows.store.ts";
import { callWaiters } from "./slot-waiters.store.ts";

/** Nudged when a slot may have become free. */
export const SLOTS_TOPIC = "slots";

/** A limit is found by its id or by its name. */
export type LimitKey = { readonly id: string } | { readonly name: string };

const limitBy = (column: "id" | "name") =>
  statement<{ key: string }>()((db, p) =>
    db
      .selectFrom("concurrency_limits")
      .select(LIMIT_COLUMNS)
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key),
  );
const limitById = limitBy("id");
const limitByName = limitBy("name");

/** The limit as it is stored, not held. */
export async function findLimit(
  queries: Queries,
  key: LimitKey,
): Promise<ConcurrencyLimitRow | null> {
  const row =
    "id" in key
      ? await queries.get(limitById, { key: key.id })
      : await queries.get(limitByName, { key: key.name });
  return row ?? null;
}

/** Who holds the slots of a lease; null: nobody said. */
export interface Holder {
  readonly type: string;
  readonly id: string;
}

export type Acquired =
  | { readonly leaseId: string }
  /** Nothing was taken: these have no room. */
  | { readonly full: true; readonly blocking: readonly FullLimit[] };

interface WithIds {
  readonly ids: Ids;
}

/**
 * Takes `slots` slots of every limit, or none of any. Limits that are not there or not active take no part. The slots
 * are held for `ttlSeconds` unless the lease is renewed; null: until they are given back. A lease that has run out
 * gives way to this one.
 */
export async function acquireLease(
  ctx: WithIds,
  tx: Transaction,
  request: {
    readonly limitIds: readonly string[];
    readonly slots: number;
    readonly holder: Holder | null;
    readonly ttlSeconds: number | null;
    readonly now: string;
  },
): Promise<Acquired> {
  const limits = await lockLimits(tx, { ids: request.limitIds });
  return acquireLocked(ctx, tx, { ...request, limits });
}

/** The same, of limits whose rows are held already. */
export async function acquireLocked(
  { ids }: WithIds,
  tx: Transaction,
  request: {
    readonly limits: readonly ConcurrencyLimitRow[];
    readonly slots: number;
    readonly holder: Holder | null;
    readonly ttlSeconds: number | null;
    readonly now: string;
  },
): Promise<Acquired> {
  const { slots, holder, ttlSeconds, now } = request;
  const limits = request.limits.filter(({ active }) => active);
  const blocking = await findFull(tx, { limits, slots, now });
  if (blocking.length > 0) return { full: true, blocking };
  const leaseId = ids.uuid4();
  await insertLease(tx, {
    id: leaseId,
    created: now,
    expires: ttlSeconds === null ? null : secondsAfter(now, ttlSeconds),
    holder_type: holder?.type ?? null,
    holder_id: holder?.id ?? null,
  });
  const rows = limits.map(({ id: limit_id }) => ({
    id: ids.uuid7(),
    created: now,
    limit_id,
    lease_id: leaseId,
    slots,
  }));
  await insertSlots(tx, rows);
  for (const limit of limits.filter(decays)) await addDecaying(tx, { limit, slots, now });
  return { leaseId };
}

/** Those among locked limits that have no room for so many slots. */
export async function findFull(
  tx: Transaction,
  request: {
    readonly limits: readonly ConcurrencyLimitRow[];
    readonly slots: number;
    readonly now: string;
  },
): Promise<FullLimit[]> {
  const { limits, slots, now } = request;
  const held = limits.filter((limit) => !decays(limit)).map(({ id }) => id);
  const lacksRoom = (inUse: Awaited<ReturnType<typeof readUsage>>) =>
    limits.filter((limit) => {
      const taken = decays(limit)
        ? decayingSlots(limit, now).slots
        : (inUse.get(limit.id)?.slots ?? 0);
      return taken + slots > limit.slot_limit;
    });
  const usage = await readUsage(tx, held, now);
  let full = lacksRoom(usage);
  // Leases that have run out are in nobody's way until their slots are wanted.
  const reclaimable = full.filter(({ id }) => (usage.get(id)?.expired ?? 0) > 0);
  if (reclaimable.length > 0) {
    const ids = reclaimable.map(({ id }) => id);
    if ((await removeExpiredLeases(tx, ids, now)) > 0) tx.nudge(SLOTS_TOPIC);
    full = lacksRoom(await readUsage(tx, held, now));
  }
  return full.map((limit) => ({ limit, denied: deniedSlots(limit, now).slots }));
}

/** Puts slots on a limit that decays. */
export async function addDecaying(
  tx: Transaction,
  { limit, slots, now }: { limit: ConcurrencyLimitRow; slots: number; now: string },
): Promise<void> {
  const inUse = decayingSlots(limit, now);
  const decaying_slots = Math.max(0, inUse.slots + slots);
  await updateLimitUsage(tx, { ...limit, decaying_slots, decaying_since: inUse.since });
}

const renew = statement<{ id: string; expires: string | null; now: string }>()((db, p) =>
  db
    .updateTable("concurrency_leases")
    .set({ expires: p.expires })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where((e) => e.or([e("expires", "is", null), e("expires", ">", p.now)])),
);

/** Holds a lease until `expires`, null: until it is given back. False when it has run out or is gone. */
export async function renewLease(
  tx: Transaction,
  { leaseId, expires, now }: { leaseId: string; expires: string | null; now: string },
): Promise<boolean> {
  return (await tx.run(renew, { id: leaseId, expires, now })) === 1;
}

const removeLease = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("concurrency_leases")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

const removeIfExpired = statement<{ id: string; now: string }>()((db, p) =>
  db
    .deleteFrom("concurrency_leases")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .where("expires", "<=", p.now),
);

/** Gives all slots of a lease back and tells who waits for one. False when there is no such lease (any more). */
export async function releaseLease(
  _ctx: unknown,
  tx: Transaction,
  { leaseId, now }: { readonly leaseId: string; readonly now: string },
): Promise<boolean> {
  const limits = await lockLimitsOfLease(tx, leaseId);
  if ((await tx.run(removeLease, { id: leaseId })) === 0) return false;
  await settle(tx, limits, now);
  return true;
}

/** The same, if the lease has run out. */
export async function releaseExpiredLease(
  tx: Transaction,
  { leaseId, now }: { readonly leaseId: string; readonly now: string },
): Promise<boolean> {
  const limits = await lockLimitsOfLease(tx, leaseId);
  if ((await tx.run(removeIfExpired, { id: leaseId, now })) === 0) return false;
  await settle(tx, limits, now);
  return true;
}

/** What limits learn from slots that came back. */
export async function settle(
  tx: Transaction,
  limits: readonly LeasedLimit[],
  now: string,
): Promise<void> {
  const settled = new Map<string, ConcurrencyLimitRow>();
  for (const leased of limits) {
    const { slots } = leased;
    const limit = settled.get(leased.id) ?? leased;
    const heldSeconds = secondsBetween(leased.acquired, now);
    const left = decays(limit)
      ? decayingAfterLease(limit, { slots, heldSeconds, now })
      : { slots: limit.decaying_slots, since: limit.decaying_since };
    settled.set(leased.id, {
      ...limit,
      decaying_slots: left.slots,
      decaying_since: left.since,
      avg_slot_occupancy_seconds: averageOccupancy(limit, { slots, heldSeconds }),
    });
  }
  for (const limit of settled.values()) {
    await updateLimitUsage(tx, limit);
    await callWaiters(tx, limit, now);
  }
  if (limits.length > 0) tx.nudge(SLOTS_TOPIC);
}

const leasesOfHolder = statement<{ type: string; id: string }>()((db, p) =>
  db
    .selectFrom("concurrency_leases")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("holder_id", "=", p.id)
    .where("holder_type", "=", p.type)
    .orderBy("id"),
);

/** Gives back whatever a holder has; tells how many leases that were. */
export async function releaseHolder(
  ctx: unknown,
  tx: Transaction,
  { type, id, now }: { readonly type: string; readonly id: string; readonly now: string },
): Promise<number> {
  let released = 0;
  for (const { id: leaseId } of await tx.all(leasesOfHolder, { type, id }))
    if (await releaseLease(ctx, tx, { leaseId, now })) released += 1;
  return released;
}
