import type { Explanation, SlotKey, StateDetails } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { NO_VALUE, receivedKey, resolveKey } from "../../limits/limit-keys.rules.ts";
import { decayingSlots, decays } from "../../limits/occupancy.rules.ts";
import { readUsage } from "../../limits/slot-usage.store.ts";
import { findLimit } from "../../limits/slots.store.ts";
import { countPlaces } from "../../work/pools/places.store.ts";
import { polledFrom } from "../../work/pools/work-status.service.ts";
import { notFound } from "../flow-runs/flow-runs.service.ts";
import { overlapSpanAt } from "../orchestration/flow-run-rules/respect-overlap.ts";
import { readRunsInFront, readRunsUnderWay } from "../orchestration/overlap.store.ts";
import { explainBlockers } from "./explain.rules.ts";
import {
  findKnownWorker,
  findOpenWaits,
  findRunFacts,
  findRunsInPool,
  findRunsInQueue,
  findSlotHolders,
  isLeaseAlive,
} from "./explain.store.ts";
import type { RunFacts, Situation, TakenSlots } from "./situation.rules.ts";
import { isReached } from "./what-is-full.rules.ts";

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
  const details = detailsOf(run);
  const { pool_id } = run;
  const leaseId = details.deployment_concurrency_lease_id ?? null;
  const [earlier, worker, places, slots, waits, holdsSlot] = await Promise.all([
    whatComesFirst(queries, run, now),
    pool_id === null ? null : findKnownWorker(queries, { pool_id, now }),
    whoTakesPlaces(queries, run),
    whoHoldsSlots(queries, run, now),
    findOpenWaits(queries, run.id),
    leaseId === null ? false : isLeaseAlive(queries, { id: leaseId, now }),
  ]);
  return {
    flow_run_id: run.id,
    state_type: run.state_type,
    state_name: run.state_name,
    obstacles: explainBlockers({
      run,
      details,
      now,
      polledFrom: polledFrom(ctx),
      earlier,
      worker,
      ...places,
      slots,
      waits,
      holdsSlot,
    }),
  };
}

function detailsOf({ state }: RunFacts): StateDetails {
  if (state === null) return {};
  return (JSON.parse(state) as { readonly state_details: StateDetails }).state_details;
}

/** The schedule is asked only before a run begins for the first time. */
async function whatComesFirst(
  queries: Queries,
  run: RunFacts,
  now: string,
): Promise<readonly string[]> {
  const { schedule_id, deployment_id, schedule_overlap: overlap } = run;
  if (schedule_id === null || deployment_id === null || run.run_count > 0) return [];
  if (overlap === null || overlap === "allow") return [];
  const waits = { schedule_id, deployment_id, run_id: run.id, ...overlapSpanAt(now) };
  const found = await Promise.all([
    readRunsUnderWay(queries, waits),
    overlap === "queue" ? readRunsInFront(queries, waits) : [],
  ]);
  return found.flat();
}

const NONE = { count: 0, runs: [] } as const;

/** As a claim counts them. Who it is matters only where there are too many. */
async function whoTakesPlaces(
  queries: Queries,
  run: RunFacts,
): Promise<Pick<Situation, "inQueue" | "inPool">> {
  const { id: run_id, queue_id, pool_id, queue_limit, pool_limit } = run;
  const isLimited = queue_limit !== null || pool_limit !== null;
  if (queue_id === null || pool_id === null || !isLimited) return { inQueue: NONE, inPool: NONE };
  const place = { queueId: queue_id, poolId: pool_id, runId: run_id };
  const { inQueue = 0, inPool = 0 } = (await countPlaces(queries, place)) ?? {};
  const [queueRuns, poolRuns] = await Promise.all([
    isReached(queue_limit, inQueue) ? findRunsInQueue(queries, { queue_id, run_id }) : [],
    isReached(pool_limit, inPool) ? findRunsInPool(queries, { pool_id, run_id }) : [],
  ]);
  return {
    inQueue: { count: inQueue, runs: queueRuns },
    inPool: { count: inPool, runs: poolRuns },
  };
}

/**
 * The slots that the run would have to have, as a claim counts them; of several values, those of
 * the one with the fewest left.
 */
async function whoHoldsSlots(
  queries: Queries,
  run: RunFacts,
  now: string,
): Promise<TakenSlots | null> {
  if (run.limit_id === null) return null;
  const limit = await findLimit(queries, { id: run.limit_id });
  if (limit === null || !limit.active) return null;
  const key = receivedKey(limit.key);
  const values = key === null ? [NO_VALUE] : valuesOf(run, key);
  if ("problem" in values)
    return { limit, keyValue: null, used: 0, holders: [], runs: [], keyProblem: values.problem };
  const usageOf = await readUsage(queries, { limits: [limit], values, now });
  const all = values.map((value) => {
    const { slots, expired } = usageOf(limit, value);
    // Leases that have run out give way to a claim.
    return { value, used: decays(limit) ? decayingSlots(limit, now).slots : slots - expired };
  });
  const { value, used } = all.reduce((most, each) => (each.used > most.used ? each : most));
  const keyValue = key === null ? null : value;
  if (!isReached(limit.slot_limit, used)) return { limit, keyValue, used, holders: [], runs: [] };
  const held = await findSlotHolders(queries, { limit_id: limit.id, value: keyValue, now });
  return { limit, keyValue, used, ...held };
}

const valuesOf = (run: RunFacts, key: SlotKey) =>
  resolveKey(key, {
    name: run.name,
    concurrency_key: run.concurrency_key,
    parameters: readJson(run.parameters) as Record<string, unknown>,
    tags: JSON.parse(run.tags) as string[],
  });
