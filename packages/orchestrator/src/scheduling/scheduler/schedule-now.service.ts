// Runs of a deployment's schedules created on demand, and a look at the times to come.

import type {
  DeploymentScheduleRequest,
  Schedule,
  SchedulePreview,
  SchedulePreviewRequest,
} from "@orchestrator/contract";
import { formatMicros, parseMicros, yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { ScheduleRow } from "../../db/tables/deployments.table.ts";
import { announceRun } from "../../polling/work-topics.rules.ts";
import { deploymentNotFound } from "../../runs/deployment/deployment-not-found.ts";
import { findDeploymentRow } from "../../runs/deployment/deployments.store.ts";
import { assertRunAllowed } from "../../workspace/quotas/used-up.service.ts";
import { previewChange, receiveEntries } from "../schedules/replace-schedules.service.ts";
import { lockSchedule, readSchedules } from "../schedules/schedules.store.ts";
import { computeNextTimes, computeTimesWithin } from "../times/compute-schedules.ts";
import { jitterOf, MICROS_PER_SECOND } from "../times/fill.rules.ts";
import { calendarOf } from "../times/schedules.rules.ts";
import { scheduledRuns } from "./scheduled-run-rows.ts";
import { countUnstartedRuns } from "./scheduled-runs.store.ts";
import { insertScheduledRuns } from "./scheduled-runs-insert.store.ts";
import { readActiveSources, type ScheduleSource } from "./sources.store.ts";

/**
 * Creates the runs of a deployment's active schedules within bounds; times that have a run already
 * are left out.
 */
export async function scheduleRunsNow(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, request }: { readonly id: string; readonly request: DeploymentScheduleRequest },
): Promise<void> {
  const queries = ctx.db.in(scope.workspaceId);
  await assertDeployment(queries, id);
  const from =
    request.start_time === undefined ? ctx.clock.nowMicros() : parseMicros(request.start_time);
  const bounds = {
    from,
    until: request.end_time === undefined ? undefined : parseMicros(request.end_time),
    minAhead:
      request.min_time === undefined ? undefined : Math.round(request.min_time * MICROS_PER_SECOND),
    minRuns: request.min_runs,
    maxRuns: request.max_runs,
  };
  const now = ctx.clock.now();
  const making = { ids: ctx.ids, now, prefix: ctx.dialect.prefix };
  const compute = ctx.compute.for(scope);
  const datesOf = ({ schedule }: ScheduleSource): Promise<number[]> =>
    computeTimesWithin(compute, { schedule: calendarOf(JSON.parse(schedule) as Schedule), bounds });
  const create = async (
    tx: Transaction,
    source: ScheduleSource,
    dates: readonly number[],
  ): Promise<void> => {
    const jitter = Math.round(source.jitter_seconds * MICROS_PER_SECOND);
    const times = dates.map((date) => ({
      date,
      at: date + jitterOf(source.schedule_id, date, jitter),
    }));
    if (times.length === 0) return;
    // The request was let in before it had made any.
    assertRunAllowed(ctx, scope);
    await insertScheduledRuns(tx, [scheduledRuns(source, times, making)]);
    announceRun(tx, source);
  };
  // Each schedule by itself, so that other writers get their turn.
  for (const before of await readActiveSources(queries, id)) {
    const { schedule_id } = before;
    const dates = await datesOf(before);
    await ctx.db.write(scope.workspaceId, async (tx) => {
      // Held, so that nobody changes it and deletes the runs of what it was before these are there.
      await lockSchedule(tx, { deployment_id: id, id: schedule_id });
      const sources = await readActiveSources(tx, id);
      const source = sources.find((one) => one.schedule_id === schedule_id);
      // Whoever has changed it meanwhile has it filled anew.
      if (source?.schedule === before.schedule) await create(tx, source, dates);
    });
  }
}

/**
 * The next times of the given schedules, or of those the deployment has; and what a change of them
 * would delete.
 */
export async function previewSchedules(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    id,
    request,
  }: { readonly id: string; readonly request: SchedulePreviewRequest & { limit: number } },
): Promise<SchedulePreview> {
  const queries = ctx.db.in(scope.workspaceId);
  const deployment = await findDeploymentRow(queries, id);
  if (deployment === null) throw deploymentNotFound({ id });
  const nowMicros = ctx.clock.nowMicros();
  const now = formatMicros(nowMicros);
  const existing = await readSchedules(queries, id);
  const { rows, changesAny } =
    request.schedules === undefined
      ? { rows: existing.map((row) => ({ row, isNew: false })), changesAny: true }
      : previewChange(ctx, {
          existing,
          entries: await receiveEntries(ctx, scope, request.schedules),
          owner: { deploymentId: id, isPaused: deployment.paused },
          now,
        });
  const upTo = { now: nowMicros, limit: request.limit };
  const compute = ctx.compute.for(scope);
  const turn = yieldingBetweenSteps();
  const times: SchedulePreview["times"] = [];
  const active = rows.filter(({ row }) => row.active);
  for (const [position, { row, isNew }] of active.entries()) {
    const schedule_id = isNew ? null : row.id;
    for (const { at } of await computeNextTimes(compute, { ...previewed(row, isNew), ...upTo }))
      times.push({ time: formatMicros(at), schedule_id, slug: row.slug, position });
    await turn();
  }
  const runs = { deploymentId: id, which: "auto-scheduled", after: now } as const;
  return {
    times: times.toSorted((a, b) => (a.time < b.time ? -1 : 1)).slice(0, request.limit),
    deleted_runs: changesAny ? await countUnstartedRuns(queries, runs) : 0,
  };
}

/**
 * What spreads the times of a schedule depends on its id, so one that has none yet is shown
 * unspread.
 */
const previewed = (row: ScheduleRow, isNew: boolean) => ({
  id: row.id,
  schedule: calendarOf(JSON.parse(row.schedule) as Schedule),
  jitter: isNew ? 0 : Math.round(row.jitter_seconds * MICROS_PER_SECOND),
  created: isNew ? 0 : parseMicros(row.created),
});

async function assertDeployment(queries: Queries, id: string): Promise<void> {
  if ((await findDeploymentRow(queries, id)) === null) throw deploymentNotFound({ id });
}
