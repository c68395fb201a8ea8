import type {
  SlotDecrement,
  SlotHolder,
  SlotIncrement,
  SlotLease,
  SlotLeaseResult,
  TouchedLimit,
} from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import { limitNotFound } from "./concurrency-limits.service.ts";
import { listHolderRows } from "./holders.store.ts";
import { NO_VALUE } from "./limit-keys.rules.ts";
import {
  averageOccupancy,
  decays,
  type FullLimit,
  fractionOf,
  retryAfterSeconds,
  secondsAfter,
} from "./occupancy.rules.ts";
import { releaseLease } from "./release-slots.store.ts";
import { lockLimits, updateLimitUsage } from "./slot-rows.store.ts";
import {
  acquireLocked,
  addDecaying,
  findFull,
  findLimit,
  type LimitKey,
  renewLease,
} from "./slots.store.ts";
import { addAnonymousSlots, returnAnonymousSlots } from "./slots-in-use.store.ts";

interface Asking {
  /** Fires when nobody is there any more to take the answer. */
  readonly gone: () => AbortSignal;
}

/** Takes slots that nobody in particular holds; with `wait_seconds`, as soon as there are some. */
export function incrementSlots(
  ctx: OrchestratorContext,
  scope: Scope,
  { body, gone }: Asking & { readonly body: SlotIncrement },
): Promise<TouchedLimit[]> {
  return inLine(ctx, scope, { ...body, gone }, (isAgain) => takeSlots(ctx, scope, body, isAgain));
}

/** Takes slots for a while; whoever holds them renews the lease, or loses them when it runs out. */
export function leaseSlots(
  ctx: OrchestratorContext,
  scope: Scope,
  { body, gone }: Asking & { readonly body: SlotLease },
): Promise<SlotLeaseResult> {
  return inLine(ctx, scope, { ...body, gone }, (isAgain) => takeLease(ctx, scope, body, isAgain));
}

function inLine<T>(
  ctx: OrchestratorContext,
  { workspaceId }: Scope,
  { names, wait_seconds: seconds, gone }: Asking & Pick<SlotIncrement, "names" | "wait_seconds">,
  take: (isAgain: boolean) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return take(false);
  const key = JSON.stringify([workspaceId, ...[...new Set(names)].toSorted()]);
  return ctx.slotLines.wait(key, { seconds, gone: gone() }, take);
}

async function takeSlots(
  ctx: OrchestratorContext,
  scope: Scope,
  { names, slots, mode }: SlotIncrement,
  isAgain: boolean,
): Promise<TouchedLimit[]> {
  const now = ctx.clock.now();
  const outcome = await ctx.db.write(scope.workspaceId, async (tx) => {
    const limits = await lockLimits(tx, { names });
    refuseImpossible(limits, { slots, mode });
    const active = limits.filter((limit) => limit.active);
    const blocking = await findFull(tx, { limits: active, slots, now });
    if (blocking.length > 0) return deny(tx, { blocking, slots, now, isAgain });
    for (const limit of active) {
      if (decays(limit)) await addDecaying(tx, { limit, slots, now });
      else await addAnonymousSlots(ctx, tx, { limitId: limit.id, slots, now });
    }
    return { limits };
  });
  if ("blocking" in outcome) throw locked(ctx, outcome.blocking, slots);
  return outcome.limits.map(touched);
}

async function takeLease(
  ctx: OrchestratorContext,
  scope: Scope,
  { names, slots, mode, lease_duration: ttlSeconds, holder: given }: SlotLease,
  isAgain: boolean,
): Promise<SlotLeaseResult> {
  const now = ctx.clock.now();
  const holder = given ?? null;
  const outcome = await ctx.db.write(scope.workspaceId, async (tx) => {
    const limits = await lockLimits(tx, { names });
    refuseImpossible(limits, { slots, mode });
    const lease = await acquireLocked(ctx, tx, { limits, slots, holder, ttlSeconds, now });
    if ("full" in lease) return deny(tx, { blocking: lease.blocking, slots, now, isAgain });
    return { leaseId: lease.leaseId, limits };
  });
  if ("blocking" in outcome) throw locked(ctx, outcome.blocking, slots);
  return { lease_id: outcome.leaseId, limits: outcome.limits.map(touched) };
}

/**
 * Remembers that slots were asked for in vain: the longer the queue, the longer those behind it are
 * told to wait.
 */
async function deny(
  tx: Transaction,
  {
    blocking,
    slots,
    now,
    isAgain,
  }: {
    readonly blocking: readonly FullLimit[];
    readonly slots: number;
    readonly now: string;
    readonly isAgain: boolean;
  },
): Promise<{ readonly blocking: readonly FullLimit[] }> {
  if (isAgain) return { blocking };
  for (const { limit, denied } of blocking)
    await updateLimitUsage(tx, { ...limit, denied_slots: denied + slots, denied_since: now });
  return { blocking };
}

function locked(
  { ids }: OrchestratorContext,
  blocking: readonly FullLimit[],
  slots: number,
): AppError {
  const random = fractionOf(ids.uuid4());
  const seconds = retryAfterSeconds(blocking, { slots, random });
  return new AppError("locked", "Locked", { retryAfterSeconds: seconds });
}

/** What could never be granted is refused at once, not waited for. */
function refuseImpossible(
  limits: readonly ConcurrencyLimitRow[],
  { slots, mode }: { readonly slots: number; readonly mode: SlotIncrement["mode"] },
): void {
  for (const limit of limits) {
    if (!limit.active) continue;
    if (slots > limit.slot_limit) {
      const msg = `The limit ${limit.name} has only ${limit.slot_limit} slots`;
      throw new InvalidRequestError([
        { type: "value_error", loc: ["body", "slots"], msg, input: slots },
      ]);
    }
    if (mode === "rate_limit" && !decays(limit)) {
      const msg = `The limit ${limit.name} is no rate limit: its slots do not decay`;
      throw new InvalidRequestError([
        { type: "value_error", loc: ["body", "mode"], msg, input: mode },
      ]);
    }
  }
}

/** Gives back slots that nobody in particular holds, as far as there are any. */
export async function decrementSlots(
  ctx: OrchestratorContext,
  scope: Scope,
  { names, slots, occupancy_seconds: heldSeconds }: SlotDecrement,
): Promise<TouchedLimit[]> {
  const now = ctx.clock.now();
  const limits = await ctx.db.write(scope.workspaceId, async (tx) => {
    const rows = await lockLimits(tx, { names });
    for (const row of rows) {
      const avg_slot_occupancy_seconds =
        heldSeconds === undefined
          ? row.avg_slot_occupancy_seconds
          : averageOccupancy(row, { slots, heldSeconds });
      await returnAnonymousSlots(tx, {
        limit: { ...row, avg_slot_occupancy_seconds },
        slots,
        now,
      });
    }
    return rows;
  });
  return limits.map(touched);
}

/** Gives back what a lease holds. One that is gone already holds nothing. */
export async function endLease(
  ctx: OrchestratorContext,
  scope: Scope,
  leaseId: string,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, (tx) => releaseLease(ctx, tx, { leaseId, now }));
}

export async function extendLease(
  ctx: OrchestratorContext,
  scope: Scope,
  { leaseId, seconds }: { readonly leaseId: string; readonly seconds: number },
): Promise<void> {
  const now = ctx.clock.now();
  const expires = secondsAfter(now, seconds);
  const isHeld = await ctx.db.write(scope.workspaceId, (tx) =>
    renewLease(tx, { leaseId, expires, now }),
  );
  if (!isHeld) throw new AppError("gone", `The lease ${leaseId} has run out or was given back`);
}

/** Who has the slots of a limit, the oldest first. */
export async function listHolders(
  ctx: OrchestratorContext,
  scope: Scope,
  { key, ...page }: { readonly key: LimitKey; readonly limit: number; readonly offset: number },
): Promise<SlotHolder[]> {
  const queries = ctx.db.in(scope.workspaceId);
  const limit = await findLimit(queries, key);
  if (limit === null) throw limitNotFound(key);
  const rows = await listHolderRows(queries, { limitId: limit.id, now: ctx.clock.now(), ...page });
  return rows.map(({ lease_id, holder_type, holder_id, slots, key_value, acquired, expires }) => ({
    lease_id,
    holder:
      holder_type === null || holder_id === null ? null : { type: holder_type, id: holder_id },
    slots,
    key: key_value === NO_VALUE ? null : key_value,
    acquired,
    expires,
  }));
}

function touched({ id, name, slot_limit: limit }: ConcurrencyLimitRow): TouchedLimit {
  return { id, name, limit };
}
