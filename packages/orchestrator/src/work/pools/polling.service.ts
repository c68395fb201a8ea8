import type { FlowRun, WorkerFlowRun, WorkPoolPoll, WorkQueuePoll } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { DispatchedRun } from "../../polling/dispatched-runs.ts";
import { POLLS_TOPIC } from "../../polling/poll-recorder.ts";
import type { PollSource } from "../../polling/waiting-polls.ts";
import { type DueRun, readDueRuns } from "./due-runs.store.ts";
import { type Due, dueAhead, msUntilDue, pollDueOf, secondsAhead } from "./poll-window.rules.ts";
import {
  firstOf,
  glimpseOf,
  isOpen,
  type Polled,
  type PolledQueue,
  polledOf,
  topicsOf,
} from "./polled-queues.rules.ts";
import {
  type NamesakeQueue,
  peekAtQueues,
  type QueueWork,
  readNamesakes,
  readOccupancy,
  readQueueWork,
} from "./polling.store.ts";
import { poolNotFound } from "./queue-assignment.service.ts";

interface PoolPoll {
  readonly name: string;
  readonly poll: WorkPoolPoll;
  /** Fires when nobody is there any more to take the answer; asked for by who waits. */
  readonly gone: () => AbortSignal;
}

/**
 * The runs of a pool that are due, of the most urgent queue first, as many as the queues' and the
 * pool's limits leave room for; with `wait_seconds`, as soon as there are any. Nothing is claimed
 * and nothing written: who makes a run pending gets it.
 */
export async function pollWorkPool(
  ctx: OrchestratorContext,
  scope: Scope,
  asked: PoolPoll,
): Promise<JsonText<WorkerFlowRun[]>> {
  const offers = await findOffers(ctx, scope, asked);
  return offers.length === 0 ? "[]" : `[${offers.map(({ json }) => json).join(",")}]`;
}

/** The same for a caller that goes on with them. */
export function findOffers(
  ctx: OrchestratorContext,
  scope: Scope,
  asked: PoolPoll,
): Promise<readonly DispatchedRun[]> {
  const { wait_seconds: seconds } = asked.poll;
  return seconds === undefined
    ? lookOnce(ctx, scope, asked)
    : lookUntilDue(ctx, scope, { seconds, ...asked });
}

async function lookUntilDue(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, poll, gone, seconds }: PoolPoll & { readonly seconds: number },
): Promise<readonly DispatchedRun[]> {
  const { limit } = poll;
  const source = poolSource(ctx, scope, { name, poll });
  return ctx.waits.wait(source, { limit, seconds, signal: gone() });
}

/** Where nothing was due a moment ago, and nothing has changed since, nothing is looked for. */
async function lookOnce(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, poll }: Omit<PoolPoll, "gone">,
): Promise<readonly DispatchedRun[]> {
  const due = pollDueOf(poll);
  const request = { name, poll, due, limit: poll.limit };
  if (poll.scheduled_after !== undefined) return (await lookAtPool(ctx, scope, request)).offers;
  const key = keyOf(scope, name, poll);
  const quiet = ctx.quietPools.find(key, due.before);
  if (quiet !== null) {
    recordPoll(ctx, scope, { ids: quiet, isUnserved: false });
    return [];
  }
  const { offers } = await ctx.quietPools.look(key, due.before, (before) => {
    const look = ctx.quietPools.wasQuiet(key) ? glanceAtPool : lookAtPool;
    return look(ctx, scope, { ...request, due: { ...due, before } });
  });
  return offers;
}

/** What those who ask for the same have in common; most ask for the whole pool. */
function keyOf({ workspaceId }: Scope, name: string, { work_queue_names: names }: WorkPoolPoll) {
  return names === undefined || names.length === 0
    ? `${workspaceId} ${name}`
    : JSON.stringify([workspaceId, name, names]);
}

function poolSource(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, poll }: Omit<PoolPoll, "gone">,
): PollSource {
  const ahead = secondsAhead(poll, ctx.clock.nowMicros());
  const names = [...new Set(poll.work_queue_names)].toSorted();
  const key = [scope.workspaceId, "pool", name, names, ahead, poll.scheduled_after];
  return {
    key: JSON.stringify(key),
    look: async ({ limit }) => {
      const nowMicros = ctx.clock.nowMicros();
      const due = dueAhead(ahead, poll, nowMicros);
      const { offers, topics, next } = await lookAtPool(ctx, scope, { name, poll, due, limit });
      return { offers, topics, nextMs: msUntilDue(next, ahead, nowMicros) };
    },
  };
}

interface PoolLook {
  readonly offers: readonly DispatchedRun[];
  /** The queues asked for. */
  readonly queueIds: readonly string[];
  /** Nothing is due in them, and all know that they are polled. */
  readonly isQuiet: boolean;
  /**
   * The next time, after those asked for, for which a run of those queues is scheduled that are not
   * paused.
   */
  readonly next: string | null;
  readonly topics: readonly string[];
}

interface PoolRequest {
  readonly name: string;
  readonly poll: WorkPoolPoll;
  readonly due: Due;
  readonly limit: number;
}

/**
 * For where nothing was due a moment ago: looks closer only if the time of a run has come since.
 */
async function glanceAtPool(
  ctx: OrchestratorContext,
  scope: Scope,
  request: PoolRequest,
): Promise<PoolLook> {
  const { name, poll, due } = request;
  const queries = ctx.db.in(scope.workspaceId);
  const glance = await peekAtQueues(queries, { pool: name, after: due.after });
  const asked = chosen(name, glance.queues, poll);
  const glimpse = asked === glance.queues ? glance.ofAll : glimpseOf(asked);
  const { ids: queueIds, isUnserved, next } = glimpse;
  if (next !== null && next <= due.before) return lookAtPool(ctx, scope, request);
  recordPoll(ctx, scope, glimpse);
  return { offers: [], queueIds, isQuiet: !isUnserved, next, topics: glance.topics };
}

async function lookAtPool(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, poll, due, limit }: PoolRequest,
): Promise<PoolLook> {
  const queries = ctx.db.in(scope.workspaceId);
  const all = await readQueueWork(queries, { pool: name, ...due });
  const queues = chosen(name, all, poll);
  const polled = polledOf(queues);
  recordPoll(ctx, scope, polled);
  const open = queues.filter(isOpen);
  return {
    offers: await offersOf(queries, { queues: open, due, limit, now: ctx.clock.now() }),
    queueIds: polled.ids,
    isQuiet: open.every(({ hasDue }) => !hasDue) && !polled.isUnserved,
    next: firstOf(open.flatMap(({ next }) => next ?? [])),
    topics: topicsOf(all),
  };
}

async function offersOf(
  queries: Queries,
  request: {
    readonly queues: readonly QueueWork[];
    readonly due: Due;
    readonly limit: number;
    readonly now: string;
  },
): Promise<DispatchedRun[]> {
  const { due, limit: wanted, now } = request;
  const waiting = request.queues.filter(({ hasDue }) => hasDue);
  const [first] = waiting;
  if (first === undefined || wanted === 0) return [];
  const { pool_id: poolId, pool_limit: poolLimit } = first;
  const isLimited =
    poolLimit !== null || waiting.some(({ concurrency_limit }) => concurrency_limit !== null);
  const occupied = isLimited ? await readOccupancy(queries, poolId) : new Map<string, number>();
  const busy = [...occupied.values()].reduce((sum, count) => sum + count, 0);
  let room = poolLimit === null ? wanted : Math.min(wanted, poolLimit - busy);

  const offers: DispatchedRun[] = [];
  for (const { id: queueId, concurrency_limit, hasPrioritised } of waiting) {
    const queueRoom =
      concurrency_limit === null ? room : concurrency_limit - (occupied.get(queueId) ?? 0);
    const limit = Math.min(room, queueRoom);
    if (limit <= 0) continue;
    const runs = await readDueRuns(queries, { queueId, now, limit, hasPrioritised, ...due });
    room -= runs.length;
    for (const { id, state_id, due: time, json: run } of runs) {
      const json = `{"work_pool_id":"${poolId}","work_queue_id":"${queueId}","flow_run":${run}}`;
      offers.push({ id, since: `${state_id} ${time}`, json });
    }
  }
  return offers;
}

/**
 * The due runs of a queue for older clients, which know queues by their name alone: those of every
 * queue of the name. `isLookedAt` is for whoever shows them to a person, which is no poll.
 */
export async function pollWorkQueue(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    id,
    poll,
    isLookedAt,
  }: { readonly id: string; readonly poll: WorkQueuePoll; readonly isLookedAt: boolean },
): Promise<JsonText<FlowRun[]>> {
  const queries = ctx.db.in(scope.workspaceId);
  const now = ctx.clock.now();
  const namesakes = await readNamesakes(queries, id);
  const [asked] = namesakes;
  if (asked === undefined) throw new AppError("not_found", `Work queue ${id} not found`);
  if (!isLookedAt) recordPoll(ctx, scope, polledOf([{ id, status: asked.status }]));
  if (asked.is_paused) return "[]";

  const occupied = namesakes.reduce((sum, queue) => sum + (queue.occupied ?? 0), 0);
  const limit =
    asked.concurrency_limit === null
      ? poll.limit
      : Math.min(poll.limit, asked.concurrency_limit - occupied);
  if (limit <= 0) return "[]";
  const due = pollDueOf({ scheduled_before: poll.scheduled_before });
  const open = namesakes.filter((queue) => !queue.other_is_paused && !queue.pool_is_paused);
  const runs = await Promise.all(
    open.map(async (queue) => {
      const { id: queueId, hasPrioritised } = queue;
      const room = Math.min(limit, await roomIn(queries, queue));
      if (room <= 0) return [];
      return readDueRuns(queries, { queueId, now, limit: room, hasPrioritised, ...due });
    }),
  );
  const first = (open.length > 1 ? runs.flat().toSorted(byUrgency) : runs.flat()).slice(0, limit);
  return `[${first.map(({ json }) => json).join(",")}]`;
}

/**
 * How many more runs could be claimed in a queue of the name, each of which is in a pool of its
 * own.
 */
async function roomIn(
  queries: Queries,
  { id, other_limit, pool_id, pool_limit }: NamesakeQueue,
): Promise<number> {
  if (other_limit === null && pool_limit === null) return Number.POSITIVE_INFINITY;
  const busy = await readOccupancy(queries, pool_id);
  const inPool = [...busy.values()].reduce((sum, count) => sum + count, 0);
  return Math.min(
    (other_limit ?? Number.POSITIVE_INFINITY) - (busy.get(id) ?? 0),
    (pool_limit ?? Number.POSITIVE_INFINITY) - inPool,
  );
}

/** The queues asked for; every name must be one. Workers that serve the whole pool name none. */
function chosen<Queue extends PolledQueue>(
  pool: string,
  queues: readonly Queue[],
  { work_queue_names: names }: WorkPoolPoll,
): readonly Queue[] {
  if (queues.length === 0) throw poolNotFound(pool);
  if (names === undefined || names.length === 0) return queues;
  const wanted = new Set(names);
  const found = queues.filter(({ name }) => wanted.delete(name));
  const [missing] = wanted;
  if (missing !== undefined)
    throw new AppError("not_found", `Work queue ${missing} not found in work pool ${pool}`);
  return found;
}

function recordPoll(
  ctx: OrchestratorContext,
  { workspaceId }: Scope,
  { ids, isUnserved }: Polled,
): void {
  ctx.polls.record(workspaceId, { queueIds: ids, at: ctx.clock.now() });
  if (isUnserved) ctx.db.wakeUps.fire(POLLS_TOPIC);
}

function byUrgency(one: DueRun, other: DueRun): number {
  if (one.priority !== other.priority) return other.priority - one.priority;
  return `${one.due} ${one.id}` < `${other.due} ${other.id}` ? -1 : 1;
}
