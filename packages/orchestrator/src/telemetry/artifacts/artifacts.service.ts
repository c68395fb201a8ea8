import type {
  Artifact,
  ArtifactCollection,
  ArtifactCreate,
  ArtifactUpdate,
} from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { ArtifactRow } from "../../db/tables/artifacts.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { type CollectionChange, collectionEvent } from "./artifacts.events.ts";
import { cutMetadata } from "./artifacts.rules.ts";
import {
  findArtifact,
  findNewestArtifact,
  insertArtifact,
  lockArtifact,
  removeArtifactRow,
  updateArtifactRow,
} from "./artifacts.store.ts";
import {
  findCollection,
  lockCollection,
  removeCollectionRow,
  repointCollection,
} from "./collections.store.ts";

/** Every artifact is new; one with a key becomes the latest of its key. */
export async function createArtifact(
  ctx: OrchestratorContext,
  scope: Scope,
  body: ArtifactCreate,
): Promise<Artifact> {
  const now = ctx.clock.now();
  const artifact: Artifact = {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    key: body.key ?? null,
    type: body.type ?? null,
    description: body.description ?? null,
    data: body.data ?? null,
    metadata_: body.metadata_ ? cutMetadata(body.metadata_) : null,
    flow_run_id: body.flow_run_id ?? null,
    task_run_id: body.task_run_id ?? null,
  };
  const row: ArtifactRow = {
    ...artifact,
    data: jsonText(artifact.data),
    metadata_: jsonText(artifact.metadata_),
  };
  const collectionId = ctx.ids.uuid7();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const change = await insertArtifact(tx, row, collectionId);
    if (change !== null) await emitResourceEvent(ctx, tx, collectionEvent(change, now));
  });
  return artifact;
}

export async function readArtifact(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<Artifact>> {
  const artifact = await findArtifact(ctx.db.in(scope.workspaceId), id);
  if (artifact === null) throw notFound(id);
  return artifact;
}

export async function readLatestArtifact(
  ctx: OrchestratorContext,
  scope: Scope,
  key: string,
): Promise<JsonText<ArtifactCollection>> {
  const collection = await findCollection(ctx.db.in(scope.workspaceId), key);
  if (collection === null) throw new AppError("not_found", `No artifact has the key ${key}`);
  return collection;
}

/** Changes the given fields only. What is the same afterwards is not an update and tells no one. */
export async function updateArtifact(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: ArtifactUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockArtifact(tx, id);
    if (before === null) throw notFound(id);
    const after = withChanges(before, changes);
    if (isSame(before, after)) return;
    await updateArtifactRow(tx, { ...after, updated: now });
    const collection = after.key === null ? null : await lockCollection(tx, after.key);
    if (after.key === null || collection?.latest_id !== id) return;
    await repointCollection(tx, { ...collection, updated: now });
    const change = { verb: "updated", id: collection.id, key: after.key, latest: after } as const;
    await emitResourceEvent(ctx, tx, collectionEvent(change, now));
  });
}

export async function deleteArtifact(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = await lockArtifact(tx, id);
    if (row === null) throw notFound(id);
    await removeArtifactRow(tx, id);
    const change = await leaveCollection(tx, row, now);
    if (change !== null) await emitResourceEvent(ctx, tx, collectionEvent(change, now));
  });
}

/**
 * After the latest of a key is gone the next newest takes its place; without any the collection
 * goes too.
 */
async function leaveCollection(
  tx: Transaction,
  removed: ArtifactRow,
  now: string,
): Promise<CollectionChange | null> {
  const { key } = removed;
  const collection = key === null ? null : await lockCollection(tx, key);
  if (key === null || collection?.latest_id !== removed.id) return null;
  const { id } = collection;
  const next = await findNewestArtifact(tx, key);
  if (next === null) {
    await removeCollectionRow(tx, id);
    return { verb: "deleted", id, key, latest: removed };
  }
  await repointCollection(tx, { id, latest_id: next.id, updated: now });
  return { verb: "updated", id, key, latest: next };
}

function withChanges(row: ArtifactRow, changes: ArtifactUpdate): ArtifactRow {
  const { description, data, metadata_ } = changes;
  return {
    ...row,
    description: description === undefined ? row.description : description,
    data: data === undefined ? row.data : jsonText(data),
    metadata_:
      metadata_ === undefined ? row.metadata_ : jsonText(metadata_ && cutMetadata(metadata_)),
  };
}

function isSame(before: ArtifactRow, after: ArtifactRow): boolean {
  return (
    before.description === after.description &&
    before.data === after.data &&
    before.metadata_ === after.metadata_
  );
}

function jsonText(value: unknown): string | null {
  return value === null ? null : writeJson(value);
}

function notFound(id: string): AppError {
  return new AppError("not_found", `Artifact ${id} not found`);
}
