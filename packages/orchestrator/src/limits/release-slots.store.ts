// Slots are given back with their lease. What the limits learn from it is kept, and whoever waits
// for a slot is called, in the same transaction.

import type { Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";
import { SLOTS_TOPIC } from "../polling/slot-lines.ts";
import { averageOccupancy, decayingAfterLease, decays, secondsBetween } from "./occupancy.rules.ts";
import {
  type LeasedLimit,
  lockLimitsOfHolder,
  lockLimitsOfLease,
  updateLimitUsage,
} from "./slot-rows.store.ts";
import { callWaiters } from "./slot-waiters.store.ts";

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

/**
 * Gives all slots of a lease back and tells who waits for one. False when there is no such lease
 * (any more).
 */
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
  const freed = new Map<string, string[]>();
  for (const leased of limits) {
    freed.set(leased.id, [...(freed.get(leased.id) ?? []), leased.key_value]);
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
    await callWaiters(tx, limit, now, freed.get(limit.id));
  }
  if (limits.length > 0) tx.notify(SLOTS_TOPIC);
}

/** Their ids as one text: mostly there are none, and one row is read quicker than any number. */
const leasesOfHolder = statement<{ type: string; id: string }>()((db, p, dialect) => {
  const leases = db
    .selectFrom("concurrency_leases")
    .select(sql<string>`cast(id as text)`.as("id"))
    .where("workspace_id", "=", p.workspace_id)
    .where("holder_id", "=", p.id)
    .where("holder_type", "=", p.type)
    .orderBy("id");
  const ids = sql<string | null>`${sql.raw(dialect.joined("lease.id"))}`;
  return db.selectFrom(leases.as("lease")).select(ids.as("ids"));
});

/** Gives back whatever a holder has; tells how many leases that were. */
export async function releaseHolder(
  ctx: unknown,
  tx: Transaction,
  { type, id, now }: { readonly type: string; readonly id: string; readonly now: string },
): Promise<number> {
  // What a run is given after this was asked changes the run; what its client takes by itself runs
  // out or is swept.
  const { ids } = (await tx.committed.get(leasesOfHolder, { type, id })) ?? {};
  if (!ids) return 0;
  const leases = ids.split(",");
  if (leases.length > 1) await lockLimitsOfHolder(tx, { type, id });
  let released = 0;
  for (const leaseId of leases) if (await releaseLease(ctx, tx, { leaseId, now })) released += 1;
  return released;
}
