import type { Ids } from "@orchestrator/kernel/pure";
import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import {
  CONCURRENCY_LIMITS,
  type ConcurrencyLimitRow,
} from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";
import { SLOTS_TOPIC } from "../polling/slot-lines.ts";
import { NO_VALUE } from "./limit-keys.rules.ts";
import {
  decayingSlots,
  decays,
  deniedSlots,
  type FullLimit,
  secondsAfter,
} from "./occupancy.rules.ts";
import {
  insertLease,
  insertSlots,
  lockLimits,
  removeExpiredLeases,
  updateLimitUsage,
} from "./slot-rows.store.ts";
import { readUsage, type UsageOf } from "./slot-usage.store.ts";
import { callWaiters } from "./slot-waiters.store.ts";

/** A limit is found by its id or by its name. */
export type LimitKey = { readonly id: string } | { readonly name: string };

const limitBy = (column: "id" | "name") =>
  statement<{ key: string }>()((db, p) =>
    db
      .selectFrom("concurrency_limits")
      .select(CONCURRENCY_LIMITS.columns)
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

/** A limit that has no room, with the value of its key that it has none for. */
export interface FullSlots extends FullLimit {
  readonly value: string;
}

export type Acquired =
  | { readonly leaseId: string }
  /** Nothing was taken: these have no room. */
  | { readonly full: true; readonly blocking: readonly FullSlots[] };

/** The holder's values of the limits' keys: it takes slots for each. */
interface ForValues {
  readonly values?: readonly string[];
}

interface WithIds {
  readonly ids: Ids;
}

/**
 * Takes `slots` slots of every limit, or none of any. Limits that are not there or not active take
 * no part. The slots are held for `ttlSeconds` unless the lease is renewed; null: until they are
 * given back. A lease that has run out gives way to this one.
 */
export async function acquireLease(
  ctx: WithIds,
  tx: Transaction,
  request: ForValues & {
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
  request: ForValues & {
    readonly limits: readonly ConcurrencyLimitRow[];
    readonly slots: number;
    readonly holder: Holder | null;
    readonly ttlSeconds: number | null;
    readonly now: string;
  },
): Promise<Acquired> {
  const { slots, holder, ttlSeconds, now, values = NONE } = request;
  const limits = request.limits.filter(({ active }) => active);
  const { blocking, reclaimed } = await makeRoom(tx, { limits, values, slots, now });
  if (blocking.length > 0) {
    for (const limit of reclaimed) await callWaiters(tx, limit, now);
    return { full: true, blocking };
  }
  const leaseId = ids.uuid4();
  await insertLease(tx, {
    id: leaseId,
    created: now,
    expires: ttlSeconds === null ? null : secondsAfter(now, ttlSeconds),
    holder_type: holder?.type ?? null,
    holder_id: holder?.id ?? null,
  });
  const row = { created: now, lease_id: leaseId, slots };
  const rows = limits.flatMap((limit) =>
    valuesIn(limit, values).map((key_value) => ({
      ...row,
      id: ids.uuid7(),
      limit_id: limit.id,
      key_value,
    })),
  );
  await insertSlots(tx, rows);
  for (const limit of limits.filter(decays)) await addDecaying(tx, { limit, slots, now });
  for (const limit of reclaimed) await callWaiters(tx, limit, now);
  return { leaseId };
}

const NONE = [NO_VALUE];

/** A limit without a key has its slots once for all. */
const valuesIn = ({ key }: ConcurrencyLimitRow, values: readonly string[]): readonly string[] =>
  key === null ? NONE : values;

/** Those among locked limits that have no room for so many slots. */
export async function findFull(
  tx: Transaction,
  request: ForValues & {
    readonly limits: readonly ConcurrencyLimitRow[];
    readonly slots: number;
    readonly now: string;
  },
): Promise<FullSlots[]> {
  const { values = NONE, now } = request;
  const { blocking, reclaimed } = await makeRoom(tx, { ...request, values });
  for (const limit of reclaimed) await callWaiters(tx, limit, now);
  return blocking;
}

/**
 * Which limits have no room, and of which others' slots came back to see: their leases had run out.
 */
async function makeRoom(
  tx: Transaction,
  request: Required<ForValues> & {
    readonly limits: readonly ConcurrencyLimitRow[];
    readonly slots: number;
    readonly now: string;
  },
): Promise<{ readonly blocking: FullSlots[]; readonly reclaimed: ConcurrencyLimitRow[] }> {
  const { limits, values, slots, now } = request;
  const held = limits.filter((limit) => !decays(limit));
  const wanted = limits.flatMap((limit) =>
    valuesIn(limit, values).map((value) => ({ limit, value })),
  );
  const lacksRoom = (usageOf: UsageOf) =>
    wanted.filter(({ limit, value }) => {
      const taken = decays(limit) ? decayingSlots(limit, now).slots : usageOf(limit, value).slots;
      return taken + slots > limit.slot_limit;
    });
  const usageOf = await readUsage(tx, { limits: held, values, now });
  let full = lacksRoom(usageOf);
  // Leases that have run out are in nobody's way until their slots are wanted.
  const reclaimable = full.filter(({ limit, value }) => usageOf(limit, value).expired > 0);
  const reclaimed = [...new Set(reclaimable.map(({ limit }) => limit))];
  if (reclaimed.length > 0) {
    const ids = reclaimed.map(({ id }) => id);
    if ((await removeExpiredLeases(tx, ids, now)) > 0) tx.notify(SLOTS_TOPIC);
    full = lacksRoom(await readUsage(tx, { limits: held, values, now }));
  }
  const blocking = full.map((each) => ({ ...each, denied: deniedSlots(each.limit, now).slots }));
  return { blocking, reclaimed };
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

/**
 * Holds a lease until `expires`, null: until it is given back. False when it has run out or is
 * gone.
 */
export async function renewLease(
  tx: Transaction,
  { leaseId, expires, now }: { leaseId: string; expires: string | null; now: string },
): Promise<boolean> {
  return (await tx.run(renew, { id: leaseId, expires, now })) === 1;
}
