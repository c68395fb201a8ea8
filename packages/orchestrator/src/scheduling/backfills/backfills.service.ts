import type { Backfill } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Queries, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { BackfillRow } from "../../db/tables/backfills.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { findDeploymentRelations } from "../../runs/deployment/deployments.store.ts";
import { backfillEvent } from "./backfills.events.ts";
import { findBackfill, lockBackfill, updateBackfillRow } from "./backfills.store.ts";

/** Nudged when a backfill has to be looked at. */
export const BACKFILL_TOPIC = "backfills";

export async function readBackfill(queries: Queries, id: string): Promise<JsonText<Backfill>> {
  const backfill = await findBackfill(queries, id);
  if (backfill === null) throw notFound(id);
  return backfill;
}

/**
 * Makes no more runs. Those that are there stay, or are cancelled by the loop if that is wanted.
 */
export async function cancelBackfill(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, cancelRuns }: { readonly id: string; readonly cancelRuns: boolean },
): Promise<JsonText<Backfill>> {
  const now = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await hold(tx, id);
    const row = { ...before, status: "CANCELLED", updated: now } as const;
    if (cancelRuns) {
      await updateBackfillRow(tx, { ...row, due: now });
      tx.notify(BACKFILL_TOPIC);
    } else if (before.status === "RUNNING") {
      await updateBackfillRow(tx, { ...row, due: null });
    }
    if (before.status === "RUNNING")
      await publishBackfillEvent(ctx, tx, { verb: "cancelled", row, now });
    return readBackfill(tx, id);
  });
}

/** Goes on where it was cancelled. Runs that were cancelled with it are not made again. */
export async function resumeBackfill(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<Backfill>> {
  const now = ctx.clock.now();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await hold(tx, id);
    if (before.status === "CANCELLED") {
      const row = { ...before, status: "RUNNING", updated: now } as const;
      await updateBackfillRow(tx, { ...row, due: now });
      await publishBackfillEvent(ctx, tx, { verb: "resumed", row, now });
      tx.notify(BACKFILL_TOPIC);
    }
    return readBackfill(tx, id);
  });
}

async function hold(tx: Transaction, id: string): Promise<BackfillRow> {
  const row = await lockBackfill(tx, id);
  if (row === null) throw notFound(id);
  if (row.status === "COMPLETED")
    throw new AppError("conflict", `Backfill ${id} has completed; there is nothing left of it`);
  return row;
}

/** Writes the event of a change in the change's own transaction. */
export async function publishBackfillEvent(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    verb,
    row,
    now,
  }: {
    readonly verb: Parameters<typeof backfillEvent>[0];
    readonly row: BackfillRow;
    readonly now: string;
  },
): Promise<void> {
  const deployment = await findDeploymentRelations(tx, row.deployment_id);
  if (deployment !== null)
    await emitResourceEvent(ctx, tx, backfillEvent(verb, { row, deployment }, now));
}

function notFound(id: string): AppError {
  return new AppError("not_found", `Backfill ${id} not found`);
}
