import type { WorkspaceQuotas, WorkspaceQuotasUpdate } from "@orchestrator/contract";
import type { AccountsContext } from "../../context.ts";
import { NO_LIMITS, type QuotaLimits } from "../../usage/quotas.rules.ts";
import { addCount, findQuota, findSize, readCount, replaceQuota } from "../../usage/usage.store.ts";

/** Somebody may have or not have more from now on. */
export const QUOTAS_TOPIC = "accounts.quotas";

export async function readQuotas(
  ctx: AccountsContext,
  workspace_id: string,
): Promise<WorkspaceQuotas> {
  const { usage, quotas: keeper } = ctx.accounting;
  const [quota, size, count] = await Promise.all([
    findQuota(ctx.db, workspace_id),
    findSize(ctx.db, workspace_id),
    readCount(ctx.db, { workspace_id, day: usage.today, except: usage.counter }),
  ]);
  const own = quota === null ? NO_LIMITS : limitsOf(quota);
  const ownCount = usage.ownOf(workspace_id);
  return {
    quotas: own,
    effective: keeper.effective(own),
    usage: {
      runs_per_day: count.runs + ownCount.runs,
      events_per_day: count.events + ownCount.events,
      runs_stored: size?.runs ?? null,
      storage_bytes: size?.bytes ?? null,
      measured: size?.measured ?? null,
      resets: keeper.resets,
    },
  };
}

const limitsOf = ({
  runs_per_day,
  events_per_day,
  runs_stored,
  storage_bytes,
}: QuotaLimits): QuotaLimits => ({
  runs_per_day,
  events_per_day,
  runs_stored,
  storage_bytes,
});

/** What is not given may be any amount. */
export async function replaceQuotas(
  ctx: AccountsContext,
  workspace_id: string,
  wanted: WorkspaceQuotasUpdate,
): Promise<void> {
  const row = { ...NO_LIMITS, ...wanted, workspace_id, updated: ctx.clock.now() };
  await ctx.db.writeSystem(async (tx) => {
    await replaceQuota(tx, row);
    tx.notify(QUOTAS_TOPIC);
  });
  // Here it counts when it is answered; on other replicas a moment later.
  await ctx.accounting.quotas.refresh();
}

/** Writes down what was made here, and reads what was made everywhere. */
export async function syncUsageCounts(ctx: AccountsContext): Promise<void> {
  const { usage, quotas } = ctx.accounting;
  const taken = usage.take();
  const rows = [...taken].flatMap(([day, workspaces]) =>
    [...workspaces].map(([workspace_id, amounts]) => ({
      workspace_id,
      day,
      counter: usage.counter,
      ...amounts,
    })),
  );
  try {
    if (rows.length > 0)
      await ctx.db.writeSystem(async (tx) => {
        for (const row of rows) await addCount(tx, row);
      });
  } catch (error) {
    usage.giveBack(taken);
    throw error;
  }
  await quotas.refresh();
}
