// One look at a backfill: the runs that may be created now are created, or those of a cancelled one
// are cancelled.

import type { BackfillSchedule } from "@orchestrator/contract";
import { type JsonMap, mergeMembers, readJson } from "@orchestrator/exact-json";
import { formatMicros, isAppError, parseMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { type BackfillRow, CREATED_BY } from "../../db/tables/backfills.table.ts";
import type { DeploymentRow } from "../../db/tables/deployments.table.ts";
import { lockDeployment } from "../../runs/deployment/deployments.store.ts";
import { insertFlowRun } from "../../runs/flow-runs/create-flow-run.service.ts";
import { type NewFlowRun, runLabels } from "../../runs/flow-runs/new-flow-run.ts";
import { setFlowRunState } from "../../runs/orchestration/set-flow-run-state.ts";
import { scopeOfService } from "../../service-scope.ts";
import { nextQuotaCheckAt, publishUsedUpQuota } from "../../workspace/quotas/used-up.service.ts";
import type { BackfillTime } from "../times/backfill-times.rules.ts";
import { computeTimesOfPlan } from "../times/compute-schedules.ts";
import { calendarOf } from "../times/schedules.rules.ts";
import { countActiveRuns, findKnownKeys, readRunsToCancel } from "./backfill-runs.store.ts";
import { backfillLabel } from "./backfills.events.ts";
import { publishBackfillEvent } from "./backfills.service.ts";
import {
  type DueBackfill,
  findBackfillRow,
  lockBackfill,
  updateBackfillRow,
} from "./backfills.store.ts";

/** One transaction makes so many runs: few enough that other writers get their turn. */
const RUNS_AT_ONCE = 25;
/** So many times are looked at together where some of them are left out. */
const TIMES_AT_ONCE = 100;
/** Runs end without telling; this is less than the period of the loop, so that each pass looks. */
const PAUSE_MICROS = 1_000_000;

export interface ClaimedBackfill extends DueBackfill {
  /** While the row holds this, the backfill is in our hands. */
  readonly claim: string;
}

/** Tells how many runs it created. */
export async function advanceBackfill(
  ctx: OrchestratorContext,
  claimed: ClaimedBackfill,
  signal: AbortSignal,
): Promise<number> {
  const scope = scopeOfService(ctx, "backfills", {
    operation: "POST /api/deployments/{id}/create_flow_run",
    workspaceId: claimed.workspace_id,
    requestId: claimed.id,
  });
  const { workspaceId } = scope;
  let created = 0;
  for (let step: Step = { kind: "go on", created: 0 }; step.kind === "go on"; ) {
    if (signal.aborted) break;
    const found = await findTimes(ctx, scope, claimed.id);
    step = await ctx.db.write(workspaceId, (tx) => createSome(ctx, tx, { claimed, found }));
    created += step.created;
    if (step.kind === "cancel runs") await cancelRuns(ctx, claimed, signal);
    if (step.kind === "held") await publishUsedUpQuota(ctx, workspaceId, "backfills");
  }
  return created;
}

interface Step {
  /** Held: the workspace may make no more runs for now. */
  readonly kind: "go on" | "cancel runs" | "held" | "done";
  readonly created: number;
}

const DONE: Step = { kind: "done", created: 0 };

/**
 * Runs and progress are written together, so that a crash loses and doubles nothing. The deployment
 * is held, because whoever deletes it deletes the runs that have not begun, and must see these.
 */
async function createSome(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    claimed: { id, deployment_id, claim },
    found,
  }: { readonly claimed: ClaimedBackfill; readonly found: FoundTimes },
): Promise<Step> {
  const deployment = await lockDeployment(tx, { id: deployment_id });
  const row = await lockBackfill(tx, id);
  if (deployment === null || row === null || row.due !== claim) return DONE;
  if (row.status !== "RUNNING") return { kind: "cancel runs", created: 0 };
  const active = await countActiveRuns(tx, id);
  const room = Math.max(0, row.max_concurrent - active);
  const wanted = Math.min(room, RUNS_AT_ONCE);
  const most = Math.min(wanted, ctx.quotas.allowance(tx.workspaceId, "runs").left);
  const { times, next, skipped } = await takeTimes(tx, row, {
    flowId: deployment.flow_id,
    most,
    found,
  });
  for (const time of times) await insertFlowRun(ctx, tx, newRun(ctx, { row, deployment, time }));
  const after: BackfillRow = {
    ...row,
    created_runs: row.created_runs + times.length,
    skipped: row.skipped + skipped,
    next_time: next === null ? null : formatMicros(next.date),
    next_schedule: next?.schedule ?? 0,
    updated: times.length + skipped > 0 ? ctx.clock.now() : row.updated,
  };
  const isFull = times.length === room;
  const isHeld = next !== null && most < wanted && times.length === most;
  const pauseUntil = isHeld ? nextQuotaCheckAt(ctx, tx.workspaceId) : null;
  await write(ctx, tx, { row: after, active: active + times.length, isFull, pauseUntil });
  if (isHeld) return { kind: "held", created: times.length };
  return { kind: isFull || next === null ? "done" : "go on", created: times.length };
}

/**
 * What comes next: it goes on at once, it waits for runs to end or for room, or all of them have
 * ended.
 */
async function write(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    row,
    active,
    isFull,
    pauseUntil,
  }: {
    readonly row: BackfillRow;
    readonly active: number;
    readonly isFull: boolean;
    /** Where it may go on no sooner, whatever ends. */
    readonly pauseUntil: number | null;
  },
): Promise<void> {
  const now = ctx.clock.now();
  if (row.next_time === null && active === 0) {
    const completed = { ...row, status: "COMPLETED", updated: now, due: null } as const;
    await updateBackfillRow(tx, completed);
    await publishBackfillEvent(ctx, tx, { verb: "completed", row: completed, now });
  } else if (isFull || row.next_time === null || pauseUntil !== null) {
    const due = formatMicros(pauseUntil ?? ctx.clock.nowMicros() + PAUSE_MICROS);
    await updateBackfillRow(tx, { ...row, due });
  } else {
    await updateBackfillRow(tx, row);
  }
}

interface TakenTimes {
  readonly times: readonly BackfillTime[];
  readonly next: BackfillTime | null;
  readonly skipped: number;
}

/** Times from one on, found before the transaction: a write must not wait for a search. */
interface FoundTimes {
  readonly at: BackfillTime | null;
  readonly times: readonly BackfillTime[];
}

async function findTimes(ctx: OrchestratorContext, scope: Scope, id: string): Promise<FoundTimes> {
  const row = await findBackfillRow(ctx.db.in(scope.workspaceId), id);
  const at = row === null ? null : nextOf(row);
  if (row === null || at === null) return { at: null, times: [] };
  const plan = {
    schedules: schedulesOf(row).map(({ schedule }) => calendarOf(schedule)),
    start: parseMicros(row.start),
    end: parseMicros(row.end),
    order: row.order,
  };
  const count = (row.skip_existing ? TIMES_AT_ONCE : RUNS_AT_ONCE) + 1;
  return { at, times: await computeTimesOfPlan(ctx.compute.for(scope), { plan, at, count }) };
}

const schedulesOf = ({ schedules }: BackfillRow): BackfillSchedule[] =>
  readJson(schedules) as BackfillSchedule[];

const nextOf = ({ next_time, next_schedule }: BackfillRow): BackfillTime | null =>
  next_time === null ? null : { date: parseMicros(next_time), schedule: next_schedule };

/** The next times that become runs, what follows them, and how many in between are left out. */
async function takeTimes(
  tx: Transaction,
  row: BackfillRow,
  {
    flowId,
    most,
    found,
  }: { readonly flowId: string; readonly most: number; readonly found: FoundTimes },
): Promise<TakenTimes> {
  const at = nextOf(row);
  if (at === null) return { times: [], next: null, skipped: 0 };
  const isMoved = found.at?.date !== at.date || found.at.schedule !== at.schedule;
  if (most === 0 || isMoved) return { times: [], next: at, skipped: 0 };
  const schedules = schedulesOf(row);
  const count = row.skip_existing ? TIMES_AT_ONCE : most;
  const ahead = found.times.slice(0, count + 1);
  const keyOf = (time: BackfillTime) =>
    `scheduled ${row.deployment_id} ${schedules[time.schedule]?.id} ${formatMicros(time.date)}`;
  const known = row.skip_existing
    ? await findKnownKeys(tx, { flowId, keys: ahead.map(keyOf) })
    : new Set();
  const times: BackfillTime[] = [];
  let looked = 0;
  for (const time of ahead.slice(0, count)) {
    const isKnown = known.has(keyOf(time));
    if (!isKnown && times.length === most) break;
    if (!isKnown) times.push(time);
    looked += 1;
  }
  return { times, next: ahead[looked] ?? null, skipped: looked - times.length };
}

function newRun(
  ctx: OrchestratorContext,
  {
    row,
    deployment,
    time,
  }: {
    readonly row: BackfillRow;
    readonly deployment: DeploymentRow;
    readonly time: BackfillTime;
  },
): NewFlowRun {
  const { prefix } = ctx.dialect;
  const date = formatMicros(time.date);
  const schedule = (readJson(row.schedules) as BackfillSchedule[])[time.schedule];
  const given = { [`${prefix}.backfill.id`]: row.id, [`${prefix}.scheduled-for`]: date };
  return {
    flow_id: deployment.flow_id,
    deployment_id: deployment.id,
    deployment_version: deployment.version,
    work_queue_id: deployment.work_queue_id,
    infrastructure_document_id: deployment.infrastructure_document_id,
    state: { type: "SCHEDULED", message: `Flow run created for ${date}` },
    parameters: mergeMembers(
      readJson(deployment.parameters) as JsonMap,
      schedule?.parameters ?? {},
      readJson(row.parameters) as JsonMap,
    ),
    idempotency_key: `backfill ${row.id} ${schedule?.id} ${date}`,
    tags: ["backfill", ...(JSON.parse(deployment.tags) as string[])],
    labels: runLabels(ctx, { flow: { id: deployment.flow_id, labels: "{}" }, deployment, given }),
    created_by: { id: row.id, type: CREATED_BY, display_value: backfillLabel(row) },
  };
}

/**
 * Tells all runs that have not ended to stop. Done once; each run then ends by itself or by its
 * deadline.
 */
async function cancelRuns(
  ctx: OrchestratorContext,
  { id, workspace_id: workspaceId, claim }: ClaimedBackfill,
  signal: AbortSignal,
): Promise<void> {
  const state = { type: "CANCELLING", message: "The backfill was cancelled" } as const;
  const scope = scopeOfService(ctx, "backfills", {
    operation: "POST /api/flow_runs/{id}/set_state",
    workspaceId,
    requestId: id,
  });
  for (const run of await readRunsToCancel(ctx.db.in(workspaceId), id)) {
    // What is left is done when the claim has ended.
    if (signal.aborted) return;
    await setFlowRunState(ctx, scope, { id: run, state }).catch((error: unknown) => {
      // Somebody has deleted it.
      if (!isAppError(error, "not_found")) throw error;
    });
  }
  await ctx.db.write(workspaceId, async (tx) => {
    const row = await lockBackfill(tx, id);
    if (row?.due === claim) await updateBackfillRow(tx, { ...row, due: null });
  });
}
