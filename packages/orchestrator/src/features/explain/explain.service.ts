import type { Explanation } from "@orchestrator/contract";
import type { Scope } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { notFound } from "../flow-runs/flow-runs.service.ts";
import { explain } from "./explain.rules.ts";
import {
  findHolders,
  findLastWorker,
  findRunFacts,
  findRunsInPool,
  findRunsInQueue,
} from "./explain.store.ts";

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
  const [lastWorker, inQueue, inPool, holders] = await Promise.all([
    run.pool_id === null ? null : findLastWorker(queries, run.pool_id),
    run.queue_id === null || run.queue_limit === null ? [] : findRunsInQueue(queries, run.queue_id),
    run.pool_id === null || run.pool_limit === null ? [] : findRunsInPool(queries, run.pool_id),
    run.limit_id === null ? [] : findHolders(queries, { limit_id: run.limit_id, now }),
  ]);
  return {
    flow_run_id: run.id,
    state_type: run.state_type,
    state_name: run.state_name,
    obstacles: explain({ run, now, lastWorker, inQueue, inPool, holders }),
  };
}
