import { idRows, listedIds, type Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";
import { NO_VALUE } from "./limit-keys.rules.ts";
import { nameRows, namesJson } from "./slot-rows.store.ts";

const sums = (now: string) =>
  [
    sql<number>`cast(sum(concurrency_slots.slots) as bigint)`.as("slots"),
    sql<number>`cast(sum(case when concurrency_leases.expires <= ${now} then concurrency_slots.slots else 0 end) as bigint)`.as(
      "expired",
    ),
  ] as const;

const usage = statement<{ ids: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_slots")
    .leftJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
    .select(["concurrency_slots.limit_id", ...sums(p.now)])
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.limit_id", "in", listedIds(dialect, p.ids))
    .groupBy("concurrency_slots.limit_id"),
);

const usageOfValues = statement<{ ids: string; values: string; now: string }>()((db, p, dialect) =>
  db
    .selectFrom("concurrency_slots")
    .leftJoin("concurrency_leases", "concurrency_leases.id", "concurrency_slots.lease_id")
    .select(["concurrency_slots.limit_id", "concurrency_slots.key_value", ...sums(p.now)])
    .where("concurrency_slots.workspace_id", "=", p.workspace_id)
    .where("concurrency_slots.limit_id", "in", listedIds(dialect, p.ids))
    .where("concurrency_slots.key_value", "in", (e) =>
      e.selectFrom(nameRows(dialect, p.values)).select("wanted.name"),
    )
    .groupBy(["concurrency_slots.limit_id", "concurrency_slots.key_value"]),
);

/** All the slots of a limit that are taken, and how many of them by leases that have run out. */
export interface SlotUsage {
  readonly slots: number;
  readonly expired: number;
}

const UNUSED: SlotUsage = { slots: 0, expired: 0 };

/** What is in use of a limit, or, where it has a key, of one value of the key. */
export type UsageOf = (limit: ConcurrencyLimitRow, value: string) => SlotUsage;

export async function readUsage(
  queries: Queries,
  request: {
    readonly limits: readonly ConcurrencyLimitRow[];
    /** The values that will be asked for. */
    readonly values: readonly string[];
    readonly now: string;
  },
): Promise<UsageOf> {
  const { limits, values, now } = request;
  const found = new Map<string, SlotUsage>();
  const [whole, keyed] = [limits.filter(isWhole), limits.filter((limit) => !isWhole(limit))];
  const idsOf = (some: typeof limits): string => idRows(some.map(({ id }) => id));
  if (whole.length > 0)
    for (const row of await queries.all(usage, { ids: idsOf(whole), now }))
      found.set(placeOf(row.limit_id, NO_VALUE), row);
  if (keyed.length > 0) {
    const wanted = { ids: idsOf(keyed), values: namesJson(values), now };
    for (const row of await queries.all(usageOfValues, wanted))
      found.set(placeOf(row.limit_id, row.key_value), row);
  }
  return (limit, value) =>
    found.get(placeOf(limit.id, isWhole(limit) ? NO_VALUE : value)) ?? UNUSED;
}

const isWhole = ({ key }: ConcurrencyLimitRow): boolean => key === null;
const placeOf = (limitId: string, value: string): string => `${limitId} ${value}`;
