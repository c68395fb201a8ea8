import { AppError } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { WorkPoolRow } from "../../db/tables/work-pools.table.ts";
import { addPool } from "./add-pool.service.ts";
import { addQueue } from "./add-queue.service.ts";
import { isQueueName } from "./queue-names.rules.ts";
import { lockWorkPool } from "./work-pools.store.ts";
import { lockQueueId } from "./work-queues.store.ts";
import { AGENT_TYPE } from "./work-status.rules.ts";

/** The pool of queues that were made, or asked for, without naming one. */
export const DEFAULT_AGENT_POOL = "default-agent-pool";

export interface WorkPlace {
  readonly work_pool_name?: string | null | undefined;
  readonly work_queue_name?: string | null | undefined;
}

/**
 * The id of the queue that something is to be worked on in, which cannot be deleted before the
 * transaction ends. A queue that is missing in its pool is made; without a queue's name it is the
 * pool's default queue, without a pool's name the queue of the agents' pool, and without either
 * there is none.
 */
export async function assignQueue(
  ctx: OrchestratorContext,
  tx: Transaction,
  place: WorkPlace,
): Promise<string | null> {
  const name = place.work_queue_name ?? null;
  if (name === null && place.work_pool_name == null) return null;
  const poolName = place.work_pool_name ?? DEFAULT_AGENT_POOL;
  const found = await lockQueueId(tx, { pool: poolName, name });
  if (found !== null) return found;

  const pool =
    place.work_pool_name == null
      ? (await lockAgentPool(ctx, tx)).pool
      : await lockWorkPool(tx, { name: poolName });
  if (pool === null) throw poolNotFound(poolName);
  // Somebody may have made it while the pool was waited for.
  const made = await lockQueueId(tx, { pool: poolName, name });
  if (made !== null) return made;
  if (name === null) throw new AppError("not_found", `Work pool ${poolName} has no default queue`);
  if (!isQueueName(name)) throw new AppError("invalid", `Not a name for a work queue: ${name}`);
  const queue = await addQueue(ctx, tx, { pool, queue: { name } });
  if (queue === null) throw new AppError("conflict", `Work queue ${name} is being made by another`);
  return queue.id;
}

/** The id of a queue that is there; nothing is made. */
export async function findQueueId(
  tx: Transaction,
  place: WorkPlace & { readonly work_pool_name: string },
): Promise<string> {
  const pool = place.work_pool_name;
  const name = place.work_queue_name ?? null;
  const id = await lockQueueId(tx, { pool, name });
  if (id !== null) return id;
  throw new AppError(
    "not_found",
    name === null
      ? `Work pool ${pool} not found`
      : `Work queue ${name} not found in work pool ${pool}`,
  );
}

/** The pool for queues without one, held, and whether it had to be made. */
export async function lockAgentPool(
  ctx: OrchestratorContext,
  tx: Transaction,
): Promise<{ readonly pool: WorkPoolRow; readonly isNew: boolean }> {
  const name = DEFAULT_AGENT_POOL;
  const there = await lockWorkPool(tx, { name });
  if (there !== null) return { pool: there, isNew: false };
  const added = await addPool(ctx, tx, { name, type: AGENT_TYPE });
  if (added !== null) return { pool: added, isNew: true };
  const others = await lockWorkPool(tx, { name });
  if (others === null)
    throw new AppError("unavailable", "The work pool is being changed, try again");
  return { pool: others, isNew: false };
}

export function poolNotFound(name: string): AppError {
  return new AppError("not_found", `Work pool ${name} not found`);
}
