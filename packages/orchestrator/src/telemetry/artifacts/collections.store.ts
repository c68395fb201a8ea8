import type { ArtifactCollection } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import {
  ARTIFACT_COLLECTIONS,
  type ArtifactCollectionRow,
  type ArtifactRow,
  LATEST_ARTIFACT_FIELDS,
} from "../../db/tables/artifacts.table.ts";
import { statement } from "../../db/tables.ts";
import type { CollectionChange } from "./artifacts.events.ts";

const NEWER = sql`excluded.latest_id > artifact_collections.latest_id`;

const upsert = statement<ArtifactCollectionRow>()((db, p) =>
  db
    .insertInto("artifact_collections")
    .values(ARTIFACT_COLLECTIONS.values(p))
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "key"]).doUpdateSet({
        latest_id: sql`case when ${NEWER} then excluded.latest_id else artifact_collections.latest_id end`,
        updated: sql`case when ${NEWER} then excluded.updated else artifact_collections.updated end`,
      }),
    )
    .returning(["id", "latest_id"]),
);

/**
 * Makes an artifact the latest of its key, unless a newer one is. Ids tell which is newer: they
 * count up with time.
 */
export async function pointCollectionAt(
  tx: Transaction,
  latest: ArtifactRow & { readonly key: string },
  newId: string,
): Promise<CollectionChange | null> {
  const { id: latest_id, created, key } = latest;
  const row = { id: newId, created, updated: created, key, latest_id };
  const stored = (await tx.get(upsert, row)) ?? row;
  if (stored.latest_id !== latest_id) return null;
  return { verb: stored.id === newId ? "created" : "updated", id: stored.id, key, latest };
}

const recordByKey = statement<{ key: string }>()((db, p, dialect) =>
  db
    .selectFrom("latest_artifacts")
    .select(
      recordSql(dialect, { fields: LATEST_ARTIFACT_FIELDS, table: "latest_artifacts" }).as("json"),
    )
    .where("workspace_id", "=", p.workspace_id)
    .where("key", "=", p.key),
);

export async function findCollection(
  queries: Queries,
  key: string,
): Promise<JsonText<ArtifactCollection> | null> {
  const row = await queries.get(recordByKey, { key });
  return row?.json ?? null;
}

const lockByKey = statement<{ key: string }>()((db, p, dialect) =>
  db
    .selectFrom("artifact_collections")
    .select(["id", "latest_id"])
    .where("workspace_id", "=", p.workspace_id)
    .where("key", "=", p.key)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** Held until the transaction ends: what is the latest of the key does not change meanwhile. */
export async function lockCollection(
  tx: Transaction,
  key: string,
): Promise<Pick<ArtifactCollectionRow, "id" | "latest_id"> | null> {
  return (await tx.get(lockByKey, { key })) ?? null;
}

type Repoint = Pick<ArtifactCollectionRow, "id" | "latest_id" | "updated">;

const repoint = statement<Repoint>()((db, p) =>
  db
    .updateTable("artifact_collections")
    .set({ latest_id: p.latest_id, updated: p.updated })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function repointCollection(tx: Transaction, change: Repoint): Promise<void> {
  await tx.run(repoint, change);
}

const deleteArtifactCollectionRow = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("artifact_collections")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function removeCollectionRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteArtifactCollectionRow, { id });
}
