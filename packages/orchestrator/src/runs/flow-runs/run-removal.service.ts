import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { inBatches, MORE } from "../../db/in-batches.ts";
import { releaseHolder } from "../../limits/release-slots.store.ts";
import { lockLimits } from "../../limits/slot-rows.store.ts";
import { returnAnonymousSlots } from "../../limits/slots-in-use.store.ts";
import { announceEnd } from "../../polling/work-topics.rules.ts";
import {
  countBelow,
  findDeploymentLimits,
  findHoldingTasks,
  findRunsHoldingSlots,
  ROWS_AT_ONCE,
  removeRunRows,
  removeSomeBelow,
} from "./run-removal.store.ts";

/**
 * Deletes runs, all that belongs to them, and frees the slots that they and their task runs hold;
 * tells how many there were. Where more belongs to them than goes in one transaction, it deletes a
 * piece of that, and the runs stay.
 */
export async function removeRuns(
  ctx: OrchestratorContext,
  tx: Transaction,
  ids: readonly string[],
): Promise<number | typeof MORE> {
  if (ids.length === 0) return 0;
  if ((await removeExcess(ctx, tx, ids)) === MORE) return MORE;
  const tasks = await findHoldingTasks(tx, ids);
  const removed = await removeRunRows(tx, ids);
  if (removed.length === 0) return 0;
  for (const run of removed) announceEnd(tx, run);
  const holders = await findRunsHoldingSlots(tx, { type: "flow_run", ids });
  await release(ctx, tx, holders, "flow_run");
  await release(ctx, tx, tasks, "task_run");
  if (ctx.dialect.returnsUnleasedSlots)
    await returnUnleasedSlots(
      ctx,
      tx,
      removed.filter(({ id }) => !holders.has(id)),
    );
  return removed.length;
}

/** A piece of what belongs to runs, where that is more than goes in one transaction. */
async function removeExcess(
  ctx: OrchestratorContext,
  tx: Transaction,
  ids: readonly string[],
): Promise<undefined | typeof MORE> {
  if ((await countBelow(tx, ids)) <= ROWS_AT_ONCE) return undefined;
  const tasks = await removeSomeBelow(tx, ids);
  await release(
    ctx,
    tx,
    await findRunsHoldingSlots(tx, { type: "task_run", ids: tasks }),
    "task_run",
  );
  return MORE;
}

/** Leaves so little below a run that it can be deleted as a part of another transaction. */
export async function thinOutRun(
  ctx: OrchestratorContext,
  { workspaceId }: Pick<Scope, "workspaceId">,
  id: string,
): Promise<void> {
  await inBatches(ctx.db, workspaceId, (tx) => removeExcess(ctx, tx, [id]));
}

async function release(
  ctx: OrchestratorContext,
  tx: Transaction,
  holders: Iterable<string>,
  type: "flow_run" | "task_run",
): Promise<void> {
  const now = ctx.clock.now();
  for (const id of holders) await releaseHolder(ctx, tx, { type, id, now });
}

const UNDER_WAY = new Set(["PENDING", "RUNNING", "CANCELLING"]);

/**
 * Older clients take a slot by the name of the deployment's limit and without a lease, so it is
 * nobody's in particular.
 */
async function returnUnleasedSlots(
  ctx: OrchestratorContext,
  tx: Transaction,
  runs: Awaited<ReturnType<typeof removeRunRows>>,
): Promise<void> {
  const deployments = runs.flatMap(({ state_type, deployment_id }) =>
    deployment_id !== null && UNDER_WAY.has(state_type ?? "") ? [deployment_id] : [],
  );
  const limits = await findDeploymentLimits(tx, deployments);
  const limitIds = deployments.flatMap((id) => limits.get(id) ?? []);
  const now = ctx.clock.now();
  for (const limit of await lockLimits(tx, { ids: limitIds })) {
    const slots = limitIds.filter((id) => id === limit.id).length;
    await returnAnonymousSlots(tx, { limit, slots, now });
  }
}
