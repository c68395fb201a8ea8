import type { Schedule } from "@orchestrator/contract";
import { OverBudgetError, ThreadFailedError } from "@orchestrator/kernel/compute";
import {
  formatMicros,
  isAppError,
  parseMicros,
  sleep,
  yieldingBetweenSteps,
} from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { announceRun } from "../../polling/work-topics.rules.ts";
import { scopeOfService } from "../../service-scope.ts";
import { nextQuotaCheckAt, publishUsedUpQuota } from "../../workspace/quotas/used-up.service.ts";
import { computeFilling } from "../times/compute-schedules.ts";
import {
  type Catchup,
  type FilledTimes,
  MICROS_PER_HOUR,
  MICROS_PER_SECOND,
  MINUTE,
} from "../times/fill.rules.ts";
import { calendarOf } from "../times/schedules.rules.ts";
import { scheduledRuns } from "./scheduled-run-rows.ts";
import { insertScheduledRuns } from "./scheduled-runs-insert.store.ts";
import {
  type ClaimedSource,
  claimDueSchedules,
  findLookAhead,
  hasDueSchedules,
  readClaimed,
  settleSchedules,
  wakeSchedulesPutOff,
} from "./scheduler.store.ts";
import { shareOut, type Wanting } from "./share.rules.ts";

const SCHEDULES_AT_ONCE = 100;
/**
 * One statement writes about so many runs: enough to be cheap, few enough that other writers get
 * their turn.
 */
const RUNS_AT_ONCE = 500;
/**
 * When a replica dies with schedules in its hands, others take them after this; a slower one finds
 * its claim gone.
 */
const CLAIM_MICROS = 15 * MICROS_PER_SECOND;
/**
 * How long a pass waits for threads, once everything else is done: a third of that, for the runs
 * have to be written, too.
 */
const WAITING_MS = 5000;
/** A clock that is put back by less is only set. */
const WRONG_MICROS = 60 * MICROS_PER_SECOND;

/**
 * Creates the runs of all schedules that are due. A schedule is claimed, its times are worked out,
 * and then runs and progress are written together: a crash, a second replica or a change in between
 * creates nothing twice, and the schedule is looked at again.
 */
export async function fillDueSchedules(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<number> {
  let created = 0;
  const costly: Promise<number>[] = [];
  await heedClock(ctx);
  while (!signal.aborted && (await hasDueSchedules(ctx.db, ctx.clock.now()))) {
    const nowMicros = ctx.clock.nowMicros();
    const now = formatMicros(nowMicros);
    const claim = formatMicros(nowMicros + CLAIM_MICROS);
    const ids = await ctx.db.writeSystem((tx) =>
      claimDueSchedules(tx, { now, claim, limit: SCHEDULES_AT_ONCE }),
    );
    const sources = await readClaimed(ctx.db, { ids, claim });
    const { filled, waiting } = await fillAll(ctx, sources, nowMicros);
    for (const one of waiting) costly.push(writeLater(ctx, one, { now, claim }));
    for (const batch of inBatches(filled)) {
      created += await writeAllowed(ctx, batch, { now, claim });
    }
    // Others are at work on what is left.
    if (ids.length === 0) break;
  }
  if (costly.length === 0) return created;
  const stop = new AbortController();
  const all = Promise.all(costly).then((counts) => counts.reduce((sum, count) => sum + count, 0));
  created += (await Promise.race([all, sleep(WAITING_MS, stop.signal)])) ?? 0;
  stop.abort();
  return created;
}

/**
 * What a thread works out holds up no other schedule. If its claim has ended by then, somebody else
 * has looked at it again.
 */
async function writeLater(
  ctx: OrchestratorContext,
  waiting: Promise<FilledSource | null>,
  moment: Moment,
): Promise<number> {
  try {
    const filled = await waiting;
    return filled === null ? 0 : await writeAllowed(ctx, [filled], moment);
  } catch (error) {
    ctx.log.error({ err: error }, "The runs of a schedule cannot be written");
    return 0;
  }
}

/** When each clock was looked at last. */
const looks = new WeakMap<OrchestratorContext["clock"], number>();

/**
 * A clock that went ahead and was put right has filled schedules for a time that is yet to come,
 * and nobody would look at them until then. They are looked at again; what has a run already gets
 * no other. It may have been put right before this process began.
 */
async function heedClock({ clock, db, log }: OrchestratorContext): Promise<void> {
  const micros = clock.nowMicros();
  const last = looks.get(clock) ?? Number.POSITIVE_INFINITY;
  if (last - micros >= WRONG_MICROS) {
    const now = formatMicros(micros);
    const after = formatMicros(micros + WRONG_MICROS);
    const ahead = await findLookAhead(db, { now, after });
    if (ahead !== null) {
      log.warn(
        { seconds: (parseMicros(ahead) - micros) / MICROS_PER_SECOND },
        "The clock was put back: the schedules that it had filled ahead of time are looked at again",
      );
      await db.writeSystem((tx) => wakeSchedulesPutOff(tx, now));
    }
  }
  looks.set(clock, micros);
}

interface FilledSource extends Wanting {
  readonly source: ClaimedSource;
}

interface Fillings {
  readonly filled: readonly FilledSource[];
  /** On threads. */
  readonly waiting: readonly Promise<FilledSource | null>[];
}

async function fillAll(
  ctx: OrchestratorContext,
  sources: readonly ClaimedSource[],
  now: number,
): Promise<Fillings> {
  const turn = yieldingBetweenSteps();
  const waiting = new Set<Promise<FilledSource | null>>();
  const filled: FilledSource[] = [];
  let isOver = false;
  for (const source of sources) {
    const filling = fill(ctx, source, now);
    waiting.add(filling);
    void filling.then((one) => {
      if (isOver) return;
      waiting.delete(filling);
      if (one !== null) filled.push(one);
    });
    await turn();
  }
  // What the event loop has worked out is there by the next timer.
  await sleep(0);
  isOver = true;
  return { filled, waiting: [...waiting] };
}

/** Null for one that is looked at again when its claim has ended. */
async function fill(
  ctx: OrchestratorContext,
  source: ClaimedSource,
  now: number,
): Promise<FilledSource | null> {
  const filledUntil = source.filled_until === null ? now : parseMicros(source.filled_until);
  const passedOver = source.catchup === "none" ? now : null;
  const { workspace_id: workspaceId } = source;
  const compute = ctx.compute.for({ workspaceId, caller: { kind: "system", id: "scheduler" } });
  try {
    const filled = await computeFilling(compute, {
      id: source.schedule_id,
      schedule: calendarOf(JSON.parse(source.schedule) as Schedule),
      now,
      created: parseMicros(source.schedule_created),
      filledUntil,
      catchup: source.catchup as Catchup,
      jitter: Math.round(source.jitter_seconds * MICROS_PER_SECOND),
      maxRuns: source.max_scheduled_runs,
    });
    return { source, filled, filledUntil, passedOver };
  } catch (error) {
    const isMachine = error instanceof ThreadFailedError;
    const isBusy = isAppError(error, "too_many_requests") || isAppError(error, "unavailable");
    if (isBusy && !isMachine) return null;
    ctx.log.error({ err: error, schedule: source.schedule_id }, "A schedule cannot be worked out");
    const filled = givenUp(error, { now, filledUntil });
    return { source, filled, filledUntil, passedOver };
  }
}

/**
 * One that cannot be read must not come up again and again: it waits for a change. One that takes
 * too much is tried once an hour, and one that is not to blame for the failure of a thread once a
 * minute.
 */
function givenUp(
  error: unknown,
  { now, filledUntil }: { readonly now: number; readonly filledUntil: number },
): FilledTimes {
  if (error instanceof OverBudgetError)
    return { times: [], filledUntil, due: now + MICROS_PER_HOUR };
  if (error instanceof ThreadFailedError) return { times: [], filledUntil, due: now + MINUTE };
  return { times: [], filledUntil: now, due: null };
}

/** Of one workspace each, and of about as many runs as are written at once. */
function inBatches(filled: readonly FilledSource[]): FilledSource[][] {
  const batches: FilledSource[][] = [];
  let room = 0;
  const sorted = filled.toSorted((a, b) =>
    a.source.workspace_id < b.source.workspace_id ? -1 : 1,
  );
  for (const item of sorted) {
    const batch = batches.at(-1);
    const isSame = batch?.[0]?.source.workspace_id === item.source.workspace_id;
    if (batch === undefined || !isSame || room < item.filled.times.length) {
      batches.push([item]);
      room = RUNS_AT_ONCE - item.filled.times.length;
    } else {
      batch.push(item);
      room -= item.filled.times.length;
    }
  }
  return batches;
}

interface Moment {
  readonly now: string;
  readonly claim: string;
}

/**
 * As far as the workspace may make runs. What it may not is not lost: times become runs when there
 * is room again.
 */
async function writeAllowed(
  ctx: OrchestratorContext,
  batch: readonly FilledSource[],
  moment: Moment,
): Promise<number> {
  const [first] = batch;
  if (first === undefined) return 0;
  const { workspace_id } = first.source;
  scopeOfService(ctx, "scheduler", {
    operation: "POST /api/deployments/{id}/create_flow_run",
    workspaceId: workspace_id,
    requestId: moment.claim,
  });
  const { left } = ctx.quotas.allowance(workspace_id, "runs");
  if (left === Number.POSITIVE_INFINITY) return write(ctx, batch, moment);
  const again = nextQuotaCheckAt(ctx, workspace_id);
  const allowed = shareOut(batch, { left, again });
  const created = await write(ctx, allowed, moment);
  if (allowed.some(({ filled }) => filled.due === again))
    await publishUsedUpQuota(ctx, workspace_id, "scheduler");
  return created;
}

async function write(
  ctx: OrchestratorContext,
  batch: readonly FilledSource[],
  { now, claim }: Moment,
): Promise<number> {
  const [first] = batch;
  if (first === undefined) return 0;
  const making = { ids: ctx.ids, now, prefix: ctx.dialect.prefix };
  const prepared = batch
    .filter(({ filled }) => filled.times.length > 0)
    .map(({ source, filled: { times } }) => ({
      source,
      scheduled: scheduledRuns(source, times, making),
    }));
  const rows = batch.map(({ source, filled }) => ({
    id: source.schedule_id,
    filled_until: formatMicros(filled.filledUntil),
    due: filled.due === null ? null : formatMicros(filled.due),
  }));
  return ctx.db.writeSystem(async (tx) => {
    const settled = await settleSchedules(tx, { rows, claim });
    const mine = prepared.filter(({ source }) => settled.has(source.schedule_id));
    const inWorkspace = tx.inWorkspace(first.source.workspace_id);
    for (const { source } of mine) announceRun(inWorkspace, source);
    return insertScheduledRuns(
      inWorkspace,
      mine.map(({ scheduled }) => scheduled),
    );
  });
}
