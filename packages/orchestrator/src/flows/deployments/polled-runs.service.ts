import type { FlowRun } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { DispatchedRun } from "../../polling/dispatched-runs.ts";
import { POLLS_TOPIC } from "../../polling/poll-recorder.ts";
import type { PollSource } from "../../polling/waiting-polls.ts";
import { deploymentTopic, poolTopic, queueTopic } from "../../polling/work-topics.rules.ts";
import {
  dueAhead,
  msUntilDue,
  pollDueOf,
  secondsAhead,
} from "../../work/pools/poll-window.rules.ts";
import { readOccupancy } from "../../work/pools/polling.store.ts";
import {
  findDueRuns,
  findNextTime,
  type PolledDeployment,
  readPolledDeployments,
  readWaitingRuns,
} from "./polled-runs.store.ts";
import type { Room } from "./room.rules.ts";

interface Poll {
  readonly deployment_ids: readonly string[];
  readonly scheduled_before?: string | undefined;
  readonly limit: number;
}

export interface WaitingPoll extends Poll {
  readonly wait_seconds?: number | undefined;
  /** Fires when the client has disconnected; called only by a poll that waits. */
  readonly gone: () => AbortSignal;
}

/**
 * The runs of some deployments that are due; with `wait_seconds`, as soon as there are any. Asking
 * for them says that somebody serves these deployments.
 */
export async function pollDeployments(
  ctx: OrchestratorContext,
  scope: Scope,
  poll: WaitingPoll,
): Promise<JsonText<FlowRun[]>> {
  if (poll.wait_seconds === undefined) return dueNow(ctx, scope, poll);
  const offers = await findDeploymentOffers(ctx, scope, poll);
  return `[${offers.map(({ json }) => json).join(",")}]`;
}

/** The same for a caller that goes on with them. */
export async function findDeploymentOffers(
  ctx: OrchestratorContext,
  scope: Scope,
  poll: WaitingPoll,
): Promise<readonly DispatchedRun[]> {
  const { limit, wait_seconds: seconds, gone } = poll;
  if (seconds === undefined) return offersIn(await dueNow(ctx, scope, poll));
  return ctx.waits.wait(sourceOf(ctx, scope, poll), { limit, seconds, signal: gone() });
}

async function dueNow(
  ctx: OrchestratorContext,
  scope: Scope,
  poll: Poll,
): Promise<JsonText<FlowRun[]>> {
  const { before } = pollDueOf(poll);
  return (await lookAtDeployments(ctx, scope, { ...poll, before })).json;
}

function offersIn(json: JsonText<FlowRun[]>): DispatchedRun[] {
  const runs = json === "[]" ? [] : (readJson(json) as FlowRun[]);
  return runs.map((run) => ({
    id: run.id,
    since: `${run.state_id} ${run.next_scheduled_start_time}`,
    json: writeJson(run),
  }));
}

function sourceOf(ctx: OrchestratorContext, scope: Scope, poll: Poll): PollSource {
  const ahead = secondsAhead(poll, ctx.clock.nowMicros());
  const deployment_ids = [...new Set(poll.deployment_ids)].toSorted();
  return {
    key: JSON.stringify([scope.workspaceId, "deployments", deployment_ids, ahead]),
    look: async ({ limit, withNext }) => {
      const nowMicros = ctx.clock.nowMicros();
      const { before } = dueAhead(ahead, {}, nowMicros);
      const seen = await lookAtDeployments(ctx, scope, { deployment_ids, limit, before });
      const queries = ctx.db.in(scope.workspaceId);
      const next = withNext ? await findNextTime(queries, { deployment_ids, after: before }) : null;
      return {
        offers: offersIn(seen.json),
        topics: [...deployment_ids.map(deploymentTopic), ...seen.topics],
        nextMs: msUntilDue(next, ahead, nowMicros),
      };
    },
  };
}

async function lookAtDeployments(
  ctx: OrchestratorContext,
  { workspaceId }: Scope,
  poll: Omit<Poll, "scheduled_before"> & { readonly before: string },
): Promise<{
  readonly json: JsonText<FlowRun[]>;
  /** Where there will be room again. */
  readonly topics: readonly string[];
}> {
  const queries = ctx.db.in(workspaceId);
  const now = ctx.clock.now();
  const deployments = await readPolledDeployments(queries, poll);
  const existing = deployments.filter(({ status }) => status !== null);
  ctx.polls.record(workspaceId, { deploymentIds: existing.map(({ id }) => id), at: now });
  if (existing.some(({ status }) => status === "NOT_READY")) ctx.db.wakeUps.fire(POLLS_TOPIC);
  const { rooms, topics } = await readRooms(queries, deployments);
  const ids = await findDueRuns(queries, { ...poll, deployments, rooms });
  return { json: await readWaitingRuns(queries, { ids, now }), topics };
}

/**
 * The room in the queues and pools of those that have something due. Where nothing is limited,
 * nothing is counted.
 */
async function readRooms(queries: Queries, deployments: readonly PolledDeployment[]) {
  const rooms = new Map<string, Room>();
  const pools = new Map<string, ReadonlyMap<string, number>>();
  for (const deployment of deployments) {
    const { id, first_due, queue_id: queueId, pool_id: poolId, ...limits } = deployment;
    const isLimited = limits.queue_limit !== null || limits.pool_limit !== null;
    if (first_due === null || queueId === null || poolId === null || !isLimited) continue;
    const busy = pools.get(poolId) ?? (await readOccupancy(queries, poolId));
    pools.set(poolId, busy);
    const inPool = [...busy.values()].reduce((sum, count) => sum + count, 0);
    rooms.set(id, {
      queueId,
      poolId,
      inQueue: left(limits.queue_limit, busy.get(queueId) ?? 0),
      inPool: left(limits.pool_limit, inPool),
    });
  }
  const topics = [...pools].flatMap(([poolId, busy]) => [
    poolTopic(poolId),
    ...[...busy.keys()].map(queueTopic),
  ]);
  return { rooms, topics };
}

const left = (limit: number | null, taken: number): number | null =>
  limit === null ? null : limit - taken;
