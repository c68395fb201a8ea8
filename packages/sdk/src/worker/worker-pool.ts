// The pool that a worker serves, and the worker's word to the server that it is there.

import type { OrchestratorClient } from "@orchestrator/client";
import type { JsonObject, WorkPool } from "@orchestrator/contract";
import { errorSummary } from "../errors.ts";
import { hasStatus } from "../report/connection.ts";
import { type Alarm, runEvery } from "../time.ts";
import type { JobRunner } from "./runner.ts";

const NOT_THERE = 404;
const TAKEN = 409;

/** Null when there is none of the name. */
async function findPool(client: OrchestratorClient, name: string): Promise<WorkPool | null> {
  try {
    return await client.workPools.read(name, { retries: 0 });
  } catch (error) {
    if (hasStatus(error, NOT_THERE)) return null;
    throw error;
  }
}

/** Makes the pool if it is missing, and gives it a template if it has none. */
export async function ensurePool(
  client: OrchestratorClient,
  name: string,
  { type, template }: JobRunner,
): Promise<void> {
  const base_job_template = template as unknown as JsonObject;
  try {
    const found = await findPool(client, name);
    if (found === null) await client.workPools.create({ name, type, base_job_template });
    else if (Object.keys(found.base_job_template).length === 0)
      await client.workPools.update(name, { base_job_template });
  } catch (error) {
    // Another worker has just made it.
    if (!hasStatus(error, TAKEN)) throw error;
  }
}

export interface Heartbeats {
  readonly poolName: string;
  readonly workerName: string;
  readonly seconds: number;
  readonly tell: (text: string) => void;
}

/**
 * Says now and again that the worker lives; says once when that does not get through, and once when
 * it does again.
 */
export function startWorkerHeartbeats(
  client: OrchestratorClient,
  { poolName, workerName, seconds, tell }: Heartbeats,
): Alarm {
  let isHeard = true;
  const beat = async (): Promise<void> => {
    try {
      await client.workers.heartbeat(
        poolName,
        { name: workerName, heartbeat_interval_seconds: seconds },
        { retries: 0 },
      );
      if (!isHeard) tell("The server hears the worker again");
      isHeard = true;
    } catch (error) {
      if (isHeard) tell(`The server does not hear the worker: ${errorSummary(error)}`);
      isHeard = false;
    }
  };
  void beat();
  return runEvery(seconds * 1000, () => void beat());
}
