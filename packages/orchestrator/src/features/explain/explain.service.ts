import type { Explanation } from "@orchestrator/contract";
import type { Queries, Scope } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { readRunsUnderWay } from "../../orchestration/overlap.store.ts";
import { keyValues, receivedKey } from "../concurrency-limits/limit-keys.rules.ts";
import { notFound } from "../flow-runs/flow-runs.service.ts";
import { explain } from "./explain.rules.ts";
import {
  findHolders,
  findLastWorker,
  findRunFacts,
  findRunsInPool,
  findRunsInQueue,
} from "./explain.store.ts";
import type { RunFacts } from "./situation.rules.ts";

/** What stands between a run and its start, right now. */
export async function explainFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<Explanation> {
  const queries = ctx.db.in(scope.workspaceId);
  const now = ctx.clock.now();
  const run = await findRunFacts(queries, id);
  if (run === null) throw notFound(id);
  const [earlier, lastWorker, inQueue, inPool, slots] = await Promise.all([
    whatIsUnderWay(queries, run),
    run.pool_id === null ? null : findLastWorker(queries, run.pool_id),
    run.queue_id === null || run.queue_limit === null ? [] : findRunsInQueue(queries, run.queue_id),
    run.pool_id === null || run.pool_limit === null ? [] : findRunsInPool(queries, run.pool_id),
    whoHoldsSlots(queries, run, now),
  ]);
  return {
    flow_run_id: run.id,
    state_type: run.state_type,
    state_name: run.state_name,
    obstacles: explain({ run, now, earlier, lastWorker, inQueue, inPool, ...slots }),
  };
}

/** The schedule is asked only before a run begins for the first time. */
async function whatIsUnderWay(queries: Queries, run: RunFacts): Promise<readonly string[]> {
  const { schedule_id, deployment_id, schedule_overlap: overlap } = run;
  if (schedule_id === null || deployment_id === null || run.run_count > 0) return [];
  if (overlap === null || overlap === "allow") return [];
  return readRunsUnderWay(queries, { schedule_id, deployment_id, run_id: run.id });
}

interface HeldSlots {
  readonly holders: readonly string[];
  readonly keyValue: string | null;
}

/** Who holds the slots that the run would have to have; of several values, those of the one that most hold. */
async function whoHoldsSlots(queries: Queries, run: RunFacts, now: string): Promise<HeldSlots> {
  const { limit_id } = run;
  const key = receivedKey(run.limit_key);
  if (limit_id === null) return { holders: [], keyValue: null };
  if (key === null) {
    return { holders: await findHolders(queries, { limit_id, value: null, now }), keyValue: null };
  }
  const values = keyValues(key, {
    parameters: JSON.parse(run.parameters) as Record<string, unknown>,
    tags: JSON.parse(run.tags) as string[],
  });
  const held: HeldSlots[] = await Promise.all(
    values.map(async (value) => ({
      holders: await findHolders(queries, { limit_id, value, now }),
      keyValue: value,
    })),
  );
  return held.reduce((most, each) => (each.holders.length > most.holders.length ? each : most));
}
