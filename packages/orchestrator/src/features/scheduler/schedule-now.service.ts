// Runs of a deployment's schedules created on demand, and a look at the times to come.

import type {
  DeploymentScheduleRequest,
  Schedule,
  SchedulePreview,
  SchedulePreviewRequest,
} from "@orchestrator/contract";
import {
  formatMicros,
  parseMicros,
  type Queries,
  type Scope,
  type Transaction,
  takingTurns,
} from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { findDeploymentRow } from "../deployments/deployments.store.ts";
import { deploymentNotFound } from "../deployments/not-found.ts";
import { assertRunAllowed } from "../quotas/used-up.service.ts";
import { receiveEntries } from "../schedules/replace-schedules.service.ts";
import { calendarOf } from "../schedules/schedules.rules.ts";
import { lockSchedule, readSchedules } from "../schedules/schedules.store.ts";
import { announceRun } from "../work-pools/work-topics.rules.ts";
import { jitterOf, nextRunTimes, SECOND, timesWithin } from "./fill.rules.ts";
import { scheduledRuns } from "./scheduled-run-rows.ts";
import { countUnstartedRuns } from "./scheduled-runs.store.ts";
import { insertScheduledRuns } from "./scheduled-runs-insert.store.ts";
import { readActiveSources, type ScheduleSource } from "./sources.store.ts";

/** Creates the runs of a deployment's active schedules within bounds; times that have a run already are left out. */
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
    minAhead: request.min_time === undefined ? undefined : Math.round(request.min_time * SECOND),
    minRuns: request.min_runs,
    maxRuns: request.max_runs,
  };
  const now = ctx.clock.now();
  const making = { ids: ctx.ids, now, prefix: ctx.dialect.prefix };
  const create = async (tx: Transaction, source: ScheduleSource): Promise<void> => {
    const jitter = Math.round(source.jitter_seconds * SECOND);
    const dates = timesWithin(calendarOf(JSON.parse(source.schedule) as Schedule), bounds);
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
  // Each schedule by itself, so that other writers get their turn, and as it is then.
  for (const { schedule_id } of await readActiveSources(queries, id)) {
    await ctx.db.write(scope.workspaceId, async (tx) => {
      // Held, so that nobody changes it and deletes the runs of what it was before these are there.
      await lockSchedule(tx, { deployment_id: id, id: schedule_id });
      const sources = await readActiveSources(tx, id);
      const source = sources.find((one) => one.schedule_id === schedule_id);
      if (source !== undefined) await create(tx, source);
    });
  }
}

/** The next times of the given schedules, or of those the deployment has; and what a change of them would delete. */
export async function previewSchedules(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    id,
    request,
  }: { readonly id: string; readonly request: SchedulePreviewRequest & { limit: number } },
): Promise<SchedulePreview> {
  const queries = ctx.db.in(scope.workspaceId);
  await assertDeployment(queries, id);
  const nowMicros = ctx.clock.nowMicros();
  const schedules =
    request.schedules === undefined
      ? await storedSchedules(queries, id)
      : await givenSchedules(ctx, request.schedules);
  const upTo = { now: nowMicros, limit: request.limit };
  const turn = takingTurns();
  const times: SchedulePreview["times"] = [];
  for (const [position, { schedule, schedule_id, slug, ...spread }] of schedules.entries()) {
    const what = { id: schedule_id ?? "", schedule: calendarOf(schedule), ...spread };
    for (const { at } of nextRunTimes(what, upTo))
      times.push({ time: formatMicros(at), schedule_id, slug, position });
    await turn();
  }
  const after = formatMicros(nowMicros);
  const runs = { deploymentId: id, which: "auto-scheduled", after } as const;
  return {
    times: times.toSorted((a, b) => (a.time < b.time ? -1 : 1)).slice(0, request.limit),
    deleted_runs: await countUnstartedRuns(queries, runs),
  };
}

interface PreviewedSchedule {
  readonly schedule: Schedule;
  readonly schedule_id: string | null;
  readonly slug: string | null;
  readonly jitter: number;
  readonly created: number;
}

async function storedSchedules(queries: Queries, id: string): Promise<PreviewedSchedule[]> {
  const rows = await readSchedules(queries, id);
  return rows
    .filter(({ active }) => active)
    .map((row) => ({
      schedule: JSON.parse(row.schedule) as Schedule,
      schedule_id: row.id,
      slug: row.slug,
      jitter: Math.round(row.jitter_seconds * SECOND),
      created: parseMicros(row.created),
    }));
}

/** What spreads the times of a schedule depends on its id, so one without an id is shown unspread. */
async function givenSchedules(
  ctx: OrchestratorContext,
  given: NonNullable<SchedulePreviewRequest["schedules"]>,
): Promise<PreviewedSchedule[]> {
  return (await receiveEntries(ctx, given)).flatMap(({ entry, stored }) => {
    if (stored === null || entry.active === false) return [];
    const slug = entry.slug ?? null;
    return { schedule: stored, schedule_id: null, slug, jitter: 0, created: 0 };
  });
}

async function assertDeployment(queries: Queries, id: string): Promise<void> {
  if ((await findDeploymentRow(queries, id)) === null) throw deploymentNotFound({ id });
}
