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
import { deploymentLimitName } from "./occupancy.rules.ts";
import { callWaiters } from "./slot-waiters.store.ts";

/** Gives the deployment a limit of its own, or changes the one it has, and tells its id. */
export async function setDeploymentLimit(
  ctx: LimitWriter,
  tx: Transaction,
  input: { readonly deploymentId: string; readonly limit: number; readonly now: string },
): Promise<string> {
  const { limit, now } = input;
  const name = deploymentLimitName(input.deploymentId);
  const row = newLimitRow(ctx.ids, { name, limit, now });
  if (await insertLimit(tx, row)) {
    await emitResourceEvent(ctx, tx, limitEvent("created", row, now));
    return row.id;
  }
  const existing = await lockLimit(tx, { name });
  if (existing === null) throw nameTaken(name);
  await changeSize(ctx, tx, { existing, limit, now });
  return existing.id;
}

async function changeSize(
  ctx: LimitWriter,
  tx: Transaction,
  { existing, limit, now }: { existing: ConcurrencyLimitRow; limit: number; now: string },
): Promise<void> {
  const after = { ...existing, slot_limit: limit };
  await saveLimit(ctx, tx, { before: existing, after, now });
  if (limit <= existing.slot_limit) return;
  await callWaiters(tx, after, now);
  tx.nudge(SLOTS_TOPIC);
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
