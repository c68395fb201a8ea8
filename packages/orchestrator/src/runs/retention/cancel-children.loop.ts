import { plusSeconds } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { releaseHolder } from "../../limits/release-slots.store.ts";
import { scopeOfService } from "../../service-scope.ts";
import { setFlowRunState } from "../orchestration/set-flow-run-state.ts";
import { setTaskRunState } from "../orchestration/set-task-run-state.ts";
import { oneByOne } from "./one-by-one.ts";
import {
  type Ended,
  endedAt,
  findCancelled,
  findDoneWith,
  findEndlessLeases,
  findUncancelledSubflows,
  findUnfinishedTasks,
} from "./run-upkeep.store.ts";

/**
 * How many seconds after it was cancelled a run is looked at: at once, and again for what was
 * reported, or committed, later. Each look goes through the runs in the order of their end and
 * begins, when the server starts, where the next one ends.
 */
const LOOKS_SECONDS = [0, 300, 3600, 86_400] as const;
const FIRST_SECONDS = 2 * 86_400;
const RUNS_AT_ONCE = 200;
const PAGES_PER_PASS = 10;
const MAX_PER_PASS = 200;
const MESSAGE = "The flow run that it belongs to was cancelled";

const LEASES_PER_PASS = 500;
/** A holder may take its slot a moment before its task run is written down. */
const SETTLING_SECONDS = 300;

interface Look {
  readonly delaySeconds: number;
  after: Ended;
}

/**
 * What a cancelled run has left behind is cancelled, too: its task runs, and the runs inside it. A
 * pass reads runs that were cancelled since the last one, and none where there are none.
 */
export function createCancelChildrenTick(
  ctx: OrchestratorContext,
): (signal: AbortSignal) => Promise<number> {
  const started = ctx.clock.now();
  const looks: Look[] = LOOKS_SECONDS.map((delaySeconds, i) => ({
    delaySeconds,
    after: endedAt(plusSeconds(started, -(LOOKS_SECONDS[i + 1] ?? FIRST_SECONDS))),
  }));
  const slots = createSlotSweep(ctx);
  return async (signal) => {
    let cancelled = 0;
    for (const look of looks) cancelled += await lookAt(ctx, look, signal);
    await slots(signal);
    return cancelled;
  };
}

async function lookAt(ctx: OrchestratorContext, look: Look, signal: AbortSignal): Promise<number> {
  const before = plusSeconds(ctx.clock.now(), -look.delaySeconds);
  let cancelled = 0;
  for (let page = 0; page < PAGES_PER_PASS && !signal.aborted; page += 1) {
    const query = { after: look.after, before, limit: RUNS_AT_ONCE };
    const runs = await findCancelled(ctx.db, query);
    const last = runs.at(-1);
    if (last === undefined) break;
    const ids = runs.map(({ id }) => id);
    const done = [await cancelTasks(ctx, ids, signal), await cancelSubflows(ctx, ids, signal)];
    for (const { count } of done) cancelled += count;
    // What is left of very many is for the next pass.
    if (signal.aborted || done.some(({ isMore }) => isMore)) break;
    look.after = last;
  }
  return cancelled;
}

interface Cancelled {
  readonly count: number;
  readonly isMore: boolean;
}

async function cancelTasks(
  ctx: OrchestratorContext,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Cancelled> {
  const runs = await findUnfinishedTasks(ctx.db, { ids, limit: MAX_PER_PASS });
  const count = await oneByOne(ctx, { runs, signal }, async (task) => {
    const { id, workspace_id, state_id } = task;
    const state = { type: "CANCELLED" as const, message: MESSAGE };
    const condition = state_id === null ? {} : { ifStateId: state_id };
    const proposal = { id, state, force: true, ...condition };
    const scope = scopeOfService(ctx, "deadlines", {
      operation: "POST /api/task_runs/{id}/set_state",
      workspaceId: workspace_id,
      requestId: id,
    });
    const result = await setTaskRunState(ctx, scope, proposal);
    return result.status === "ACCEPT";
  });
  return { count, isMore: count > 0 && runs.length === MAX_PER_PASS };
}

async function cancelSubflows(
  ctx: OrchestratorContext,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Cancelled> {
  const runs = await findUncancelledSubflows(ctx.db, { ids, limit: MAX_PER_PASS });
  const count = await oneByOne(ctx, { runs, signal }, async (run) => {
    if (run.state_id === null) return false;
    // A run with a deployment has infrastructure of its own, which must be stopped first.
    const type = run.deployment_id === null ? "CANCELLED" : "CANCELLING";
    const scope = scopeOfService(ctx, "deadlines", {
      operation: "POST /api/flow_runs/{id}/set_state",
      workspaceId: run.workspace_id,
      requestId: run.id,
    });
    await setFlowRunState(ctx, scope, {
      id: run.id,
      state: { type, message: MESSAGE },
      force: true,
      ifStateId: run.state_id,
    });
    return true;
  });
  return { count, isMore: count > 0 && runs.length === MAX_PER_PASS };
}

/**
 * Gives back slots that are held without end, by a task run that is gone or whose flow run has
 * ended. However many are held, a pass looks at some of them and goes on there the next time.
 */
function createSlotSweep(ctx: OrchestratorContext): (signal: AbortSignal) => Promise<void> {
  let after: string | null = null;
  return async (signal) => {
    const leases = await findEndlessLeases(ctx.db, { after, limit: LEASES_PER_PASS });
    after = leases.length === LEASES_PER_PASS ? (leases.at(-1)?.id ?? null) : null;
    const before = plusSeconds(ctx.clock.now(), -SETTLING_SECONDS);
    const holders = leases
      .filter(({ holder_type, created }) => holder_type === "task_run" && created < before)
      .flatMap(({ holder_id: id, workspace_id }) => (id === null ? [] : [{ id, workspace_id }]));
    if (holders.length === 0) return;
    const runs = await findDoneWith(ctx.db, holders);
    await oneByOne(ctx, { runs, signal }, async ({ id, workspace_id }) => {
      const now = ctx.clock.now();
      await ctx.db.write(workspace_id, (tx) =>
        releaseHolder(ctx, tx, { type: "task_run", id, now }),
      );
      return true;
    });
  };
}
