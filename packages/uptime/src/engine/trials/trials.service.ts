// Checks that are run once for whoever is about to save them. Nothing of it is kept.

import { occurrences } from "@orchestrator/calendar";
import type { CheckTrialResult, CronTimes, CronTimesQuery } from "@orchestrator/contract";
import { AppError, formatMicros } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import { runPipeline } from "../../checks/run-pipeline.ts";
import type { CheckTrial } from "../../models.ts";
import { receiveMonitor, validateMonitorSchedule } from "../../monitors/monitor-input.rules.ts";
import { limitsOf, MONITOR_DEFAULTS, monitorConfigOf, rowOf } from "../../monitors/monitor-row.ts";
import { findMonitorRow } from "../../monitors/monitors.store.ts";
import { openedMonitor } from "../../monitors/opened-monitor.ts";
import type { EngineContext } from "../engine-context.ts";

/** Somebody sits and waits. */
const MAX_TRIAL_MS = 60_000;

export async function tryChecks(
  ctx: EngineContext,
  scope: Scope,
  { trial, signal }: { readonly trial: CheckTrial; readonly signal: AbortSignal },
): Promise<CheckTrialResult> {
  const { workspaceId } = scope;
  const { monitor_id, url, pipeline } = trial;
  const given = receiveMonitor({ url, ...(pipeline && { pipeline }) }, limitsOf(ctx));
  const now = ctx.clock.now();
  const fresh = { id: ctx.ids.uuid7(), created_at: now, updated_at: now, next_run: null };
  const saved =
    monitor_id == null ? null : await findMonitorRow(ctx.db.in(workspaceId), monitor_id);
  if (monitor_id != null && saved === null) throw new AppError("not_found", "Monitor not found");
  const before =
    saved === null ? { ...MONITOR_DEFAULTS, name: "trial", url } : monitorConfigOf(saved);
  const row = rowOf(ctx, saved ?? fresh, { ...before, ...given });
  const target = { ...openedMonitor(ctx, row), heartbeat: null };
  const { clock } = ctx;
  const outcome = await ctx.runs.queue.run(new URL(target.url).host, () =>
    runPipeline(target, {
      signal,
      clock,
      policy: ctx.policy,
      maxRunMs: MAX_TRIAL_MS,
      compute: ctx.compute.for(scope),
    }),
  );
  const { status, message, elapsed_ms, details } = outcome;
  return {
    status,
    message,
    elapsed_ms,
    details: details as CheckTrialResult["details"],
    checked_at: now,
  };
}

/** The next times of a schedule that may not be anybody's yet. */
export function previewSchedule(
  { clock }: Pick<EngineContext, "clock">,
  { schedule, timezone = "UTC", limit }: CronTimesQuery,
): CronTimes {
  validateMonitorSchedule({ schedule, timezone });
  const spec = { kind: "cron", cron: schedule, timezone, seconds: "first" } as const;
  return { times: occurrences(spec, { from: clock.nowMicros(), limit }).map(formatMicros) };
}
