// SLAs are judged by the events of runs and, where nothing happens, by time: each watch and each
// SLA says when to look next.

import { createLogReader, type LoggedEvent } from "@orchestrator/kernel/events";
import { plusSeconds, RESOURCE_PREFIXES, sleep } from "@orchestrator/kernel/pure";
import type { SystemTransaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { evaluateRuns, publishViolation } from "./evaluate-runs.service.ts";
import {
  findDueSlas,
  findDueWatches,
  findPairs,
  findUnderWay,
  findUnwatchedWaiting,
  hasSlas,
  type LockedSla,
  lockSlas,
} from "./sla-watches.store.ts";
import { writeDue, writeFreshness } from "./slas.store.ts";

const BATCH = 200;
const SLAS_AT_ONCE = 50;
const WATCHES_AT_ONCE = 100;
const RUNS_AT_ONCE = 200;
/** Every change in the database may bring an event; those of this long are read together. */
const PAUSE_MS = 250;
/** Where there are no SLAs, the log is only followed so that it can be shortened. */
const IDLE_MICROS = 60_000_000;
/**
 * How often to look for waiting runs that are in no event: by their bound, but neither all the time
 * nor hardly ever.
 */
const MIN_LOOK_SECONDS = 5;
const MAX_LOOK_SECONDS = 3600;

/**
 * Reads what has happened, then looks at what is due: in this order, so that nothing is missed that
 * has come.
 */
export function createSlaPass(ctx: OrchestratorContext): (signal: AbortSignal) => Promise<void> {
  let lastRead = Number.NEGATIVE_INFINITY;
  const reader = createLogReader(ctx.db, ctx.clock, {
    name: "slas",
    batchSize: BATCH,
    handle: (tx, events) => readEvents(ctx, tx, events),
  });
  return async (signal) => {
    const now = ctx.clock.now();
    const nowMicros = ctx.clock.nowMicros();
    const isWatching = await hasSlas(ctx.db);
    if (!isWatching && nowMicros - lastRead < IDLE_MICROS) return;
    await reader.drain(signal);
    lastRead = nowMicros;
    if (!isWatching) return;
    await lookAtDeployments(ctx, { now, signal });
    await judgeDue(ctx, { now, signal });
  };
}

/** A pass and a pause, so that nudges without end do not make it read event by event. */
export function createSlaTick(ctx: OrchestratorContext): (signal: AbortSignal) => Promise<void> {
  const pass = createSlaPass(ctx);
  return async (signal) => {
    await pass(signal);
    await sleep(PAUSE_MS, signal);
  };
}

const PREFIXES = RESOURCE_PREFIXES.map((prefix) => `${prefix}.flow-run.`);

async function readEvents(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  events: readonly LoggedEvent[],
): Promise<void> {
  const told = new Map<string, Set<string>>();
  for (const { event, resource_id, occurred } of events) {
    const prefix = PREFIXES.find((own) => event.startsWith(own) && resource_id.startsWith(own));
    const id = prefix === undefined ? "" : resource_id.slice(prefix.length);
    if (!UUID.test(id)) continue;
    told.set(id, (told.get(id) ?? new Set()).add(occurred));
  }
  if (told.size === 0) return;
  const pairs = await findPairs(tx, [...told.keys()]);
  if (pairs.length > 0) await evaluateRuns(ctx, tx, { pairs, told, now: ctx.clock.now() });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface Pass {
  readonly now: string;
  readonly signal: AbortSignal;
}

/** Runs whose bound has passed. */
async function judgeDue(ctx: OrchestratorContext, { now, signal }: Pass): Promise<void> {
  while (!signal.aborted) {
    const pairs = await findDueWatches(ctx.db, { now, limit: WATCHES_AT_ONCE });
    if (pairs.length === 0) return;
    const judging = { pairs, told: null, now };
    // Others are at work on them, if nothing was to be written.
    if ((await ctx.db.writeSystem((tx) => evaluateRuns(ctx, tx, judging))) === 0) return;
  }
}

async function lookAtDeployments(ctx: OrchestratorContext, { now, signal }: Pass): Promise<void> {
  const due = await findDueSlas(ctx.db, { now, limit: SLAS_AT_ONCE });
  for (const { id } of due) {
    if (signal.aborted) return;
    await ctx.db.writeSystem((tx) => lookAt(ctx, tx, { id, now }));
  }
  if (due.length === SLAS_AT_ONCE && !signal.aborted) await lookAtDeployments(ctx, { now, signal });
}

async function lookAt(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<void> {
  const sla = (await lockSlas(tx, [id])).get(id);
  if (sla === undefined || sla.due === null || sla.due > now) return;
  if (sla.kind === "freshness") await loseFreshness(ctx, tx, { sla, now });
  else await watchRuns(ctx, tx, { sla, now });
}

interface Look {
  readonly sla: LockedSla;
  readonly now: string;
}

/** No run has completed for too long. */
async function loseFreshness(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { sla, now }: Look,
): Promise<void> {
  const inWorkspace = tx.inWorkspace(sla.workspace_id);
  const since = sla.since ?? now;
  const violated = plusSeconds(since, sla.seconds);
  const telling = { ctx, tx: inWorkspace, sla, now };
  const violation_id = await publishViolation(telling, { run: null, since, violated });
  await writeFreshness(inWorkspace, { id: sla.id, since, due: null, violated, violation_id });
}

/**
 * Puts runs under the SLA that no event has told of: those there were before it, and those that
 * wait to be begun.
 */
async function watchRuns(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { sla, now }: Look,
): Promise<void> {
  const inWorkspace = tx.inWorkspace(sla.workspace_id);
  const { id: sla_id, deployment_id, kind } = sla;
  const looking = { sla_id, deployment_id, now, limit: RUNS_AT_ONCE };
  const isFirst = sla.due === sla.since;
  const underWay = isFirst ? await findUnderWay(inWorkspace, kind, looking) : [];
  const waiting = kind === "lateness" ? await findUnwatchedWaiting(inWorkspace, looking) : [];
  const pairs = [...underWay, ...waiting].map((flow_run_id) => ({ sla_id, flow_run_id }));
  const written = pairs.length === 0 ? 0 : await evaluateRuns(ctx, tx, { pairs, told: null, now });
  // There may be more of those: it stays due, and the next look finds the others.
  if (written > 0 && underWay.length === RUNS_AT_ONCE) return;
  await writeDue(inWorkspace, { id: sla_id, due: nextLook(sla, now) });
}

function nextLook({ kind, seconds }: LockedSla, now: string): string | null {
  if (kind !== "lateness") return null;
  return plusSeconds(now, Math.min(MAX_LOOK_SECONDS, Math.max(MIN_LOOK_SECONDS, seconds)));
}
