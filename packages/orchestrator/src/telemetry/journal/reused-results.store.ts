// Results of a run and of its subflows, for another run that makes the same calls.

import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { type Kysely, sql } from "kysely";
import { statement, type Tables } from "../../db/tables.ts";
import { RETURN } from "./journal.rules.ts";

/** Which results another run begins with. */
export interface ReusedResults {
  readonly flow_run_id: string;
  /** Later results are left out. */
  readonly before: string;
}

interface Copy extends ReusedResults {
  readonly copy_id: string;
}

/** Executors name longer keys by a digest, and an index of PostgreSQL holds no much longer ones. */
const MAX_KEY_BYTES = 1000;

/** The body of the flow executes, even where it has returned before. */
const isReused = sql<boolean>`(entry.key <> ${sql.lit(RETURN)} or family.prefix <> '')`;

/**
 * The run and its subflows. A subflow of the new run does not exist yet, so that its results are
 * copied into the journal of the run, under the call of the subflow: `flow load/0>fetch/0`.
 * SQLite reads tables of cross joins in the given order; by itself it begins with all runs.
 */
const family = (db: Kysely<Tables>, p: ReusedResults & { readonly workspace_id: string }) =>
  db.withRecursive("family(id, prefix)", (query) =>
    query
      .selectFrom("flow_runs as run")
      // Empty, with the collation that columns of text have.
      .select(["run.id", sql<string>`substr(run.name, 1, 0)`.as("prefix")])
      .where("run.workspace_id", "=", p.workspace_id)
      .where("run.id", "=", p.flow_run_id)
      .unionAll(
        query
          .selectFrom("family")
          .crossJoin("task_runs as call")
          .crossJoin("flow_runs as subflow")
          .select([
            "subflow.id",
            sql<string>`family.prefix || 'flow ' || call.task_key || '/' || call.dynamic_key || '>'`.as(
              "prefix",
            ),
          ])
          .whereRef("call.flow_run_id", "=", "family.id")
          .whereRef("subflow.parent_task_run_id", "=", "call.id")
          .where("subflow.workspace_id", "=", p.workspace_id)
          .where(sql<number>`octet_length(family.prefix)`, "<", MAX_KEY_BYTES),
      ),
  );

const found = (db: Kysely<Tables>, p: ReusedResults & { readonly workspace_id: string }) =>
  family(db, p)
    .selectFrom("family")
    .crossJoin("journal_entries as entry")
    .whereRef("entry.flow_run_id", "=", "family.id")
    .where("entry.workspace_id", "=", p.workspace_id)
    .where("entry.finished", "<", p.before)
    .where(isReused)
    .where(sql<number>`octet_length(family.prefix || entry.key)`, "<=", MAX_KEY_BYTES);

const size = statement<ReusedResults>()((db, p) =>
  found(db, p).select((e) => [
    e.fn.countAll<number>().as("entries"),
    sql<number>`coalesce(sum(octet_length(entry.value)), 0)`.as("bytes"),
  ]),
);

/** How much a copy of the results would be. */
export async function sizeOfResults(
  queries: Queries,
  results: ReusedResults,
): Promise<{ readonly entries: number; readonly bytes: number }> {
  const { entries, bytes } = (await queries.get(size, results)) ?? { entries: 0, bytes: 0 };
  return { entries: Number(entries), bytes: Number(bytes) };
}

const copy = statement<Copy>()((db, p) =>
  family(db, p)
    .insertInto("journal_entries")
    .columns([
      "workspace_id",
      "created",
      "flow_run_id",
      "key",
      "fingerprint",
      "task_run_id",
      "finished",
      "value",
    ])
    .expression((e) =>
      e
        .selectFrom("family" as never)
        .crossJoin("journal_entries as entry")
        .crossJoin("flow_runs as copy")
        .select([
          "copy.workspace_id",
          "copy.created",
          "copy.id",
          sql<string>`family.prefix || entry.key`.as("key"),
          "entry.fingerprint",
          "entry.task_run_id",
          "entry.finished",
          "entry.value",
        ])
        .whereRef("entry.flow_run_id", "=", "family.id" as never)
        .where("copy.id", "=", p.copy_id)
        .where("copy.workspace_id", "=", p.workspace_id)
        .where("entry.workspace_id", "=", p.workspace_id)
        .where("entry.finished", "<", p.before)
        .where(isReused)
        .where(sql<number>`octet_length(family.prefix || entry.key)`, "<=", MAX_KEY_BYTES)
        // Of a subflow that ran twice the later result counts.
        .orderBy("entry.finished", "desc"),
    )
    .onConflict((conflict) => conflict.columns(["flow_run_id", "key"]).doNothing()),
);

/** Copies the results in one statement. */
export function copyResults(tx: Transaction, results: Copy): void {
  tx.enqueue(copy, results);
}
