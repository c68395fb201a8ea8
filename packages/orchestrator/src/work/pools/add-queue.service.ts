import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { WorkPoolRow } from "../../db/tables/work-pools.table.ts";
import type { WorkQueueRow } from "../../db/tables/work-queues.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { poolTopic } from "../../polling/work-topics.rules.ts";
import { freePriority, shiftPriorities } from "./priorities.rules.ts";
import { workQueueEvent } from "./work-pools.events.ts";
import { insertWorkQueue, lockQueuesOfPool, setPriorities } from "./work-queues.store.ts";
import { queueStatus } from "./work-status.rules.ts";
import { polledFrom } from "./work-status.service.ts";

export interface NewQueue {
  readonly id?: string;
  readonly name: string;
  readonly description?: string | null;
  readonly is_paused?: boolean;
  readonly concurrency_limit?: number | null;
  readonly priority?: number | null;
}

/** Adds a queue to a pool that the transaction holds; null when its name is taken there. */
export async function addQueue(
  ctx: OrchestratorContext,
  tx: Transaction,
  { pool, queue }: { readonly pool: WorkPoolRow; readonly queue: NewQueue },
): Promise<WorkQueueRow | null> {
  const now = ctx.clock.now();
  const { is_paused = false } = queue;
  const others = await lockQueuesOfPool(tx, pool.id);
  const priority = queue.priority ?? freePriority(others);
  const row: WorkQueueRow = {
    id: queue.id ?? ctx.ids.uuid7(),
    created: now,
    updated: now,
    work_pool_id: pool.id,
    name: queue.name,
    description: queue.description ?? "",
    is_paused,
    concurrency_limit: queue.concurrency_limit ?? null,
    priority,
    last_polled: null,
    status: queueStatus({ is_paused, last_polled: null }, polledFrom(ctx)),
    status_event_id: null,
    status_changed: null,
  };
  if (!(await insertWorkQueue(tx, row))) return null;
  await setPriorities(tx, shiftPriorities(others, priority));
  tx.notify(poolTopic(pool.id));
  await emitResourceEvent(
    ctx,
    tx,
    workQueueEvent("created", { queue: row, pool }, { occurred: now }),
  );
  return row;
}
