import type { WorkPoolStorage } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { WorkPoolRow } from "../../db/tables/work-pools.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { addQueue } from "./add-queue.service.ts";
import { workPoolEvent } from "./work-pools.events.ts";
import { insertWorkPool } from "./work-pools.store.ts";
import { poolStatus } from "./work-status.rules.ts";
import { changePoolStatus } from "./work-status.service.ts";

export const DEFAULT_QUEUE_NAME = "default";
/** Lists of queues show it; as Prefect's server words it. */
const DEFAULT_QUEUE_DESCRIPTION = "The work pool's default queue.";

export interface NewPool {
  readonly name: string;
  readonly type: string;
  readonly description?: string | null;
  /** JSON text. */
  readonly base_job_template?: string;
  readonly is_paused?: boolean;
  readonly concurrency_limit?: number | null;
  readonly storage?: WorkPoolStorage;
}

/** Adds a pool with its default queue; null when the name is taken. */
export async function addPool(
  ctx: OrchestratorContext,
  tx: Transaction,
  { name, type, is_paused = false, storage = {}, ...pool }: NewPool,
): Promise<WorkPoolRow | null> {
  const now = ctx.clock.now();
  const queue = { id: ctx.ids.uuid7(), name: DEFAULT_QUEUE_NAME, priority: 1 };
  const status = poolStatus({ type, is_paused }, false);
  const row: WorkPoolRow = {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    name,
    description: pool.description ?? null,
    type,
    base_job_template: pool.base_job_template ?? "{}",
    is_paused,
    concurrency_limit: pool.concurrency_limit ?? null,
    storage_configuration: storageText(storage),
    default_queue_id: queue.id,
    status,
    status_event_id: null,
    status_changed: null,
  };
  if (!(await insertWorkPool(tx, row))) return null;
  const about = {
    occurred: now,
    defaultQueue: queue,
    storage: storage.default_result_storage_block_id ?? null,
  };
  await emitResourceEvent(ctx, tx, workPoolEvent("created", row, about));
  await addQueue(ctx, tx, {
    pool: row,
    queue: { ...queue, description: DEFAULT_QUEUE_DESCRIPTION },
  });
  if (status !== null) await changePoolStatus(ctx, tx, { pool: row, status });
  return row;
}

/** The whole configuration as it is stored, what was left out included. */
export function storageText(storage: WorkPoolStorage): string {
  return writeJson({
    bundle_upload_step: storage.bundle_upload_step ?? null,
    bundle_execution_step: storage.bundle_execution_step ?? null,
    default_result_storage_block_id: storage.default_result_storage_block_id ?? null,
  });
}
