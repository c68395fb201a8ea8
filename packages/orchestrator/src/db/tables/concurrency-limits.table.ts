import { type ComputedField, column, defineTable, type RowOf } from "@orchestrator/kernel/storage";
import { sql } from "kysely";

const { flag, id, integer, json, real, text, time } = column;

/**
 * What is in use at the moment of the request: by the rows of the slots, or by what has not decayed
 * yet.
 */
const ACTIVE_SLOTS: ComputedField = {
  kind: "integer",
  expression({ dialect: { greatest, secondsBetween }, column: of, now }) {
    const elapsed = greatest(sql`0`, secondsBetween(of("decaying_since"), now));
    const decay = of("slot_decay_per_second");
    const left = greatest(sql`0`, sql`${of("decaying_slots")} - floor(${decay} * ${elapsed})`);
    const taken = sql`select cast(coalesce(sum(taken.slots), 0) as bigint) from concurrency_slots taken left join concurrency_leases lease on lease.id = taken.lease_id where taken.limit_id = ${of("id")} and (lease.expires is null or lease.expires > ${now})`;
    return sql`case when ${decay} > 0 then cast(${left} as bigint) else (${taken}) end`;
  },
};

const LIMIT: ComputedField = { kind: "integer", expression: ({ text }) => text("$.slot_limit") };

export const CONCURRENCY_LIMITS = defineTable("concurrency_limits", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  active: flag().changeable(),
  name: text().changeable(),
  slot_limit: integer().internal().changeable(),
  limit: LIMIT,
  active_slots: ACTIVE_SLOTS,
  slot_decay_per_second: real().changeable(),
  /**
   * For a limit that decays: so many slots were in use at `decaying_since`, fewer every second
   * after.
   */
  decaying_slots: real().internal().changeable(),
  decaying_since: time().internal().changeable(),
  denied_slots: real().internal().changeable(),
  denied_since: time().internal().changeable(),
  avg_slot_occupancy_seconds: real().internal(),
  /**
   * What of a run names whose slots it takes, as JSON text; null: the slots are there once for all.
   */
  key: json().orNull().changeable(),
});
export type ConcurrencyLimitRow = RowOf<typeof CONCURRENCY_LIMITS>;

/** Who holds slots, and until when unless it says more; null: until it gives them back. */
export const CONCURRENCY_LEASES = defineTable("concurrency_leases", {
  id: id(),
  created: time(),
  expires: time().orNull(),
  holder_type: text().orNull(),
  holder_id: id().orNull(),
});
export type ConcurrencyLeaseRow = RowOf<typeof CONCURRENCY_LEASES>;

/** Slots in use. Without a lease they have no holder, until as many are given back. */
export const CONCURRENCY_SLOTS = defineTable("concurrency_slots", {
  id: id(),
  created: time(),
  limit_id: id(),
  lease_id: id().orNull(),
  slots: integer(),
  /**
   * The value of the limit's key that they are for; empty: the limit has none, or the run has no
   * value of it.
   */
  key_value: text(),
});
export type ConcurrencySlotRow = RowOf<typeof CONCURRENCY_SLOTS>;
