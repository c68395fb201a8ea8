// A deployment has a limit of its own, made and changed in the deployment's transaction.

import type { Transaction } from "@orchestrator/kernel/storage";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import { emitResourceEvent } from "../events/emit.ts";
import { SLOTS_TOPIC } from "../polling/slot-lines.ts";
import { limitEvent } from "./concurrency-limits.events.ts";
import {
  type LimitWriter,
  nameTaken,
  newLimitRow,
  removeLimit,
  saveLimit,
} from "./concurrency-limits.service.ts";
import { insertLimit, lockLimit, lockLimitForRemoval } from "./concurrency-limits.store.ts";
import { receivedKey, storedKey } from "./limit-keys.rules.ts";
import { deploymentLimitName } from "./occupancy.rules.ts";
import { callWaiters } from "./slot-waiters.store.ts";

interface OwnLimit {
  /** Undefined: as it is, or 1. */
  readonly limit?: number | undefined;
  /** A template; undefined: as it is. */
  readonly key?: string | null | undefined;
  readonly now: string;
}

/** Gives the deployment a limit of its own, or changes the one it has, and returns its id. */
export async function setDeploymentLimit(
  ctx: LimitWriter,
  tx: Transaction,
  { deploymentId, ...own }: OwnLimit & { readonly deploymentId: string },
): Promise<string> {
  const { limit = 1, key, now } = own;
  const name = deploymentLimitName(deploymentId);
  const stored = key == null ? null : storedKey({ template: key });
  const row = { ...newLimitRow(ctx.ids, { name, limit, now }), key: stored };
  if (await insertLimit(tx, row)) {
    await emitResourceEvent(ctx, tx, limitEvent("created", row, now));
    return row.id;
  }
  const existing = await lockLimit(tx, { name });
  if (existing === null) throw nameTaken(name);
  await changeOwn(ctx, tx, { existing, ...own });
  return existing.id;
}

async function changeOwn(
  ctx: LimitWriter,
  tx: Transaction,
  { existing, limit, key, now }: OwnLimit & { readonly existing: ConcurrencyLimitRow },
): Promise<void> {
  const after = {
    ...existing,
    slot_limit: limit ?? existing.slot_limit,
    key: keyAfter(existing.key, key),
  };
  await saveLimit(ctx, tx, { before: existing, after, now });
  const isOtherKey = after.key !== existing.key;
  if (after.slot_limit <= existing.slot_limit && !isOtherKey) return;
  // With another key they wait for other slots than they did; all of them ask again.
  await callWaiters(tx, isOtherKey ? { ...after, active: false } : after, now);
  tx.notify(SLOTS_TOPIC);
}

/** Null removes a template only: a key of another kind was set on the limit itself. */
function keyAfter(stored: string | null, key: string | null | undefined): string | null {
  if (key === undefined) return stored;
  if (key !== null) return storedKey({ template: key });
  return receivedKey(stored)?.template === undefined ? stored : null;
}

/** Takes a limit away inside another transaction. False when there is no such limit. */
export async function deleteLimit(
  ctx: LimitWriter,
  tx: Transaction,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<boolean> {
  const row = await lockLimitForRemoval(tx, { id });
  if (row === null) return false;
  await removeLimit(tx, row, now);
  await emitResourceEvent(ctx, tx, limitEvent("deleted", row, now));
  return true;
}
