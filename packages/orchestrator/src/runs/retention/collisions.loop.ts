// Ends runs whose place a newer run of the same deployment and concurrency key takes.

import type { OrchestratorContext } from "../../context.ts";
import { NO_VALUE } from "../../limits/limit-keys.rules.ts";
import { lockLimits } from "../../limits/slot-rows.store.ts";
import { callRun } from "../../limits/slot-waiters.store.ts";
import { findFull } from "../../limits/slots.store.ts";
import { scopeOfService } from "../../service-scope.ts";
import {
  type Competitor,
  isNewer,
  takenOver,
  winnersOf,
} from "../orchestration/collisions.rules.ts";
import {
  type CollidingRun,
  type CollisionCursor,
  FIRST_COLLISION,
  isWaiting,
  listCollidingRuns,
  readHolders,
} from "../orchestration/collisions.store.ts";
import { FLOW_RUN_POLICY } from "../orchestration/flow-run-policy.ts";
import { overlapSpanAt } from "../orchestration/flow-run-rules/respect-overlap.ts";
import type { FlowRunRule } from "../orchestration/flow-run-transition.ts";
import { ANY, abort, only } from "../orchestration/rule.ts";
import { proposeFlowRunState } from "../orchestration/set-flow-run-state.ts";
import { oneByOne } from "./one-by-one.ts";

const RUNS_AT_ONCE = 500;
const PAGES_PER_PASS = 10;
const MOST_HOLDERS = 1000;

/** One run to be ended, and the newer one that takes its place. */
interface TakenOver {
  readonly id: string;
  readonly loser: Competitor;
  readonly winner: CollidingRun;
  readonly isHolder: boolean;
}

/**
 * Passes over the runs that wait. Each run is ended in a transaction of its own, which finds that
 * the newer one still waits. A pass goes on where the last one stopped: runs that go on waiting, of
 * which one tenant can have very many, hold up no others.
 */
export function createCollisionsTick(
  ctx: OrchestratorContext,
  { limit = RUNS_AT_ONCE, pages = PAGES_PER_PASS } = {},
): (signal: AbortSignal) => Promise<number> {
  let after = FIRST_COLLISION;
  return async (signal) => {
    let ended = 0;
    for (let page = 0; page < pages; page += 1) {
      const waiting = await listCollidingRuns(ctx.db, { after, limit });
      const isLast = waiting.length < limit;
      const groups = groupsOf(waiting);
      // The page may have cut the last group: the next one reads it from its newest run on.
      if (!isLast && groups.length > 1) groups.pop();
      for (const waiters of groups) {
        const runs = await losersAmong(ctx, waiters);
        ended += await oneByOne(ctx, { runs, signal }, (run) => end(ctx, run));
        if (signal.aborted) return ended;
      }
      after = isLast ? FIRST_COLLISION : behind(groups);
      if (isLast) break;
    }
    return ended;
  };
}

function behind(groups: readonly (readonly CollidingRun[])[]): CollisionCursor {
  const last = groups.at(-1)?.at(-1);
  if (last === undefined || last.deployment_id === null) return FIRST_COLLISION;
  return { deployment_id: last.deployment_id, awaited_value: last.awaited_value };
}

/** Those that wait for the same slots. */
function groupsOf(runs: readonly CollidingRun[]): CollidingRun[][] {
  const groups = new Map<string, CollidingRun[]>();
  for (const run of runs) {
    const place = `${run.deployment_id} ${valueOf(run) ?? ""}`;
    groups.set(place, [...(groups.get(place) ?? []), run]);
  }
  return [...groups.values()];
}

const valueOf = ({ key, awaited_value }: CollidingRun): string | null =>
  key === null ? null : awaited_value;

async function losersAmong(
  ctx: OrchestratorContext,
  waiters: readonly CollidingRun[],
): Promise<TakenOver[]> {
  const [first] = waiters;
  if (first === undefined || first.on_collision === null || first.deployment_id === null) return [];
  const { workspace_id, deployment_id, limit_id, on_collision: onCollision } = first;
  const now = ctx.clock.now();
  const asked = { deployment_id, limit_id, value: valueOf(first), now, limit: MOST_HOLDERS };
  // With replace-queued, nothing that holds a slot is ended.
  const holders =
    onCollision === "cancel-running" ? await readHolders(ctx.db.in(workspace_id), asked) : [];
  const slots = first.slot_limit;
  const ids = winnersOf<Competitor>({ onCollision, slots, waiters, holders });
  const winners = waiters.filter(({ id }) => ids.has(id));
  const lost = <Run extends Competitor>(runs: readonly Run[], isHolder: boolean): TakenOver[] =>
    runs.flatMap((loser) => {
      const winner = winners.find(
        (each) => isNewer(each, loser) && (!isHolder || isAsked(each, now)),
      );
      const isLost = !ids.has(loser.id) && winner !== undefined;
      return isLost ? [{ id: loser.id, loser, winner, isHolder }] : [];
    });
  return [...lost(waiters, false), ...lost(holders, true)];
}

/** Nothing that runs is ended for a run that nobody would start. */
function isAsked({ next_scheduled_start_time: next }: Competitor, now: string): boolean {
  const { since, until } = overlapSpanAt(now);
  return next !== null && next > since && next < until;
}

/**
 * A holder keeps its slot if another one is free, or if the newer run has taken that: both can have
 * happened since the pass read who holds slots. The limit is locked, so no claim comes in between.
 */
const whileFull = (winner: CollidingRun): FlowRunRule => ({
  name: "while-full",
  from: ANY,
  to: only("CANCELLING"),
  before: async ({ tx, now }) => {
    const locked = await lockLimits(tx, { ids: [winner.limit_id] });
    const limits = locked.filter(({ active }) => active);
    const values = [valueOf(winner) ?? NO_VALUE];
    const full = await findFull(tx, { limits, values, slots: 1, now });
    if (full.length === 0) return abort("A slot is free");
    return (await isWaiting(tx, winner.id)) ? undefined : abort("The newer run has a slot");
  },
});

async function end(
  ctx: OrchestratorContext,
  { loser, winner, isHolder }: TakenOver,
): Promise<boolean> {
  const { id, state_id } = loser;
  if (state_id === null) return false;
  const { workspaceId } = scopeOfService(ctx, "deadlines", {
    operation: "POST /api/flow_runs/{id}/set_state",
    workspaceId: winner.workspace_id,
    requestId: id,
  });
  const type = isHolder ? "CANCELLING" : "CANCELLED";
  const state = { type, message: takenOver(winner, valueOf(winner)) } as const;
  return ctx.db.write(workspaceId, async (tx) => {
    if (!(await isWaiting(tx, winner.id))) return false;
    const { status } = await proposeFlowRunState(ctx, tx, {
      id,
      state,
      ifStateId: state_id,
      ...(isHolder && { rules: [whileFull(winner), ...FLOW_RUN_POLICY] }),
    });
    const now = ctx.clock.now();
    // It may have been called to the slot that the newer one is to have.
    const wasCalled = !isHolder && (loser.next_scheduled_start_time ?? "") <= now;
    if (wasCalled && status !== "ABORT") await callRun(tx, winner.id, now);
    return status !== "ABORT";
  });
}
