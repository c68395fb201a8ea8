// What becomes of the runs under SLAs: watched, violated, restored. Each is told once, in the
// transaction that writes it down.

import { plusSeconds } from "@orchestrator/kernel/pure";
import type { SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { scopeOfService } from "../../service-scope.ts";
import { evaluateSla, type SlaVerdict } from "./sla-verdict.rules.ts";
import {
  type LockedSla,
  lockSlas,
  putWatch,
  readRuns,
  removeWatch,
  type SlaRunPair,
  type WatchedRun,
} from "./sla-watches.store.ts";
import { type ConcernedRun, type Owner, restoredEvent, violatedEvent } from "./slas.events.ts";
import { findOwner, recordRestored, recordViolation, writeFreshness } from "./slas.store.ts";

export interface RunsToEvaluate {
  readonly pairs: readonly SlaRunPair[];
  /**
   * When the events occurred that are read about each run; null where nothing but time has passed.
   */
  readonly told: ReadonlyMap<string, ReadonlySet<string>> | null;
  readonly now: string;
}

/**
 * Judges each run by each SLA that is still enabled, and tells how many it wrote something about.
 */
export async function evaluateRuns(
  ctx: OrchestratorContext,
  tx: SystemTransaction,
  { pairs, told, now }: RunsToEvaluate,
): Promise<number> {
  const slas = await lockSlas(
    tx,
    pairs.map(({ sla_id }) => sla_id),
  );
  if (slas.size === 0) return 0;
  let written = 0;
  for (const run of await readRuns(tx, pairs)) {
    const sla = slas.get(run.sla_id);
    if (sla === undefined) continue;
    const judging = { ctx, tx: tx.inWorkspace(sla.workspace_id), sla, run, now };
    const events = told === null ? null : (told.get(run.id) ?? NO_EVENTS);
    if (sla.kind !== "freshness") {
      if (await judgeRun(judging, events)) written += 1;
    } else if (isCompletion(run, events)) {
      slas.set(sla.id, { ...sla, ...(await refresh(judging, run.end_time)) });
      written += 1;
    }
  }
  return written;
}

const NO_EVENTS: ReadonlySet<string> = new Set();

interface Judging {
  readonly ctx: OrchestratorContext;
  readonly tx: Transaction;
  readonly sla: LockedSla;
  readonly run: WatchedRun;
  readonly now: string;
}

function isCompletion(
  run: WatchedRun,
  events: ReadonlySet<string> | null,
): run is WatchedRun & { readonly end_time: string } {
  return run.state_type === "COMPLETED" && run.end_time !== null && !!events?.has(run.end_time);
}

async function judgeRun(judging: Judging, events: ReadonlySet<string> | null): Promise<boolean> {
  const { sla, run, now } = judging;
  const isWatched = run.watch_since !== null;
  const verdict = evaluateSla(sla, run, { since: run.watch_since, now });
  if (verdict === null) return false;
  const { since, over } = verdict;
  if (over === null) return open(judging, verdict);
  // The event that tells of the end is on its way, and is read once: it settles the run.
  if (events === null) return isWatched && writeWatch(judging, { since });
  const isNew = events.has(over) && over > (sla.since ?? now);
  if (!isWatched && !isNew) return false;
  await settle(judging, { ...verdict, over });
  return true;
}

/** A run whose bound has passed, or will. */
async function open(judging: Judging, verdict: SlaVerdict): Promise<boolean> {
  const { run } = judging;
  if (run.watch_violated !== null) return false;
  const { since, violated, due } = verdict;
  if (violated === null) return run.watch_due !== due && writeWatch(judging, { since, due });
  const violation_id = await publishViolation(judging, { run, since, violated });
  return writeWatch(judging, { since, violated, violation_id });
}

/** A run that is no longer under way, or no longer waits. */
async function settle(
  judging: Judging,
  { since, over, ...verdict }: SlaVerdict & { readonly over: string },
): Promise<void> {
  const { tx, sla, run } = judging;
  const violated = run.watch_violated ?? verdict.violated;
  if (violated !== null) {
    const told = { run, since, violated };
    const follows = run.watch_violation_id ?? (await publishViolation(judging, told));
    await tellRestoration(judging, { ...told, restored: over, follows });
  }
  if (run.watch_since !== null) await removeWatch(tx, { sla_id: sla.id, flow_run_id: run.id });
}

interface WatchChange {
  readonly since: string;
  readonly due?: string | null;
  readonly violated?: string | null;
  readonly violation_id?: string | null;
}

async function writeWatch(
  { tx, sla, run }: Judging,
  { since, due = null, violated, violation_id }: WatchChange,
): Promise<boolean> {
  await putWatch(tx, {
    sla_id: sla.id,
    flow_run_id: run.id,
    since,
    due,
    violated: violated ?? run.watch_violated,
    violation_id: violation_id ?? run.watch_violation_id,
  });
  return true;
}

/** A run has completed: from now on the time counts from its end. */
async function refresh(judging: Judging, end: string): Promise<Partial<LockedSla>> {
  const { tx, sla, now } = judging;
  const since = sla.since ?? now;
  if (end <= since) return {};
  const bound = plusSeconds(since, sla.seconds);
  const violated = sla.violated ?? (end > bound ? bound : null);
  if (violated !== null) {
    const told = { run: null, since, violated };
    const follows = sla.violation_id ?? (await publishViolation(judging, told));
    await tellRestoration(judging, { ...told, restored: end, follows });
  }
  const due = plusSeconds(end, sla.seconds);
  const fresh = { since: end, due, violated: null, violation_id: null };
  await writeFreshness(tx, { id: sla.id, ...fresh });
  return fresh;
}

interface Violated {
  readonly run: ConcernedRun | null;
  readonly since: string;
  readonly violated: string;
}

type Telling = Pick<Judging, "ctx" | "tx" | "sla" | "now">;

/** Writes down and tells that the bound has passed; answers the id of the event. */
export async function publishViolation(
  { ctx, tx, sla, now }: Telling,
  { run, since, violated }: Violated,
): Promise<string> {
  assertMayTell(ctx, sla);
  const owner = await ownerOf(tx, sla);
  await recordViolation(tx, { id: sla.id, violated, flow_run_id: run?.id ?? null });
  return emitResourceEvent(ctx, tx, violatedEvent({ sla, owner, run, since, violated }, now));
}

async function tellRestoration(
  { ctx, tx, sla, now }: Telling,
  told: Violated & { readonly restored: string; readonly follows: string | null },
): Promise<void> {
  assertMayTell(ctx, sla);
  const owner = await ownerOf(tx, sla);
  await recordRestored(tx, { id: sla.id, restored: told.restored });
  await emitResourceEvent(ctx, tx, restoredEvent({ sla, owner, ...told }, now));
}

function assertMayTell(
  ctx: OrchestratorContext,
  { id, workspace_id: workspaceId }: LockedSla,
): void {
  scopeOfService(ctx, "slas", { operation: "POST /api/events", workspaceId, requestId: id });
}

async function ownerOf(tx: Transaction, { deployment_id }: LockedSla): Promise<Owner> {
  const owner = await findOwner(tx, deployment_id);
  if (owner === null) throw new Error("An SLA outlived its deployment");
  return owner;
}
