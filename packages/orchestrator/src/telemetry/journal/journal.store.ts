import { idRows, listedIds, type Queries, type Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { JournalEntryRow } from "../../db/tables/journal-entries.table.ts";
import { statement } from "../../db/tables.ts";

const ENTRY = {
  created: "time",
  flow_run_id: "id",
  key: "text",
  fingerprint: "text",
  task_run_id: "id",
  finished: "time",
  value: "text",
} as const;

/** The last result of a call counts: at the same place, other arguments are another call. */
const upsert = statement<{ rows: string }>()((db, p, dialect) =>
  db
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
        .selectFrom(dialect.rowsFrom(ENTRY, p.rows).$castTo<JournalEntryRow>().as("sent"))
        // In this order: SQLite would rather look through all runs of the workspace.
        .crossJoin("flow_runs as run")
        .whereRef("run.id", "=", "sent.flow_run_id")
        .select([
          "run.workspace_id",
          "sent.created",
          "run.id",
          "sent.key",
          "sent.fingerprint",
          "sent.task_run_id",
          "sent.finished",
          "sent.value",
        ])
        .where("run.workspace_id", "=", p.workspace_id),
    )
    .onConflict((conflict) =>
      conflict.columns(["flow_run_id", "key"]).doUpdateSet((e) => ({
        created: e.ref("excluded.created"),
        fingerprint: e.ref("excluded.fingerprint"),
        task_run_id: e.ref("excluded.task_run_id"),
        finished: e.ref("excluded.finished"),
        value: e.ref("excluded.value"),
      })),
    ),
);

/** Writes entries of runs that exist. */
export function upsertEntries(tx: Transaction, rows: readonly JournalEntryRow[]): void {
  // One statement must not write a row twice.
  const byPlace = new Map(rows.map((row) => [`${row.flow_run_id} ${row.key}`, row]));
  if (byPlace.size > 0) tx.enqueue(upsert, { rows: JSON.stringify([...byPlace.values()]) });
}

const holders = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("flow_runs")
    .select(["id", "state"])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids))
    .orderBy("id")
    // Until the commit no other executor can claim the run.
    .$if(dialect.locksRows, (query) => query.forShare()),
);

/** The present states of runs, as JSON. */
export async function lockRunStates(
  tx: Transaction,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx.all(holders, { ids: idRows(ids) });
  return new Map(rows.map(({ id, state }) => [id, state]));
}

interface EntryPage {
  readonly flow_run_id: string;
  readonly after: string;
  readonly limit: number;
}

const page = statement<EntryPage>()((db, p) =>
  db
    .selectFrom("journal_entries")
    .select(["key", "fingerprint", "task_run_id", "finished", "value"])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("key", ">", p.after)
    .orderBy("key")
    .limit(p.limit),
);

/** Entries of a run behind a key, in the order of their keys. */
export async function listEntries(
  queries: Queries,
  request: EntryPage,
): Promise<Omit<JournalEntryRow, "created" | "flow_run_id">[]> {
  return queries.all(page, request);
}

const one = statement<{ flow_run_id: string; key: string }>()((db, p) =>
  db
    .selectFrom("journal_entries")
    .select(["key", "fingerprint", "task_run_id", "finished", "value"])
    .where("workspace_id", "=", p.workspace_id)
    .where("flow_run_id", "=", p.flow_run_id)
    .where("key", "=", p.key),
);

export async function findEntry(
  queries: Queries,
  place: { readonly flow_run_id: string; readonly key: string },
): Promise<Omit<JournalEntryRow, "created" | "flow_run_id"> | null> {
  return (await queries.get(one, place)) ?? null;
}

const runExists = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("flow_runs")
    .select(sql<number>`1`.as("one"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function hasRun(queries: Queries, id: string): Promise<boolean> {
  return (await queries.get(runExists, { id })) !== undefined;
}
