import type { ComputedField, Fields } from "@orchestrator/kernel/storage";
import type { Generated } from "kysely";

export interface ConcurrencyLimitRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly slot_limit: number;
  readonly active: boolean;
  readonly slot_decay_per_second: number;
  /** For a limit that decays: so many slots were in use at `decaying_since`, fewer every second after. */
  readonly decaying_slots: number;
  readonly decaying_since: string;
  readonly denied_slots: number;
  readonly denied_since: string;
  readonly avg_slot_occupancy_seconds: number;
  /** What of a run tells whose slots it takes, as JSON text; null: the slots are there once for all. */
  readonly key: string | null;
}

/** Who holds slots, and until when unless it says more; null: until it gives them back. */
export interface ConcurrencyLeaseRow {
  readonly id: string;
  readonly created: string;
  readonly expires: string | null;
  readonly holder_type: string | null;
  readonly holder_id: string | null;
}

/** Slots in use. Without a lease they are held by nobody in particular, until somebody gives back as many. */
export interface ConcurrencySlotRow {
  readonly id: string;
  readonly created: string;
  readonly limit_id: string;
  readonly lease_id: string | null;
  readonly slots: number;
  /** The value of the limit's key that they are for; empty: the limit has none, or the run has no value of it. */
  readonly key_value: string;
}

/** Which value of a limit's key a flow run was last refused a slot of. */
export interface AwaitedValue {
  readonly awaited_value: Generated<string>;
}

/** What is in use at the moment of the request: by the rows of the slots, or by what has not decayed yet. */
const ACTIVE_SLOTS: ComputedField = {
  kind: "integer",
  expression: (dialect) => {
    const { greatest, secondsBetween } = dialect;
    const elapsed = greatest("0", secondsBetween("$.decaying_since", ":now"));
    const gone = `floor($.slot_decay_per_second * ${elapsed})`;
    return (
      `case when $.slot_decay_per_second > 0 then cast(${greatest("0", `$.decaying_slots - ${gone}`)} as bigint) else ` +
      "(select cast(coalesce(sum(taken.slots), 0) as bigint) from concurrency_slots taken" +
      " left join concurrency_leases lease on lease.id = taken.lease_id" +
      " where taken.limit_id = $.id and (lease.expires is null or lease.expires > :now)) end"
    );
  },
};

const LIMIT: ComputedField = { kind: "integer", expression: () => "$.slot_limit" };

/** The record on the wire, in this order. */
export const CONCURRENCY_LIMIT_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  active: "flag",
  name: "text",
  limit: LIMIT,
  active_slots: ACTIVE_SLOTS,
  slot_decay_per_second: "real",
  key: "json",
} as const satisfies Fields;
