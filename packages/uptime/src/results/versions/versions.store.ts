import type { InstanceVersion } from "@orchestrator/contract";
import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { VersionRow } from "../../db/tables/versions.table.ts";
import { statement } from "../../db/tables.ts";

/**
 * A change is a row; a result with the version that is known already, or one that comes late, adds
 * none.
 */
const insert = statement<VersionRow>()((db, p, dialect) => {
  // What is only selected has no column to take its type from.
  const id = (value: string) => sql<string>`cast(${value} as ${sql.raw(dialect.types.id)})`;
  const text = (value: string) => sql<string>`cast(${value} as text)`;
  return db
    .insertInto("instance_versions")
    .columns([
      "workspace_id",
      "monitor_id",
      "check_name",
      "since",
      "version",
      "revision",
      "build_time",
    ])
    .expression(
      db
        .selectNoFrom([
          id(p.workspace_id).as("workspace_id"),
          id(p.monitor_id).as("monitor_id"),
          text(p.check_name).as("check_name"),
          text(p.since).as("since"),
          text(p.version).as("version"),
          text(p.revision).as("revision"),
          text(p.build_time).as("build_time"),
        ])
        .where((e) => {
          const latest = db
            .selectFrom("instance_versions")
            .select(["since", "version", "revision"])
            .where("workspace_id", "=", p.workspace_id)
            .where("monitor_id", "=", p.monitor_id)
            .where("check_name", "=", p.check_name)
            .orderBy("since", "desc")
            .limit(sql.lit(1));
          const isKnown = sql<boolean>`latest.since >= ${p.since} or (latest.version = ${p.version} and latest.revision = ${p.revision})`;
          return e.not(
            e.exists(
              db.selectFrom(latest.as("latest")).select(sql.lit(1).as("one")).where(isKnown),
            ),
          );
        }),
    );
});

/**
 * In the order in which they were seen. Only instances tell of versions, so each is a statement.
 */
export async function insertVersions(tx: Transaction, rows: readonly VersionRow[]): Promise<void> {
  for (const row of rows) tx.enqueue(insert, row);
}

const select = statement<{ monitor_id: string; limit: number }>()((db, p) =>
  db
    .selectFrom("instance_versions")
    .select((e) => [
      "check_name as check",
      "version",
      "revision",
      "build_time",
      "since as from",
      e.fn
        .agg<string | null>("lead", ["since"])
        .over((over) => over.partitionBy("check_name").orderBy("since"))
        .as("until"),
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .orderBy("since", "desc")
    .orderBy("check_name")
    .limit(p.limit),
);

/** The newest first. */
export async function listVersions(
  queries: Queries,
  asked: { readonly monitor_id: string; readonly limit: number },
): Promise<InstanceVersion[]> {
  const rows = await queries.all(select, asked);
  return rows.map(({ revision, build_time, ...rest }) => ({
    ...rest,
    revision: revision === "" ? null : revision,
    build_time: build_time === "" ? null : build_time,
  }));
}

const deleteInstanceVersionRow = statement<{ monitor_id: string }>()((db, p) =>
  db
    .deleteFrom("instance_versions")
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id),
);

export async function deleteVersions(tx: Transaction, monitor_id: string): Promise<void> {
  await tx.run(deleteInstanceVersionRow, { monitor_id });
}
