// A check that somebody waits for. It joins the run that is under way; a monitor that another
// process holds is checked by that process, so that no target is ever checked twice at once.

import type { CheckResult } from "@orchestrator/contract";
import { listIds } from "@orchestrator/kernel/lists";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import { MONITOR_LIST } from "../monitors/monitors.filter.ts";
import { findMonitor } from "../monitors/monitors.store.ts";
import { findLatestResult } from "../results/results.store.ts";
import { awaitedRequests } from "./awaited-requests.ts";
import { answerRequest, findRequest, requestCheck } from "./check-requests.store.ts";
import { claimAndRun } from "./claim-and-run.ts";
import type { EngineContext } from "./engine-context.ts";
import { ENGINE_TOPIC, LEASE_SECONDS, renewEngineLease } from "./lease.ts";
import { releaseMonitors } from "./shares.store.ts";

export interface CheckNowRequest {
  /** How long is waited for the result. @default longer than any run takes */
  readonly patienceMs?: number;
  /**
   * After how long this process tries to take a monitor whose holder, who was asked, may be gone.
   * @default as long as a hold lasts
   */
  readonly retryMs?: number;
  readonly workspaceId: string;
  readonly id: string;
  /** Fires when nobody waits any more. */
  readonly signal?: AbortSignal;
}

interface Asking extends CheckNowRequest {
  /** The request that is waited for; null while no other process is asked. */
  request: string | null;
  /**
   * When somebody else had asked whose answer was still to come when this was asked for; undefined
   * until another process is asked.
   */
  earlier: string | null | undefined;
}

/** Longer than any run takes. */
const PATIENCE_MS = 180_000;

/**
 * Checks a monitor, enabled or not, and gives the result; `not_found` when there is no such
 * monitor.
 */
export async function checkNow(ctx: EngineContext, asked: CheckNowRequest): Promise<CheckResult> {
  const until = performance.now() + (asked.patienceMs ?? PATIENCE_MS);
  const asking: Asking = { ...asked, request: null, earlier: undefined };
  while (performance.now() < until && !asked.signal?.aborted) {
    const result = (await checkHere(ctx, asking)) ?? (await checkElsewhere(ctx, asking));
    if (result !== null) return result;
  }
  throw new AppError("unavailable", "The check has taken too long");
}

/** Null when another process has the monitor, or has taken it before the end. */
async function checkHere(ctx: EngineContext, asking: Asking): Promise<CheckResult | null> {
  const { workspaceId, id } = asking;
  // Before anything else: the runs of this process are those of all workspaces.
  const monitor = await ctx.runs.asking.run(() => findMonitor(ctx.db.in(workspaceId), id));
  if (monitor === null) throw new AppError("not_found", "Monitor not found");
  const underWay = ctx.runs.find(id);
  if (underWay !== undefined && ctx.runs.isLooking(id)) return answered(ctx, asking, underWay);
  await ctx.runs.asking.run(() => renewEngineLease(ctx));
  const taken = await claimAndRun(ctx, workspaceId, id);
  if (taken === null) return null;
  const { run, holder } = taken;
  try {
    return await answered(ctx, asking, run);
  } finally {
    if (!taken.monitor.enabled) await leaveAlone(ctx, holder, id);
  }
}

/**
 * What a run here has seen; nobody is to run it once more for the request that was waited for
 * before.
 */
async function answered(
  { db, runs }: EngineContext,
  { id, request }: Asking,
  run: Promise<CheckResult | null>,
): Promise<CheckResult | null> {
  const result = await run;
  if (result !== null && request !== null)
    await runs.asking.run(() =>
      db.writeSystem(async (tx) => {
        await answerRequest(tx, { monitor_id: id, requested_at: request });
        tx.notify(ENGINE_TOPIC);
      }),
    );
  return result;
}

/** A paused monitor belongs to nobody. */
async function leaveAlone({ db, runs }: EngineContext, holder: string, id: string): Promise<void> {
  await runs.inTurn([id], async () => {
    if (runs.find(id) === undefined)
      await db.writeSystem((tx) => releaseMonitors(tx, holder, [id]));
  });
}

/**
 * Asks whoever has the monitor, and waits until it is checked; null when it is time to look again.
 */
async function checkElsewhere(ctx: EngineContext, asking: Asking): Promise<CheckResult | null> {
  const { workspaceId, id, signal, retryMs: patienceMs = LEASE_SECONDS * 1000 } = asking;
  const queries = ctx.db.in(workspaceId);
  const { asking: queue } = ctx.runs;
  // Once: what is asked for again just after it was answered is checked again.
  asking.request ??= await ask(ctx, asking);
  const { request } = asking;
  if (request === null) return null;
  const awaited = { monitor_id: id, requested_at: request };
  await awaitedRequests(ctx.db).gone(awaited, { patienceMs, signal });
  if ((await queue.run(() => findRequest(queries, id))) === request) return null;
  asking.request = null;
  // Whoever asked before may be told what was seen before this was asked for.
  return request === asking.earlier ? null : queue.run(() => findLatestResult(queries, id));
}

/** The request that there is from now on; null when somebody else's has just been answered. */
async function ask(ctx: EngineContext, asking: Asking): Promise<string | null> {
  const { workspaceId, id } = asking;
  const { asking: queue } = ctx.runs;
  const requested_at = ctx.clock.now();
  const isNew = await queue.run(() =>
    ctx.db.write(workspaceId, async (tx) => {
      const isFirst = await requestCheck(tx, { monitor_id: id, requested_at });
      if (isFirst) tx.notify(ENGINE_TOPIC);
      return isFirst;
    }),
  );
  const queries = ctx.db.in(workspaceId);
  const request = isNew ? requested_at : await queue.run(() => findRequest(queries, id));
  if (asking.earlier === undefined) asking.earlier = isNew ? null : request;
  return request;
}

const MOST_MONITORS = 100_000;
const PATIENT = { patienceMs: Number.POSITIVE_INFINITY };
const MOST_ASKED = 1000;

/**
 * Checks the enabled monitors that have all the tags; the results in the order of the monitors.
 * However many there are and however slow their targets, each has its turn, for as long as somebody
 * waits.
 */
export async function checkAll(
  ctx: EngineContext,
  { tags, ...asked }: Omit<CheckNowRequest, "id"> & { readonly tags: readonly string[] },
): Promise<CheckResult[]> {
  const { workspaceId } = asked;
  const filter = { enabled: { eq_: true }, ...(tags.length > 0 ? { tags: { all_: tags } } : {}) };
  const ids = await listIds(ctx.db.in(workspaceId), MONITOR_LIST, { filter, limit: MOST_MONITORS });
  const results = new Array<CheckResult | null>(ids.length).fill(null);
  const left = ids.entries();
  const work = async (): Promise<void> => {
    for (const [place, id] of left)
      results[place] = await checkNow(ctx, { ...asked, ...PATIENT, id }).catch((error: unknown) => {
        // It was deleted in the meantime.
        if (isAppError(error, "not_found")) return null;
        throw error;
      });
  };
  await Promise.all(Array.from({ length: Math.min(ids.length, MOST_ASKED) }, work));
  return results.filter((result) => result !== null);
}
