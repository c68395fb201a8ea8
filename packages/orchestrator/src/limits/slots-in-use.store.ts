// What a limit has in use, changed by whoever says so: not by a lease that is taken or given back.
// The limit's row is held.

import type { Ids } from "@orchestrator/kernel/pure";
import { idRows, listedIds, type Transaction } from "@orchestrator/kernel/storage";
import type {
  ConcurrencyLimitRow,
  ConcurrencySlotRow,
} from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";
import { SLOTS_TOPIC } from "../polling/slot-lines.ts";
import { NO_VALUE } from "./limit-keys.rules.ts";
import { decays } from "./occupancy.rules.ts";
import {
  insertLease,
  insertSlots,
  removeExpiredLeases,
  updateLimitUsage,
} from "./slot-rows.store.ts";
import { callWaiters } from "./slot-waiters.store.ts";
import { addDecaying } from "./slots.store.ts";

const NEW = { lease_id: null, slots: 1, key_value: NO_VALUE } as const;

const removeSlotRows = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .deleteFrom("concurrency_slots")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

const removeEmptyLeases = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .deleteFrom("concurrency_leases")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("concurrency_slots")
            .select("concurrency_slots.id")
            .whereRef("concurrency_slots.lease_id", "=", "concurrency_leases.id"),
        ),
      ),
    ),
);

/**
 * Takes slots away from whoever holds them; a lease that has none left is over, which its holder
 * hears when it renews.
 */
export async function removeSlots(
  tx: Transaction,
  rows: readonly { readonly slot_id: string; readonly lease_id: string | null }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(removeSlotRows, { ids: idRows(rows.map(({ slot_id }) => slot_id)) });
  const leases = rows.flatMap(({ lease_id }) => (lease_id === null ? [] : [lease_id]));
  if (leases.length > 0) await tx.run(removeEmptyLeases, { ids: idRows(leases) });
}

const slotsOfLimit = statement<{ limit_id: string }>()((db, p) =>
  db
    .selectFrom("concurrency_slots")
    .select(["id as slot_id", "lease_id", "slots"])
    .where("workspace_id", "=", p.workspace_id)
    .where("limit_id", "=", p.limit_id)
    .orderBy("created", "desc")
    .orderBy("id", "desc"),
);

const resizeSlots = statement<{ id: string; slots: number }>()((db, p) =>
  db
    .updateTable("concurrency_slots")
    .set({ slots: p.slots })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/**
 * Makes a locked limit have exactly so many slots in use. What is missing is held by nobody in
 * particular; what is too much is taken from nobody first, then from those who came last.
 */
export async function setSlotsInUse(
  ctx: { readonly ids: Ids },
  tx: Transaction,
  { limit, slots, now }: { limit: ConcurrencyLimitRow; slots: number; now: string },
): Promise<void> {
  if (decays(limit)) {
    await updateLimitUsage(tx, { ...limit, decaying_slots: slots, decaying_since: now });
    return;
  }
  await removeExpiredLeases(tx, [limit.id], now);
  const rows = await tx.all(slotsOfLimit, { limit_id: limit.id });
  const inUse = rows.reduce((sum, row) => sum + row.slots, 0);
  if (inUse < slots) {
    await addAnonymousSlots(ctx, tx, { limitId: limit.id, slots: slots - inUse, now });
    return;
  }
  let excess = inUse - slots;
  const gone: typeof rows = [];
  const isAnonymous = (row: (typeof rows)[number]): boolean => row.lease_id === null;
  for (const row of [...rows.filter(isAnonymous), ...rows.filter((each) => !isAnonymous(each))]) {
    if (excess >= row.slots) gone.push(row);
    else if (excess > 0) await tx.run(resizeSlots, { id: row.slot_id, slots: row.slots - excess });
    excess = Math.max(0, excess - row.slots);
  }
  await removeSlots(tx, gone);
}

/** Takes all slots of a locked limit from whoever holds them. */
export async function clearSlots(tx: Transaction, limitId: string): Promise<void> {
  await removeSlots(tx, await tx.all(slotsOfLimit, { limit_id: limitId }));
}

/** One slot of an empty, locked limit for each of these, until they give it back. */
export async function handOutSlots(
  { ids }: { readonly ids: Ids },
  tx: Transaction,
  request: {
    readonly limit: ConcurrencyLimitRow;
    readonly type: string;
    readonly holderIds: ReadonlySet<string>;
    readonly now: string;
  },
): Promise<void> {
  const { limit, type: holder_type, holderIds, now: created } = request;
  const rows: ConcurrencySlotRow[] = [];
  for (const holder_id of holderIds) {
    const lease_id = ids.uuid4();
    await insertLease(tx, { id: lease_id, created, expires: null, holder_type, holder_id });
    rows.push({ ...NEW, id: ids.uuid7(), created, limit_id: limit.id, lease_id });
  }
  await insertSlots(tx, rows);
  if (decays(limit))
    await updateLimitUsage(tx, { ...limit, decaying_slots: rows.length, decaying_since: created });
}

const anonymousSlots = statement<{ limit_id: string }>()((db, p) =>
  db
    .selectFrom("concurrency_slots")
    .select(["id", "slots"])
    .where("workspace_id", "=", p.workspace_id)
    .where("limit_id", "=", p.limit_id)
    .where("lease_id", "is", null),
);

/** Slots of a locked limit for nobody in particular; each limit has one row of those. */
export async function addAnonymousSlots(
  { ids }: { readonly ids: Ids },
  tx: Transaction,
  {
    limitId,
    slots,
    now,
  }: { readonly limitId: string; readonly slots: number; readonly now: string },
): Promise<void> {
  const row = await tx.get(anonymousSlots, { limit_id: limitId });
  if (row !== undefined) await tx.run(resizeSlots, { id: row.id, slots: row.slots + slots });
  else await insertSlots(tx, [{ ...NEW, id: ids.uuid7(), created: now, limit_id: limitId, slots }]);
}

/** Takes back slots that nobody in particular has, as far as there are any, and tells how many. */
export async function takeAnonymousSlots(
  tx: Transaction,
  { limitId, slots }: { readonly limitId: string; readonly slots: number },
): Promise<number> {
  const row = await tx.get(anonymousSlots, { limit_id: limitId });
  if (row === undefined) return 0;
  if (row.slots > slots) {
    await tx.run(resizeSlots, { id: row.id, slots: row.slots - slots });
    return slots;
  }
  await removeSlots(tx, [{ slot_id: row.id, lease_id: null }]);
  return row.slots;
}

/**
 * Gives back slots of a locked limit that nobody in particular holds, as far as there are any, and
 * calls who waits.
 */
export async function returnAnonymousSlots(
  tx: Transaction,
  { limit, slots, now }: { limit: ConcurrencyLimitRow; slots: number; now: string },
): Promise<void> {
  if (decays(limit)) await addDecaying(tx, { limit, slots: -slots, now });
  else if ((await takeAnonymousSlots(tx, { limitId: limit.id, slots })) > 0)
    await updateLimitUsage(tx, limit);
  await callWaiters(tx, limit, now, [NO_VALUE]);
  tx.notify(SLOTS_TOPIC);
}

const removeEndless = statement<{ limit_id: string }>()((db, p) =>
  db
    .deleteFrom("concurrency_leases")
    .where("workspace_id", "=", p.workspace_id)
    .where("expires", "is", null)
    .where("id", "in", (e) =>
      e
        .selectFrom("concurrency_slots")
        .select("concurrency_slots.lease_id")
        .where("concurrency_slots.limit_id", "=", p.limit_id),
    )
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("concurrency_slots")
            .select("concurrency_slots.id")
            .whereRef("concurrency_slots.lease_id", "=", "concurrency_leases.id")
            .where("concurrency_slots.limit_id", "!=", p.limit_id),
        ),
      ),
    ),
);

/**
 * Before a limit goes: leases that hold nothing else and would never end go with it; others run out
 * by themselves.
 */
export async function removeEndlessLeases(tx: Transaction, limitId: string): Promise<void> {
  await tx.run(removeEndless, { limit_id: limitId });
}
