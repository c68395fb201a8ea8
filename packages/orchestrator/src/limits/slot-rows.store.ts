import {
  type Dialect,
  idRows,
  listedIds,
  pick,
  type Transaction,
} from "@orchestrator/kernel/storage";
import {
  CONCURRENCY_LEASES,
  CONCURRENCY_LIMITS,
  CONCURRENCY_SLOTS,
  type ConcurrencyLeaseRow,
  type ConcurrencyLimitRow,
  type ConcurrencySlotRow,
} from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";

// Whoever changes what a limit has in use locks the limit's row first, several of them in the order
// of their ids, and touches leases only after that.

export const nameRows = (dialect: Dialect, json: string) =>
  dialect.rowsFrom({ name: "text" }, json).$castTo<{ name: string }>().as("wanted");

export const namesJson = (names: Iterable<string>): string =>
  JSON.stringify(Array.from(new Set(names), (name) => ({ name })));

const lockByIds = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_limits")
    .select(CONCURRENCY_LIMITS.qualified)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids))
    .orderBy("id")
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

const lockByNames = statement<{ names: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_limits")
    .select(CONCURRENCY_LIMITS.qualified)
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "in", (e) => e.selectFrom(nameRows(dialect, p.names)).select("wanted.name"))
    .orderBy("id")
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The limits that exist among these, held until the transaction ends. */
export async function lockLimits(
  tx: Transaction,
  which: { readonly ids: readonly string[] } | { readonly names: readonly string[] },
): Promise<ConcurrencyLimitRow[]> {
  if ("ids" in which) return tx.all(lockByIds, { ids: idRows(which.ids) });
  return tx.all(lockByNames, { names: namesJson(which.names) });
}

const removeExpired = statement<{ ids: string; now: string }>()((db, p, dialect) =>
  db
    .deleteFrom("concurrency_leases")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", (e) =>
      e
        .selectFrom("concurrency_leases as lease")
        .select("lease.id")
        .where("lease.workspace_id", "=", p.workspace_id)
        .where("lease.expires", "<=", p.now)
        .where("lease.id", "in", (inner) =>
          inner
            .selectFrom("concurrency_slots")
            .select("concurrency_slots.lease_id")
            .where("concurrency_slots.limit_id", "in", listedIds(dialect, p.ids)),
        )
        .orderBy("lease.id")
        .$if(dialect.locksRows, (query) => query.forUpdate()),
    ),
);

/** Takes the leases on these limits away that have run out: from here on nobody can renew them. */
export async function removeExpiredLeases(
  tx: Transaction,
  limitIds: readonly string[],
  now: string,
): Promise<number> {
  return tx.run(removeExpired, { ids: idRows(limitIds), now });
}

const insertLeaseRow = statement<ConcurrencyLeaseRow>()((db, p) =>
  db.insertInto("concurrency_leases").values(CONCURRENCY_LEASES.values(p)),
);

export async function insertLease(tx: Transaction, row: ConcurrencyLeaseRow): Promise<void> {
  await tx.run(insertLeaseRow, row);
}

const insertSlotRows = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .insertInto("concurrency_slots")
    .columns(["workspace_id", ...CONCURRENCY_SLOTS.columns])
    .expression((e) =>
      e
        .selectFrom(
          dialect
            .rowsFrom(CONCURRENCY_SLOTS.kinds, p.rows)
            .$castTo<ConcurrencySlotRow>()
            .as("item"),
        )
        .select((row) =>
          row.cast<string>(row.val(p.workspace_id), dialect.types.id as "text").as("workspace_id"),
        )
        .select(CONCURRENCY_SLOTS.columns),
    ),
);

export async function insertSlots(
  tx: Transaction,
  rows: readonly ConcurrencySlotRow[],
): Promise<void> {
  if (rows.length > 0) await tx.run(insertSlotRows, { rows: JSON.stringify(rows) });
}

/** What a limit knows of its use, beside the rows of its slots. */
const USAGE = [
  "decaying_slots",
  "decaying_since",
  "denied_slots",
  "denied_since",
  "avg_slot_occupancy_seconds",
] as const;
type LimitUsage = Pick<ConcurrencyLimitRow, "id" | (typeof USAGE)[number]>;

const changeLimit = statement<LimitUsage>()((db, p) =>
  db
    .updateTable("concurrency_limits")
    .set(pick(p, USAGE))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateLimitUsage(tx: Transaction, limit: LimitUsage): Promise<void> {
  await tx.run(changeLimit, limit);
}

const leaseLimits = statement<{ lease_id: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_slots")
    .innerJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
    .innerJoin("concurrency_limits", "concurrency_limits.id", "concurrency_slots.limit_id")
    .select(CONCURRENCY_LIMITS.qualified)
    .select([
      "concurrency_slots.id as slot_id",
      "concurrency_slots.slots",
      "concurrency_slots.key_value",
      "concurrency_leases.created as acquired",
    ])
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.lease_id", "=", p.lease_id)
    .orderBy("concurrency_limits.id")
    .$if(dialect.locksRows, (query) => query.forUpdate("concurrency_limits")),
);

/**
 * The limits a lease has slots of, with how many and since when, held until the transaction ends.
 */
export interface LeasedLimit extends ConcurrencyLimitRow {
  readonly slot_id: string;
  readonly slots: number;
  readonly key_value: string;
  readonly acquired: string;
}

export async function lockLimitsOfLease(tx: Transaction, leaseId: string): Promise<LeasedLimit[]> {
  return tx.all(leaseLimits, { lease_id: leaseId });
}

const holderLimits = statement<{ type: string; id: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_limits")
    .select("concurrency_limits.id")
    .where("concurrency_limits.workspace_id", "=", p.workspace_id)
    .where("concurrency_limits.id", "in", (e) =>
      e
        .selectFrom("concurrency_leases")
        .innerJoin("concurrency_slots", "concurrency_slots.lease_id", "concurrency_leases.id")
        .select("concurrency_slots.limit_id")
        .where("concurrency_leases.holder_id", "=", p.id)
        .where("concurrency_leases.holder_type", "=", p.type),
    )
    .orderBy("concurrency_limits.id")
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/**
 * Holds every limit of which somebody has slots, in the order of their ids, before any of them is
 * changed.
 */
export async function lockLimitsOfHolder(
  tx: Transaction,
  holder: { readonly type: string; readonly id: string },
): Promise<void> {
  await tx.all(holderLimits, { type: holder.type, id: holder.id });
}
