import type { TagLimit, TagLimitCreate, TagSlots, TouchedLimit } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import { emitResourceEvent } from "../events/emit.ts";
import { SLOTS_TOPIC } from "../polling/slot-lines.ts";
import { limitEvent } from "./concurrency-limits.events.ts";
import { newLimitRow, removeLimit } from "./concurrency-limits.service.ts";
import {
  insertLimit,
  lockLimit,
  lockLimitForRemoval,
  updateLimitRow,
} from "./concurrency-limits.store.ts";
import { findHolderIds, findSlotsOfHolder } from "./holders.store.ts";
import { isTagLimit, TAG_PREFIX, tagLimitName } from "./occupancy.rules.ts";
import { settle } from "./release-slots.store.ts";
import { lockLimits } from "./slot-rows.store.ts";
import { acquireLocked, findLimit, type LimitKey } from "./slots.store.ts";
import { clearSlots, handOutSlots, removeSlots } from "./slots-in-use.store.ts";
import { listTagLimitRows } from "./tag-limits.store.ts";

// The older way to limit the task runs with a tag: a limit named after the tag, whose holders are
// task runs. They have their slots until they give them back.

/** A tag's limit is found by its id or by the tag. */
export type TagLimitKey = { readonly id: string } | { readonly tag: string };

const HOLDER = "task_run";
const RETRY_AFTER_SECONDS = 10;

/** Sets how many task runs with the tag may be under way, and tells whether the limit is new. */
export async function setTagLimit(
  ctx: OrchestratorContext,
  scope: Scope,
  { tag, concurrency_limit: limit }: TagLimitCreate,
): Promise<{ readonly isNew: boolean; readonly record: TagLimit }> {
  const now = ctx.clock.now();
  const name = tagLimitName(tag);
  const fresh = newLimitRow(ctx.ids, { name, limit, now });
  return ctx.db.write(scope.workspaceId, async (tx) => {
    if (await insertLimit(tx, fresh)) {
      await emitResourceEvent(ctx, tx, limitEvent("created", fresh, now));
      return { isNew: true, record: toRecord(fresh, []) };
    }
    const before = await lockLimit(tx, { name });
    if (before === null) throw notFound({ tag });
    const row = { ...before, slot_limit: limit, updated: now };
    const hasChanged = before.slot_limit !== limit;
    if (hasChanged) {
      await updateLimitRow(tx, row);
      await emitResourceEvent(ctx, tx, limitEvent("updated", row, now));
      tx.notify(SLOTS_TOPIC);
    }
    const [record] = await withTaskRuns(tx, [hasChanged ? row : before], now);
    return { isNew: false, record: record as TagLimit };
  });
}

export async function readTagLimit(
  ctx: OrchestratorContext,
  scope: Scope,
  key: TagLimitKey,
): Promise<TagLimit> {
  const queries = ctx.db.in(scope.workspaceId);
  const row = await findLimit(queries, limitKey(key));
  const [record] =
    row !== null && isTagLimit(row) ? await withTaskRuns(queries, [row], ctx.clock.now()) : [];
  if (record === undefined) throw notFound(key);
  return record;
}

export async function listTagLimits(
  ctx: OrchestratorContext,
  scope: Scope,
  page: { readonly limit: number; readonly offset: number },
): Promise<TagLimit[]> {
  const queries = ctx.db.in(scope.workspaceId);
  return withTaskRuns(queries, await listTagLimitRows(queries, page), ctx.clock.now());
}

export async function deleteTagLimit(
  ctx: OrchestratorContext,
  scope: Scope,
  key: TagLimitKey,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = await lockLimitForRemoval(tx, limitKey(key));
    if (row === null || !isTagLimit(row)) throw notFound(key);
    await removeLimit(tx, row, now);
    await emitResourceEvent(ctx, tx, limitEvent("deleted", row, now));
  });
}

/**
 * Takes all slots of a tag back and gives one to each of these task runs, be they more than the
 * limit: whoever says so knows that they run.
 */
export async function resetTagLimit(
  ctx: OrchestratorContext,
  scope: Scope,
  { tag, taskRunIds }: { readonly tag: string; readonly taskRunIds: readonly string[] },
): Promise<void> {
  const now = ctx.clock.now();
  const holders = new Set(taskRunIds);
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = await lockLimit(tx, { name: tagLimitName(tag) });
    if (row === null) throw notFound({ tag });
    await clearSlots(tx, row.id);
    await handOutSlots(ctx, tx, { limit: row, type: HOLDER, holderIds: holders, now });
    tx.notify(SLOTS_TOPIC);
  });
}

/**
 * A slot of each tag that has a limit, or of none. A task run that has one already does not get
 * another.
 */
export async function takeTagSlots(
  ctx: OrchestratorContext,
  scope: Scope,
  { names: tags, task_run_id: id }: TagSlots,
): Promise<TouchedLimit[]> {
  const now = ctx.clock.now();
  const outcome = await ctx.db.write(scope.workspaceId, async (tx) => {
    const rows = await lockLimits(tx, { names: tags.map(tagLimitName) });
    const limitIds = rows.map((row) => row.id);
    const holders = await findHolderIds(tx, { limitIds, type: HOLDER, now });
    const limits = rows.filter((row) => !holders.get(row.id)?.has(id));
    if (limits.length === 0) return rows;
    // Whoever is told when to come back waits until it is let through, and here nobody ever is.
    const closed = limits.find(({ active, slot_limit }) => active && slot_limit === 0);
    if (closed !== undefined)
      throw new AppError(
        "locked",
        `The limit of the tag ${tagOf(closed)} is 0: no task run gets a slot`,
      );
    const holder = { type: HOLDER, id };
    const lease = await acquireLocked(ctx, tx, { limits, slots: 1, holder, ttlSeconds: null, now });
    return "full" in lease ? lease : rows;
  });
  if (!("full" in outcome)) return outcome.map(touched);
  const full = outcome.blocking.map(({ limit }) => tagOf(limit)).join(", ");
  throw new AppError("locked", `Concurrency limit for the ${full} tag has been reached`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Gives a task run's slots of these tags back. */
export async function returnTagSlots(
  ctx: OrchestratorContext,
  scope: Scope,
  { names: tags, task_run_id: id }: TagSlots,
): Promise<TouchedLimit[]> {
  const now = ctx.clock.now();
  const rows = await ctx.db.write(scope.workspaceId, async (tx) => {
    const limits = await lockLimits(tx, { names: tags.map(tagLimitName) });
    const limitIds = limits.map((limit) => limit.id);
    const held = await findSlotsOfHolder(tx, { limitIds, type: HOLDER, id });
    await removeSlots(tx, held);
    await settle(tx, held, now);
    return limits;
  });
  return rows.map(touched);
}

async function withTaskRuns(
  queries: Queries,
  rows: readonly ConcurrencyLimitRow[],
  now: string,
): Promise<TagLimit[]> {
  const limitIds = rows.map(({ id }) => id);
  const holders = await findHolderIds(queries, { limitIds, type: HOLDER, now });
  return rows.map((row) => toRecord(row, holders.get(row.id) ?? []));
}

function toRecord(row: ConcurrencyLimitRow, taskRunIds: Iterable<string>): TagLimit {
  const { id, created, updated, slot_limit: concurrency_limit } = row;
  return {
    id,
    created,
    updated,
    tag: tagOf(row),
    concurrency_limit,
    active_slots: [...taskRunIds],
  };
}

function touched(row: ConcurrencyLimitRow): TouchedLimit {
  return { id: row.id, name: tagOf(row), limit: row.slot_limit };
}

const tagOf = ({ name }: ConcurrencyLimitRow): string => name.slice(TAG_PREFIX.length);

function limitKey(key: TagLimitKey): LimitKey {
  return "id" in key ? key : { name: tagLimitName(key.tag) };
}

function notFound(key: TagLimitKey): AppError {
  const which = "id" in key ? key.id : `for the tag ${key.tag}`;
  return new AppError("not_found", `Concurrency limit ${which} not found`);
}
