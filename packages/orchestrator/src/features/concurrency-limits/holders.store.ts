import type { Ids, Queries, Transaction } from "@orchestrator/kernel";
import { statement } from "../../db/tables.ts";
import type { ConcurrencyLimitRow, ConcurrencySlotRow } from "./concurrency-limits.table.ts";
import { NO_VALUE } from "./limit-keys.rules.ts";
import { decays } from "./occupancy.rules.ts";
import {
  idRows,
  idsJson,
  insertLease,
  insertSlots,
  type LeasedLimit,
  LIMIT_COLUMNS,
  removeExpiredLeases,
  updateLimitUsage,
} from "./slot-rows.store.ts";

const NEW = { lease_id: null, slots: 1, key_value: NO_VALUE } as const;

interface LimitAt {
  readonly limitId: string;
  readonly now: string;
}

const holders = statement<{ limit_id: string; now: string; limit: number; offset: number }>()(
  (db, p) =>
    db
      .selectFrom("concurrency_slots")
      .leftJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
      .select([
        "concurrency_slots.lease_id",
        "concurrency_leases.holder_type",
        "concurrency_leases.holder_id",
        "concurrency_slots.slots",
        "concurrency_slots.key_value",
        "concurrency_slots.created as acquired",
        "concurrency_leases.expires",
      ])
      .where("concurrency_slots.workspace_id", "=", p.workspace_id)
      .where("concurrency_slots.limit_id", "=", p.limit_id)
      .where((e) =>
        e.or([
          e("concurrency_leases.expires", "is", null),
          e("concurrency_leases.expires", ">", p.now),
        ]),
      )
      .orderBy("concurrency_slots.created")
      .orderBy("concurrency_slots.id")
      .limit(p.limit)
      .offset(p.offset),
);

/** Who has which slots, the oldest first. */
export async function listHolderRows(
  queries: Queries,
  { limitId, now, limit, offset }: LimitAt & { readonly limit: number; readonly offset: number },
) {
  return queries.all(holders, { limit_id: limitId, now, limit, offset });
}

const holdersOfType = statement<{ ids: string; type: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_slots")
    .innerJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
    .select(["concurrency_slots.limit_id", "concurrency_leases.holder_id"])
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.limit_id", "in", (e) =>
      e.selectFrom(idRows(dialect, p.ids)).select("wanted.id"),
    )
    .where("concurrency_leases.holder_type", "=", p.type)
    .where("concurrency_leases.holder_id", "is not", null)
    .where((e) =>
      e.or([
        e("concurrency_leases.expires", "is", null),
        e("concurrency_leases.expires", ">", p.now),
      ]),
    )
    .orderBy("concurrency_slots.created")
    .orderBy("concurrency_slots.id"),
);

/** Limit → the ids of the holders of one type that have slots of it, the oldest first. */
export async function findHolderIds(
  queries: Queries,
  request: { readonly limitIds: readonly string[]; readonly type: string; readonly now: string },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { limitIds, type, now } = request;
  const byLimit = new Map<string, Set<string>>();
  if (limitIds.length === 0) return byLimit;
  for (const row of await queries.all(holdersOfType, { ids: idsJson(limitIds), type, now })) {
    if (row.holder_id === null) continue;
    byLimit.set(row.limit_id, (byLimit.get(row.limit_id) ?? new Set()).add(row.holder_id));
  }
  return byLimit;
}

const slotsOfHolder = statement<{ ids: string; type: string; id: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_slots")
    .innerJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
    .innerJoin("concurrency_limits", "concurrency_limits.id", "concurrency_slots.limit_id")
    .select(LIMIT_COLUMNS)
    .select([
      "concurrency_slots.id as slot_id",
      "concurrency_slots.lease_id",
      "concurrency_slots.slots",
      "concurrency_slots.key_value",
      "concurrency_leases.created as acquired",
    ])
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.limit_id", "in", (e) =>
      e.selectFrom(idRows(dialect, p.ids)).select("wanted.id"),
    )
    .where("concurrency_leases.holder_id", "=", p.id)
    .where("concurrency_leases.holder_type", "=", p.type),
);

/** What a holder has of limits that are locked already. */
export async function findSlotsOfHolder(
  tx: Transaction,
  request: {
    readonly limitIds: readonly string[];
    readonly type: string;
    readonly id: string;
  },
): Promise<(LeasedLimit & { readonly lease_id: string | null })[]> {
  const { limitIds, type, id } = request;
  return tx.all(slotsOfHolder, { ids: idsJson(limitIds), type, id });
}

const removeSlotRows = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .deleteFrom("concurrency_slots")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", (e) => e.selectFrom(idRows(dialect, p.ids)).select("wanted.id")),
);

const removeEmptyLeases = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .deleteFrom("concurrency_leases")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", (e) => e.selectFrom(idRows(dialect, p.ids)).select("wanted.id"))
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

/** Takes slots away from whoever holds them; a lease that has none left is over, which its holder hears when it renews. */
export async function removeSlots(
  tx: Transaction,
  rows: readonly { readonly slot_id: string; readonly lease_id: string | null }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(removeSlotRows, { ids: idsJson(rows.map(({ slot_id }) => slot_id)) });
  const leases = rows.flatMap(({ lease_id }) => (lease_id === null ? [] : [lease_id]));
  if (leases.length > 0) await tx.run(removeEmptyLeases, { ids: idsJson(leases) });
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
 * Makes a locked limit have exactly so many slots in use. What is missing is held by nobody in particular; what is too
 * much is taken from nobody first, then from those who came last.
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
  { limitId, slots, now }: LimitAt & { readonly slots: number },
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

/** Before a limit goes: leases that hold nothing else and would never end go with it; others run out by themselves. */
export async function removeEndlessLeases(tx: Transaction, limitId: string): Promise<void> {
  await tx.run(removeEndless, { limit_id: limitId });
}
