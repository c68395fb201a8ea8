import { readJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { HeartbeatCalls } from "../../checks/check.ts";
import { silentSince } from "../../checks/heartbeat.ts";
import type { CheckConfig } from "../../checks/registry.ts";
import type { UptimeContext } from "../../context.ts";
import {
  awaitHeartbeat,
  findHeartbeat,
  isAwaited,
  recordCall,
  removeHeartbeat,
  restartHeartbeat,
} from "./heartbeats.store.ts";

export interface HeartbeatChange {
  readonly monitorId: string;
  /** JSON of the checks as they are now. */
  readonly pipeline: string;
  /** The same before the change. */
  readonly before: string;
  readonly isResumed: boolean;
  readonly now: string;
}

/** Sees to it that calls are awaited for what the pipeline of a monitor says now. */
export async function followPipeline(tx: Transaction, change: HeartbeatChange): Promise<void> {
  const { monitorId: monitor_id, now: awaited_since } = change;
  const token = tokenOf(change.pipeline);
  if (token === null) {
    if (tokenOf(change.before) !== null) await removeHeartbeat(tx, monitor_id);
    return;
  }
  await awaitHeartbeat(tx, { monitor_id, token, awaited_since });
  if (change.isResumed) await restartHeartbeat(tx, { monitor_id, awaited_since });
}

/** The target called, to tell that it is well or that it has failed. */
export async function receiveCall(
  ctx: UptimeContext,
  scope: Scope,
  { token, hasFailed }: { readonly token: string; readonly hasFailed: boolean },
): Promise<void> {
  // Anybody can send tokens that are made up; those cost a look and no write.
  if (!(await isAwaited(ctx.db.in(scope.workspaceId), token)))
    throw new AppError("not_found", "Nobody awaits calls with this token");
  const call = { token, last_call_at: ctx.clock.now(), has_failed: hasFailed };
  await ctx.db.write(scope.workspaceId, (tx) => recordCall(tx, call));
}

interface Awaiting {
  readonly id: string;
  readonly workspace_id: string;
  readonly pipeline: string;
  readonly interval: number;
}

/** A call that is later than now by more than clocks differ comes from one that was ahead. */
const MOST_AHEAD_MICROS = 15_000_000;

/**
 * What was heard of a monitor's target; null where calls are not awaited. Throws where nobody can
 * hear at present.
 */
export async function readHeartbeatCalls(
  { db, clock, hearing }: Pick<UptimeContext, "db" | "clock" | "hearing">,
  { id, workspace_id, pipeline, interval }: Awaiting,
): Promise<HeartbeatCalls | null> {
  if (!pipeline.includes('"heartbeat"')) return null;
  if (!(await hearing.listen()))
    throw new AppError("unavailable", "No server takes the calls of heartbeats at present");
  const row = await findHeartbeat(db.in(workspace_id), id);
  if (row === null) return null;
  const { last_call_at: lastCallAt, has_failed: hasFailed, awaited_since: awaitedSince } = row;
  const from = silentSince({ lastCallAt, awaitedSince });
  const now = clock.nowMicros();
  // After a clock was put right, silence counts from then on.
  const unheardMicros =
    from > now + MOST_AHEAD_MICROS
      ? hearing.since() - from
      : now - from - hearing.heardMicros(from, now);
  return { lastCallAt, hasFailed, awaitedSince, interval, unheardMicros };
}

function tokenOf(pipeline: string): string | null {
  if (!pipeline.includes('"heartbeat"')) return null;
  const checks = readJson(pipeline) as readonly CheckConfig[];
  const check = checks.find(({ type }) => type === "heartbeat");
  return check?.type === "heartbeat" ? (check.token ?? null) : null;
}
