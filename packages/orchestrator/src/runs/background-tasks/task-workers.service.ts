// Who is connected to run background tasks, on whichever replica.

import type { TaskWorker } from "@orchestrator/contract";
import { formatMicros, sleep } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { taskKey } from "../../texts/run-texts.ts";
import {
  findTaskWorkers,
  insertTaskWorker,
  refreshTaskWorkers,
  removeTaskWorker,
} from "./task-workers.store.ts";

const REFRESH_MS = 20_000;
const LIFETIME_MICROS = 3 * REFRESH_MS * 1000;

export interface TaskWorkerRegistry {
  /** Adds a connection; the answer takes it away. */
  readonly add: (
    scope: Scope,
    worker: { readonly identifier: string; readonly keys: readonly string[] },
  ) => Promise<() => Promise<void>>;
  readonly stop: () => Promise<void>;
}

export function createTaskWorkerRegistry(ctx: OrchestratorContext): TaskWorkerRegistry {
  const { db, clock, ids, log } = ctx;
  const connected = new Set<string>();
  const stopped = new AbortController();
  let running: Promise<void> | null = null;

  const times = () => {
    const now = clock.nowMicros();
    return { timestamp: formatMicros(now), expires: formatMicros(now + LIFETIME_MICROS) };
  };

  const keepAlive = async (): Promise<void> => {
    while (connected.size > 0 && !stopped.signal.aborted) {
      await sleep(REFRESH_MS, stopped.signal);
      if (connected.size === 0 || stopped.signal.aborted) break;
      try {
        await db.writeSystem((tx) => refreshTaskWorkers(tx, { ids: [...connected], ...times() }));
      } catch (error) {
        log.warn({ err: error }, "Task workers could not be kept alive; trying again");
      }
    }
    running = null;
  };

  return {
    async add({ workspaceId }, { identifier, keys }) {
      const id = ids.uuid7();
      const row = { id, identifier, task_keys: JSON.stringify(keys.map(taskKey)), ...times() };
      await db.write(workspaceId, (tx) => insertTaskWorker(tx, row));
      connected.add(id);
      running ??= keepAlive();
      return async () => {
        connected.delete(id);
        await db.write(workspaceId, (tx) => removeTaskWorker(tx, id));
      };
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

/**
 * The task workers that are connected; only those that run one of the tasks, where some are named.
 */
export async function listTaskWorkers(
  ctx: OrchestratorContext,
  scope: Scope,
  taskKeys: readonly string[] | undefined,
): Promise<TaskWorker[]> {
  const workers = new Map<string, TaskWorker>();
  for (const row of await findTaskWorkers(ctx.db.in(scope.workspaceId), ctx.clock.now())) {
    const { identifier, timestamp } = row;
    const known = workers.get(identifier)?.task_keys ?? [];
    const task_keys = [...new Set([...known, ...(JSON.parse(row.task_keys) as string[])])].sort();
    workers.set(identifier, { identifier, task_keys, timestamp });
  }
  const all = [...workers.values()];
  if (taskKeys === undefined) return all;
  const wanted = taskKeys.map(taskKey);
  return all.filter(({ task_keys }) => wanted.some((key) => task_keys.includes(key)));
}
