import type { Queries, Transaction } from "@orchestrator/kernel";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import type { Histogram } from "./latency-histogram.rules.ts";
import { type Addition, emptyRollup, type Rollup, withAddition } from "./rollup.rules.ts";
import type { RollupRow, RollupSize } from "./rollups.table.ts";

const COLUMNS = [
  "monitor_id",
  "size",
  "start",
  "up_count",
  "degraded_count",
  "down_count",
  "inconclusive_count",
  "up_us",
  "degraded_us",
  "down_us",
  "latency_us",
  "latency_min_us",
  "latency_max_us",
  "latency",
] as const satisfies readonly (keyof RollupRow)[];

/** Those of the keys (a JSON array) that are there. */
const selectKeys = statement<{ monitor_id: string; keys: string }>()((db, p, dialect) =>
  db
    .selectFrom("result_rollups")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .where(
      sql<boolean>`(size, start) in (select wanted.size, wanted.start from ${dialect.rowsFrom({ size: "text", start: "time" }, p.keys)} as wanted)`,
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

/** Adds to the rollups of a monitor whose row is held, so that nobody else does at the same time. */
export async function addToRollups(
  tx: Transaction,
  monitor_id: string,
  additions: readonly Addition[],
): Promise<void> {
  if (additions.length === 0) return;
  const keys = JSON.stringify(additions.map(({ size, start }) => ({ size, start })));
  const found = await tx.all(selectKeys, { monitor_id, keys });
  const known = new Map(found.map((row) => [row.size + row.start, opened(row)]));
  const rows = additions.map((addition) => {
    const { size, start } = addition;
    const before = known.get(size + start) ?? emptyRollup({ monitor_id, size, start });
    return withAddition(before, addition);
  });
  await tx.run(upsert, { rows: JSON.stringify(rows) });
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
  return { ...row, latency: JSON.parse(row.latency) as Histogram };
}
