import { idRows, listedIds, type Queries, type Transaction } from "@orchestrator/kernel/storage";
import { CONCURRENCY_LIMITS } from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";
import type { LeasedLimit } from "./slot-rows.store.ts";

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
  {
    limitId,
    ...page
  }: {
    readonly limitId: string;
    readonly now: string;
    readonly limit: number;
    readonly offset: number;
  },
) {
  return queries.all(holders, { limit_id: limitId, ...page });
}

const holdersOfType = statement<{ ids: string; type: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_slots")
    .innerJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
    .select(["concurrency_slots.limit_id", "concurrency_leases.holder_id"])
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.limit_id", "in", listedIds(dialect, p.ids))
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
  for (const row of await queries.all(holdersOfType, { ids: idRows(limitIds), type, now })) {
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
    .select(CONCURRENCY_LIMITS.qualified)
    .select([
      "concurrency_slots.id as slot_id",
      "concurrency_slots.lease_id",
      "concurrency_slots.slots",
      "concurrency_slots.key_value",
      "concurrency_leases.created as acquired",
    ])
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.limit_id", "in", listedIds(dialect, p.ids))
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
  return tx.all(slotsOfHolder, { ids: idRows(limitIds), type, id });
}
