import { pick, type Queries, type Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { RollupRow, RollupSize } from "../../db/tables/rollups.table.ts";
import { statement } from "../../db/tables.ts";
import type { Histogram } from "./latency-histogram.rules.ts";
import { addTo, emptyRollup, type Rollup, type RollupIncrement } from "./rollup.rules.ts";

const COLUMNS = [
  "monitor_id",
  "size",
  "start",
  "up_count",
  "degraded_count",
  "down_count",
  "inconclusive_count",
  "maintenance_count",
  "up_us",
  "degraded_us",
  "down_us",
  "latency_us",
  "latency_min_us",
  "latency_max_us",
  "latency",
] as const satisfies readonly (keyof RollupRow)[];

const KEY = { monitor_id: "id", size: "text", start: "time" } as const;

/** Those of the keys (a JSON array) that are there. */
const selectKeys = statement<{ keys: string }>()((db, p, dialect) =>
  db
    .selectFrom("result_rollups")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where(
      sql<boolean>`(monitor_id, size, start) in (select wanted.monitor_id, wanted.size, wanted.start from ${dialect.rowsFrom(KEY, p.keys)} as wanted)`,
    ),
);

const FIELDS = {
  monitor_id: "id",
  size: "text",
  start: "time",
  up_count: "integer",
  degraded_count: "integer",
  down_count: "integer",
  inconclusive_count: "integer",
  maintenance_count: "integer",
  up_us: "integer",
  degraded_us: "integer",
  down_us: "integer",
  latency_us: "integer",
  latency_min_us: "integer",
  latency_max_us: "integer",
  latency: "json",
} as const satisfies Record<keyof RollupRow, string>;

const REPLACED = {
  up_count: sql.ref<number>("excluded.up_count"),
  degraded_count: sql.ref<number>("excluded.degraded_count"),
  down_count: sql.ref<number>("excluded.down_count"),
  inconclusive_count: sql.ref<number>("excluded.inconclusive_count"),
  maintenance_count: sql.ref<number>("excluded.maintenance_count"),
  up_us: sql.ref<number>("excluded.up_us"),
  degraded_us: sql.ref<number>("excluded.degraded_us"),
  down_us: sql.ref<number>("excluded.down_us"),
  latency_us: sql.ref<number>("excluded.latency_us"),
  latency_min_us: sql.ref<number | null>("excluded.latency_min_us"),
  latency_max_us: sql.ref<number | null>("excluded.latency_max_us"),
  latency: sql.ref<string>("excluded.latency"),
};

const upsert = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .insertInto("result_rollups")
    .columns(["workspace_id", ...COLUMNS])
    .expression((e) =>
      e
        .selectFrom(dialect.rowsFrom(FIELDS, p.rows).$castTo<RollupRow>().as("item"))
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          ...COLUMNS,
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(["monitor_id", "size", "start"]).doUpdateSet(REPLACED),
    ),
);

/** What is added to a rollup of one monitor. */
export interface MonitorRollupIncrement {
  readonly monitor_id: string;
  readonly addition: RollupIncrement;
}

/**
 * Adds to the rollups of monitors whose rows are held, so that nobody else does at the same time.
 */
export async function addToRollups(
  tx: Transaction,
  additions: readonly MonitorRollupIncrement[],
): Promise<void> {
  if (additions.length === 0) return;
  const rollups = new Map<string, Rollup>();
  for (const { monitor_id, addition } of additions) {
    const { size, start } = addition;
    rollups.set(monitor_id + size + start, emptyRollup({ monitor_id, size, start }));
  }
  const keys = JSON.stringify(
    Array.from(rollups.values(), ({ monitor_id, size, start }) => ({ monitor_id, size, start })),
  );
  for (const row of await tx.all(selectKeys, { keys }))
    rollups.set(row.monitor_id + row.size + row.start, opened(row));
  for (const { monitor_id, addition } of additions) {
    const key = monitor_id + addition.size + addition.start;
    const rollup = rollups.get(key);
    if (rollup !== undefined) addTo(rollup, addition);
  }
  await saveRollups(tx, [...rollups.values()]);
}

const upsertOne = statement<RollupRow>()((db, p) =>
  db
    .insertInto("result_rollups")
    .values({ workspace_id: p.workspace_id, ...pick(p, COLUMNS) })
    .onConflict((conflict) =>
      conflict.columns(["monitor_id", "size", "start"]).doUpdateSet(REPLACED),
    ),
);

/**
 * A statement for each where it is a call within this process, one for all where it is a round
 * trip.
 */
async function saveRollups(tx: Transaction, rows: readonly Rollup[]): Promise<void> {
  if (tx.dialect.isRemote) tx.enqueue(upsert, { rows: JSON.stringify(rows) });
  else
    for (const row of rows)
      tx.enqueue(upsertOne, Object.assign(row, { latency: JSON.stringify(row.latency) }));
}

interface Range {
  readonly monitor_id: string;
  readonly size: RollupSize;
  readonly from: string;
  readonly until: string;
}

const selectRange = statement<Range>()((db, p) =>
  db
    .selectFrom("result_rollups")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .where("size", "=", p.size)
    .where("start", ">=", p.from)
    .where("start", "<", p.until)
    .orderBy("start"),
);

/** Those that begin within a range, oldest first. */
export async function listRollups(queries: Queries, range: Range): Promise<Rollup[]> {
  return (await queries.all(selectRange, range)).map(opened);
}

function opened(row: RollupRow): Rollup {
  return Object.assign(row, { latency: JSON.parse(row.latency) as Histogram });
}
