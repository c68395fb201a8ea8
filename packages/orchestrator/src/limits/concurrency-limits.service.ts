import type {
  ConcurrencyLimitCreate,
  ConcurrencyLimitRecord,
  ConcurrencyLimitState,
  ConcurrencyLimitUpdate,
} from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import { emitResourceEvent } from "../events/emit.ts";
import { SLOTS_TOPIC } from "../polling/slot-lines.ts";
import { announceRun } from "../polling/work-topics.rules.ts";
import { limitEvent } from "./concurrency-limits.events.ts";
import {
  findLimitRecord,
  insertLimit,
  lockLimit,
  lockLimitForRemoval,
  readDeploymentsWith,
  removeLimitRow,
  updateLimitRow,
} from "./concurrency-limits.store.ts";
import { NO_VALUE, refuseBadTemplate, storedKey } from "./limit-keys.rules.ts";
import { decays } from "./occupancy.rules.ts";
import { readUsage } from "./slot-usage.store.ts";
import { callWaiters } from "./slot-waiters.store.ts";
import { type LimitKey } from "./slots.store.ts";
import { removeEndlessLeases, setSlotsInUse, takeAnonymousSlots } from "./slots-in-use.store.ts";

export type LimitWriter = Pick<OrchestratorContext, "dialect" | "ids">;

const DEFAULT_OCCUPANCY_SECONDS = 2;

/** A limit as it begins: nothing in use, nothing known. */
export function newLimitRow(
  ids: OrchestratorContext["ids"],
  { name, limit, now }: { readonly name: string; readonly limit: number; readonly now: string },
): ConcurrencyLimitRow {
  return {
    id: ids.uuid4(),
    created: now,
    updated: now,
    name,
    slot_limit: limit,
    active: true,
    slot_decay_per_second: 0,
    decaying_slots: 0,
    decaying_since: now,
    denied_slots: 0,
    denied_since: now,
    avg_slot_occupancy_seconds: DEFAULT_OCCUPANCY_SECONDS,
    key: null,
  };
}

export async function createLimit(
  ctx: OrchestratorContext,
  scope: Scope,
  input: ConcurrencyLimitCreate,
): Promise<ConcurrencyLimitRecord> {
  const { name, limit, active, active_slots, denied_slots, slot_decay_per_second, key } = input;
  refuseBadTemplate(key?.template, "key");
  const now = ctx.clock.now();
  const row: ConcurrencyLimitRow = {
    ...newLimitRow(ctx.ids, { name, limit, now }),
    active,
    slot_decay_per_second,
    denied_slots,
    key: storedKey(key),
  };
  refuseTooMany(active_slots, limit);
  refuseKeyedDecay(row);
  await ctx.db.write(scope.workspaceId, async (tx) => {
    if (!(await insertLimit(tx, row))) throw nameTaken(name);
    await setSlotsInUse(ctx, tx, { limit: row, slots: active_slots, now });
    await emitResourceEvent(ctx, tx, limitEvent("created", row, now));
  });
  const { id, created, updated, avg_slot_occupancy_seconds } = row;
  return {
    id,
    created,
    updated,
    active,
    name,
    limit,
    active_slots,
    denied_slots,
    slot_decay_per_second,
    avg_slot_occupancy_seconds,
    key: key ?? null,
  };
}

export async function readLimit(
  ctx: OrchestratorContext,
  scope: Scope,
  key: LimitKey,
): Promise<JsonText<ConcurrencyLimitState>> {
  const limit = await findLimitRecord(ctx.db.in(scope.workspaceId), key, ctx.clock.now());
  if (limit === null) throw limitNotFound(key);
  return limit;
}

/**
 * Changes the given fields only. Who waits for a slot is told, because the change may make room.
 */
export async function updateLimit(
  ctx: OrchestratorContext,
  scope: Scope,
  { key, changes }: { readonly key: LimitKey; readonly changes: ConcurrencyLimitUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  refuseBadTemplate(changes.key?.template, "key");
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockLimit(tx, key);
    if (before === null) throw limitNotFound(key);
    const { active_slots } = changes;
    const after = await withDecay(tx, { before, after: withChanges(before, changes, now), now });
    if (active_slots != null) refuseTooMany(active_slots, after.slot_limit);
    refuseKeyedDecay(after);
    await saveLimit(ctx, tx, { before, after, now });
    if (active_slots != null)
      await setSlotsInUse(ctx, tx, { limit: after, slots: active_slots, now });
    // With another key they wait for other slots than they did; all of them ask again.
    await callWaiters(tx, before.key === after.key ? after : { ...after, active: false }, now);
    tx.notify(SLOTS_TOPIC);
  });
}

function withChanges(
  row: ConcurrencyLimitRow,
  { name, limit, active, denied_slots, slot_decay_per_second, key }: ConcurrencyLimitUpdate,
  now: string,
): ConcurrencyLimitRow {
  const denied = denied_slots == null ? {} : { denied_slots, denied_since: now };
  return {
    ...row,
    ...denied,
    name: name ?? row.name,
    slot_limit: limit ?? row.slot_limit,
    active: active ?? row.active,
    slot_decay_per_second: slot_decay_per_second ?? row.slot_decay_per_second,
    key: key === undefined ? row.key : storedKey(key),
  };
}

/**
 * A limit that begins to decay decays from what is in use now, and slots without a holder are no
 * longer kept as rows. One that ceases to decay has in use what leases hold.
 */
async function withDecay(
  tx: Transaction,
  { before, after, now }: { before: ConcurrencyLimitRow; after: ConcurrencyLimitRow; now: string },
): Promise<ConcurrencyLimitRow> {
  if (decays(before) || !decays(after)) return after;
  const usageOf = await readUsage(tx, { limits: [after], values: [], now });
  const { slots, expired } = usageOf(after, NO_VALUE);
  const inUse = slots - expired;
  await takeAnonymousSlots(tx, { limitId: after.id, slots: inUse });
  return { ...after, decaying_slots: inUse, decaying_since: now };
}

/**
 * Keeps a changed limit and tells of it. What is the same afterwards is not an update and tells no
 * one.
 */
export async function saveLimit(
  ctx: LimitWriter,
  tx: Transaction,
  { before, after, now }: { before: ConcurrencyLimitRow; after: ConcurrencyLimitRow; now: string },
): Promise<void> {
  const isSame = Object.entries(after).every(
    ([field, value]) => before[field as keyof ConcurrencyLimitRow] === value,
  );
  if (isSame) return;
  await updateLimitRow(tx, { ...after, updated: now }).catch((error: unknown) => {
    throw isAppError(error, "conflict") ? nameTaken(after.name) : error;
  });
  await emitResourceEvent(ctx, tx, limitEvent("updated", after, now));
  if (isClosed(before) && !isClosed(after)) await announceOpening(tx, after.id);
}

/** Polls do not even offer the runs of a deployment whose limit is 0. */
const isClosed = ({ active, slot_limit }: ConcurrencyLimitRow): boolean =>
  active && slot_limit === 0;

/**
 * Tells whoever waits for work of deployments with this limit that their runs can be claimed again.
 */
async function announceOpening(tx: Transaction, limitId: string): Promise<void> {
  for (const place of await readDeploymentsWith(tx, limitId)) announceRun(tx, place);
}

export async function deleteLimitByKey(
  ctx: OrchestratorContext,
  scope: Scope,
  key: LimitKey,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = await lockLimitForRemoval(tx, key);
    if (row === null) throw limitNotFound(key);
    await removeLimit(tx, row, now);
    await emitResourceEvent(ctx, tx, limitEvent("deleted", row, now));
  });
}

/**
 * Takes a locked limit away with everything it has in use; whoever waited for it need not wait any
 * more.
 */
export async function removeLimit(
  tx: Transaction,
  limit: ConcurrencyLimitRow,
  now: string,
): Promise<void> {
  await callWaiters(tx, { ...limit, active: false }, now);
  if (isClosed(limit)) await announceOpening(tx, limit.id);
  await removeEndlessLeases(tx, limit.id);
  await removeLimitRow(tx, limit.id);
  tx.notify(SLOTS_TOPIC);
}

export function limitNotFound(key: LimitKey): AppError {
  const which = "id" in key ? key.id : `named ${key.name}`;
  return new AppError("not_found", `Concurrency limit ${which} not found`);
}

export function nameTaken(name: string): AppError {
  return new AppError("conflict", `A concurrency limit named ${name} already exists`);
}

/** Slots that go away by themselves have no holders, and with them no values. */
function refuseKeyedDecay(row: ConcurrencyLimitRow): void {
  if (row.key === null || !decays(row)) return;
  const msg = "Value error, a limit whose slots decay cannot have a key";
  throw new InvalidRequestError([{ type: "value_error", loc: ["body", "key"], msg }]);
}

/** With the list of problems: the established command line looks for it in every such answer. */
function refuseTooMany(slots: number, limit: number): void {
  if (slots <= limit) return;
  const msg = `Value error, the limit has ${limit} slots, so ${slots} cannot be in use`;
  throw new InvalidRequestError([{ type: "value_error", loc: ["body"], msg }]);
}
