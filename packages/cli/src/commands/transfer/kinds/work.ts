// Work pools and their queues.

import type { WorkPool, WorkQueue } from "@orchestrator/contract";
import { collect } from "../../../io/collect.ts";
import type { Transfer } from "../transfer-context.ts";
import type { TransferKind } from "../transfer-kind.ts";

export const workPoolKind: TransferKind<WorkPool> = {
  kind: "work-pool",
  find: async ({ client }) =>
    (await collect(client.workPools.each())).map((row) => ({ id: row.id, name: row.name, row })),
  plan(transfer, { row }) {
    const fields = poolFields(transfer, row);
    return async () => {
      const made = await transfer.to.client.workPools.create(fields);
      await likenDefaultQueue(transfer, row, made);
      return made;
    };
  },
};

export function poolFields({ ids }: Pick<Transfer, "ids">, row: WorkPool) {
  const {
    id: _id,
    created: _created,
    updated: _updated,
    status: _status,
    default_queue_id: _queue,
    active_slots: _inUse,
    ...fields
  } = row;
  const { default_result_storage_block_id: block, ...steps } = row.storage_configuration;
  const storage = ids.needAny(block, "the block for its results");
  return {
    ...fields,
    base_job_template: ids.replaced(row.base_job_template),
    storage_configuration: { ...steps, default_result_storage_block_id: storage },
  };
}

/** A pool has a queue from its beginning. */
async function likenDefaultQueue({ from, to }: Transfer, ours: WorkPool, made: WorkPool) {
  if (ours.default_queue_id === null || made.default_queue_id === null) return;
  const queue = await from.client.workQueues.read(ours.default_queue_id);
  await to.client.workQueues.update(made.default_queue_id, queueFields(queue));
}

export const queueFields = ({
  name,
  description,
  is_paused,
  concurrency_limit,
  priority,
}: WorkQueue) => ({
  name,
  description,
  is_paused,
  concurrency_limit,
  priority,
});

export const workQueueKind: TransferKind<WorkQueue> = {
  kind: "work-queue",
  async find({ client }) {
    const pools = await collect(client.workPools.each());
    const defaults = new Set(pools.map(({ default_queue_id: id }) => id));
    const queues = await collect(client.workQueues.each());
    return queues.map((row) => ({
      id: row.id,
      name: `${row.work_pool_name ?? "?"}/${row.name}`,
      row,
      isPart: defaults.has(row.id),
    }));
  },
  // Each pushes those behind it on, so that in this order all end where they were.
  inOrder: (rows) => rows.toSorted((a, b) => a.row.priority - b.row.priority),
  plan({ to, ids }, { row }) {
    ids.need(row.work_pool_id, "its work pool");
    return () => to.client.workQueues.createInPool(row.work_pool_name ?? "", queueFields(row));
  },
};
