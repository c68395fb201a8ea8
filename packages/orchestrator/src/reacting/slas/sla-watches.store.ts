// Runs under SLAs: which they are, and what is known of each.

import {
  type Database,
  idRows,
  idTable,
  listedIds,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { SLA_WATCHES, type SlaRow, type SlaWatchRow } from "../../db/tables/slas.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";

const anyEnabled = systemStatement()((db) =>
  db.selectFrom("slas").select("id").where("enabled", "=", true).limit(1),
);

/** Mostly there is none, and nothing is to be done. */
export async function hasSlas({ system }: Pick<Database, "system">): Promise<boolean> {
  return (await system.get(anyEnabled, {})) !== undefined;
}

/** One run under one SLA. */
export interface SlaRunPair {
  readonly sla_id: string;
  readonly flow_run_id: string;
}

const pairsOfRuns = systemStatement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom(idTable(dialect, p.ids))
    .innerJoin("flow_runs", "flow_runs.id", "listed.id")
    .innerJoin("slas", "slas.deployment_id", "flow_runs.deployment_id")
    .select(["slas.id as sla_id", "flow_runs.id as flow_run_id"])
    .where("slas.enabled", "=", true),
);

/** The SLAs that some runs are under. */
export function findPairs(tx: SystemTransaction, runIds: readonly string[]): Promise<SlaRunPair[]> {
  return tx.all(pairsOfRuns, { ids: idRows(runIds) });
}

const lock = systemStatement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("slas")
    .select([
      "id",
      "workspace_id",
      "deployment_id",
      "name",
      "kind",
      "seconds",
      "severity",
      "since",
      "due",
      "violated",
      "violation_id",
    ])
    .where("id", "in", listedIds(dialect, p.ids))
    .where("enabled", "=", true)
    .orderBy("id")
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

export type LockedSla = Pick<
  SlaRow,
  | "id"
  | "deployment_id"
  | "name"
  | "kind"
  | "seconds"
  | "severity"
  | "since"
  | "due"
  | "violated"
  | "violation_id"
> & { readonly workspace_id: string };

/**
 * Those of the SLAs that are still enabled, held until the transaction ends. What is read
 * afterwards is up to date.
 */
export async function lockSlas(
  tx: SystemTransaction,
  ids: readonly string[],
): Promise<Map<string, LockedSla>> {
  const rows = await tx.all(lock, { ids: idRows(new Set(ids)) });
  return new Map(rows.map((row) => [row.id, row]));
}

const PAIR_FIELDS = { sla_id: "id", flow_run_id: "id" } as const;

const runs = systemStatement<{ pairs: string }>()((db, p, dialect) =>
  db
    .selectFrom(dialect.rowsFrom(PAIR_FIELDS, p.pairs).$castTo<SlaRunPair>().as("pair"))
    .innerJoin("flow_runs", "flow_runs.id", "pair.flow_run_id")
    .leftJoin("sla_watches", (join) =>
      join
        .onRef("sla_watches.sla_id", "=", "pair.sla_id")
        .onRef("sla_watches.flow_run_id", "=", "pair.flow_run_id"),
    )
    .select([
      "pair.sla_id",
      "flow_runs.id",
      "flow_runs.name",
      "flow_runs.state_type",
      "flow_runs.state_timestamp",
      "flow_runs.run_count",
      "flow_runs.expected_start_time",
      "flow_runs.start_time",
      "flow_runs.end_time",
      "flow_runs.total_run_time",
      "sla_watches.since as watch_since",
      "sla_watches.due as watch_due",
      "sla_watches.violated as watch_violated",
      "sla_watches.violation_id as watch_violation_id",
    ])
    .orderBy("flow_runs.end_time"),
);

export type WatchedRun = Awaited<ReturnType<typeof readRuns>>[number];

/** The runs as they are now, each with its watch where it has one. */
export function readRuns(tx: SystemTransaction, pairs: readonly SlaRunPair[]) {
  return tx.all(runs, { pairs: JSON.stringify(pairs) });
}

const dueWatches = systemStatement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("sla_watches")
    .select(["sla_id", "flow_run_id"])
    .where("due", "is not", null)
    .where("due", "<=", p.now)
    .orderBy("due")
    .limit(p.limit),
);

/** The runs whose bound has passed. */
export function findDueWatches(
  { system }: Pick<Database, "system">,
  page: { readonly now: string; readonly limit: number },
): Promise<SlaRunPair[]> {
  return system.all(dueWatches, page);
}

const dueSlas = systemStatement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("slas")
    .select("id")
    .where("due", "is not", null)
    .where("due", "<=", p.now)
    .where("enabled", "=", true)
    .orderBy("due")
    .limit(p.limit),
);

/** The SLAs whose deployment is to be looked at. */
export function findDueSlas(
  { system }: Pick<Database, "system">,
  page: { readonly now: string; readonly limit: number },
) {
  return system.all(dueSlas, page);
}

interface Looking {
  readonly sla_id: string;
  readonly deployment_id: string;
  readonly now: string;
  readonly limit: number;
}

const waiting = statement<Looking>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("deployment_id", "=", p.deployment_id)
    .where("state_type", "=", sql.lit("SCHEDULED" as const))
    .where("next_scheduled_start_time", "<=", p.now)
    .where("start_time", "is", null)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("sla_watches")
            .select("sla_watches.sla_id")
            .where("sla_watches.sla_id", "=", p.sla_id)
            .whereRef("sla_watches.flow_run_id", "=", "flow_runs.id"),
        ),
      ),
    )
    .orderBy("next_scheduled_start_time")
    .limit(p.limit),
);

/**
 * Runs that should have begun and are not watched: those that schedules create are in no event
 * before they do.
 */
export async function findUnwatchedWaiting(tx: Transaction, looking: Looking): Promise<string[]> {
  return (await tx.all(waiting, looking)).map(({ id }) => id);
}

const underWay = (state: "PENDING" | "RUNNING") =>
  statement<Omit<Looking, "now">>()((db, p, dialect) =>
    db
      .selectFrom("flow_runs")
      .select("id")
      .where("workspace_id", "=", p.workspace_id)
      .where("state_type", "=", sql.lit(state))
      .where("start_time", state === "PENDING" ? "is" : "is not", null)
      // Found by their state: a deployment has many more runs that have ended.
      .where(sql<boolean>`${sql.raw(dialect.isCommon("deployment_id"))} = ${p.deployment_id}`)
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom("sla_watches")
              .select("sla_watches.sla_id")
              .where("sla_watches.sla_id", "=", p.sla_id)
              .whereRef("sla_watches.flow_run_id", "=", "flow_runs.id"),
          ),
        ),
      )
      .limit(p.limit),
  );
const running = underWay("RUNNING");
const claimed = underWay("PENDING");

/** Runs that somebody works on, that an SLA of the kind is about and does not watch. */
export async function findUnderWay(
  tx: Transaction,
  kind: SlaRow["kind"],
  { sla_id, deployment_id, limit }: Looking,
): Promise<string[]> {
  const found = await tx.all(kind === "lateness" ? claimed : running, {
    sla_id,
    deployment_id,
    limit,
  });
  return found.map(({ id }) => id);
}

const put = statement<SlaWatchRow>()((db, p) =>
  db
    .insertInto("sla_watches")
    .values(SLA_WATCHES.values(p))
    .onConflict((conflict) =>
      conflict.columns(["sla_id", "flow_run_id"]).doUpdateSet((e) => ({
        since: e.ref("excluded.since"),
        due: e.ref("excluded.due"),
        violated: e.ref("excluded.violated"),
        violation_id: e.ref("excluded.violation_id"),
      })),
    ),
);

export async function putWatch(tx: Transaction, watch: SlaWatchRow): Promise<void> {
  await tx.run(put, watch);
}

const deleteSlaWatchRow = statement<SlaRunPair>()((db, p) =>
  db
    .deleteFrom("sla_watches")
    .where("workspace_id", "=", p.workspace_id)
    .where("sla_id", "=", p.sla_id)
    .where("flow_run_id", "=", p.flow_run_id),
);

export async function removeWatch(
  tx: Transaction,
  { sla_id, flow_run_id }: SlaRunPair,
): Promise<void> {
  await tx.run(deleteSlaWatchRow, { sla_id, flow_run_id });
}
