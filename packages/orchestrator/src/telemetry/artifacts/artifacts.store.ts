import type { Artifact, JsonValue } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import {
  type ChangesOf,
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { ARTIFACTS, type ArtifactRow } from "../../db/tables/artifacts.table.ts";
import { statement } from "../../db/tables.ts";
import type { CollectionChange } from "./artifacts.events.ts";
import { resultContent } from "./artifacts.rules.ts";
import { pointCollectionAt } from "./collections.store.ts";

const insert = statement<ArtifactRow>()((db, p) =>
  db.insertInto("artifacts").values(ARTIFACTS.values(p)),
);

/**
 * Adds an artifact and makes it the latest of its key. Returns what became of the key's collection:
 * null without a key, and when a newer artifact got there first. `collectionId` is for a collection
 * that is new.
 */
export async function insertArtifact(
  tx: Transaction,
  row: ArtifactRow,
  collectionId: string,
): Promise<CollectionChange | null> {
  await tx.run(insert, row);
  return row.key === null ? null : pointCollectionAt(tx, { ...row, key: row.key }, collectionId);
}

/** A run's result, to be kept as an artifact of the run. */
export interface ResultArtifact {
  readonly id: string;
  /** For the collection of a result that brings a key of its own. */
  readonly collectionId: string;
  readonly now: string;
  readonly result: JsonValue;
  readonly flow_run_id: string | null;
  readonly task_run_id: string | null;
}

/**
 * Keeps a run's result inside the transaction that changes the run. Tells what `insertArtifact`
 * tells.
 */
export async function insertResultArtifact(
  tx: Transaction,
  { id, collectionId, now, result, flow_run_id, task_run_id }: ResultArtifact,
): Promise<CollectionChange | null> {
  const { data, ...about } = resultContent(result);
  const row: ArtifactRow = {
    id,
    created: now,
    updated: now,
    ...about,
    data: data === null ? null : writeJson(data),
    metadata_: null,
    flow_run_id,
    task_run_id,
  };
  return insertArtifact(tx, row, collectionId);
}

const recordById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("artifacts")
    .select(recordSql(dialect, { fields: ARTIFACTS.fields, table: "artifacts" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findArtifact(
  queries: Queries,
  id: string,
): Promise<JsonText<Artifact> | null> {
  const row = await queries.get(recordById, { id });
  return row?.json ?? null;
}

const dataById = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("artifacts")
    .select("data")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** The data of an artifact alone, such as a run's result; null when there is none. */
export async function findArtifactData(
  queries: Queries,
  id: string,
): Promise<JsonText<JsonValue> | null> {
  const row = await queries.get(dataById, { id });
  return row?.data ?? null;
}

const lockById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("artifacts")
    .select(ARTIFACTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockArtifact(tx: Transaction, id: string): Promise<ArtifactRow | null> {
  return (await tx.get(lockById, { id })) ?? null;
}

const newestOfKey = statement<{ key: string }>()((db, p) =>
  db
    .selectFrom("artifacts")
    .select(ARTIFACTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("key", "=", p.key)
    .orderBy("id", "desc")
    .limit(1),
);

export async function findNewestArtifact(
  tx: Transaction,
  key: string,
): Promise<ArtifactRow | null> {
  return (await tx.get(newestOfKey, { key })) ?? null;
}

const update = statement<Pick<ArtifactRow, "id"> & ChangesOf<typeof ARTIFACTS>>()((db, p) =>
  db
    .updateTable("artifacts")
    .set(ARTIFACTS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateArtifactRow(tx: Transaction, row: ArtifactRow): Promise<void> {
  await tx.run(update, row);
}

const deleteArtifactRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("artifacts").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeArtifactRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteArtifactRow, { id });
}
