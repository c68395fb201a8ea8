import type { ConcurrencyOptions } from "@orchestrator/contract";
import type { Transaction } from "@orchestrator/kernel";
import { statement } from "../db/tables.ts";

/** How many runs of a deployment may be under way, and what happens to one more. */
export interface DeploymentSlots {
  readonly limitId: string;
  readonly limit: number;
  readonly isActive: boolean;
  readonly options: ConcurrencyOptions | null;
}

const select = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("deployments")
    .leftJoin("concurrency_limits", "concurrency_limits.id", "deployments.concurrency_limit_id")
    .select([
      "concurrency_limits.id as limit_id",
      "concurrency_limits.slot_limit",
      "concurrency_limits.active",
      "deployments.concurrency_options",
    ])
    .where("deployments.workspace_id", "=", p.workspace_id)
    .where("deployments.id", "=", p.id),
);

/** Null when the deployment has no limit; undefined when there is no such deployment. */
export async function findDeploymentSlots(
  tx: Transaction,
  deploymentId: string,
): Promise<DeploymentSlots | null | undefined> {
  const row = await tx.get(select, { id: deploymentId });
  if (row === undefined) return undefined;
  const { limit_id, slot_limit, active, concurrency_options } = row;
  if (limit_id === null || slot_limit === null) return null;
  return {
    limitId: limit_id,
    limit: slot_limit,
    isActive: active ?? true,
    options:
      concurrency_options === null ? null : (JSON.parse(concurrency_options) as ConcurrencyOptions),
  };
}
