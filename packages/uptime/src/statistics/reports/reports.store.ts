import type { Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";
import type { IncidentFigures } from "./sla.rules.ts";

interface After {
  readonly created_at: string;
  readonly id: string;
}

const page = statement<After & { limit: number }>()((db, p) =>
  db
    .selectFrom("monitors")
    .select(["id", "created_at", "name", "tags"])
    .where("workspace_id", "=", p.workspace_id)
    .where(sql<boolean>`(created_at, id) > (${p.created_at}, ${p.id})`)
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.limit),
);

export const BEFORE_ALL_MONITORS: After = {
  created_at: "",
  id: "00000000-0000-0000-0000-000000000000",
};

/** The monitors that follow, the oldest first. */
export function listMonitorsAfter(queries: Queries, after: After, limit: number) {
  return queries.all(page, { created_at: after.created_at, id: after.id, limit });
}

interface Range {
  readonly monitor_id: string;
  readonly from: string;
  readonly until: string;
}

const summary = statement<Range>()((db, p, dialect) => {
  const seconds = (from: string, to: string) => dialect.secondsBetween(sql.raw(from), sql.raw(to));
  return db
    .selectFrom((e) =>
      e
        .selectFrom("incidents")
        .select([
          "started_at",
          "ended_at",
          sql<string>`case when started_at < ${p.from} then ${p.from} else started_at end`.as(
            "begun",
          ),
          sql<string>`case when ended_at is null or ended_at > ${p.until} then ${p.until} else ended_at end`.as(
            "over",
          ),
          sql<boolean>`ended_at is not null and ended_at <= ${p.until}`.as("is_repaired"),
        ])
        .where("workspace_id", "=", p.workspace_id)
        .where("monitor_id", "=", p.monitor_id)
        .where("started_at", "<", p.until)
        .where((w) => w.or([w("ended_at", "is", null), w("ended_at", ">", p.from)]))
        .as("met"),
    )
    .select((e) => [
      e.fn.countAll<number>().as("count"),
      sql<number | null>`max(${seconds("begun", "over")})`.as("longest"),
      sql<
        number | null
      >`avg(case when is_repaired then ${seconds("started_at", "ended_at")} end)`.as(
        "meanToRepair",
      ),
    ]);
});

/** Of the incidents that lasted at least for a while within the range. */
export async function readIncidentFigures(
  queries: Queries,
  range: Range,
): Promise<IncidentFigures> {
  const [figures] = await queries.all(summary, range);
  return figures ?? { count: 0, longest: null, meanToRepair: null };
}
