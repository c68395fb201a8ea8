// Deletes history that is older than it is kept, and the history of monitors that are gone: a few
// rows at a time, monitor by monitor, so that nobody waits for it.

import { formatMicros } from "@orchestrator/kernel/pure";
import type { UptimeContext } from "../../context.ts";
import {
  deleteOldIncidents,
  deleteOldRequests,
  deleteOldResults,
  deleteOldRollups,
  deleteOldSpans,
  deleteSurplusVersions,
  deleteTrackOf,
  listTracked,
} from "./history-removal.store.ts";
import { MINUTE_RETENTION_MICROS } from "./rollup.rules.ts";

const MONITORS_AT_ONCE = 200;
const ROWS_AT_ONCE = 500;
const VERSIONS_KEPT = 1000;
const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";
const AFTER_ALL_TIMES = "9999-12-31T23:59:59.999999Z";
const HOUR_MICROS = 3_600_000_000;

interface Cutoffs {
  readonly results: string;
  readonly minutes: string;
  readonly hours: string;
  readonly days: string;
}

/** Tells how many rows were deleted. */
export async function deleteOldHistory(ctx: UptimeContext, signal: AbortSignal): Promise<number> {
  const now = ctx.clock.nowMicros();
  await ctx.db.writeSystem((tx) => deleteOldRequests(tx, formatMicros(now - HOUR_MICROS)));
  const cutoffs = cutoffsAt(ctx, now);
  let deleted = 0;
  for (let after = BEFORE_ALL_IDS; !signal.aborted; ) {
    const page = await listTracked(ctx.db, { after, limit: MONITORS_AT_ONCE });
    for (const { workspace_id, monitor_id, present_id } of page) {
      const isGone = present_id === null;
      const monitor = { workspace_id, monitor_id, isGone };
      deleted += await deleteOf(ctx, { ...monitor, cutoffs: isGone ? ALL : cutoffs }, signal);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < MONITORS_AT_ONCE) break;
    after = last.monitor_id;
  }
  return deleted;
}

const ALL: Cutoffs = {
  results: AFTER_ALL_TIMES,
  minutes: AFTER_ALL_TIMES,
  hours: AFTER_ALL_TIMES,
  days: AFTER_ALL_TIMES,
};

function cutoffsAt({ settings }: UptimeContext, now: number): Cutoffs {
  return {
    results: formatMicros(now - settings.resultRetention * 1000),
    minutes: formatMicros(now - MINUTE_RETENTION_MICROS),
    hours: formatMicros(now - settings.hourlyRetention * 1000),
    days: formatMicros(now - settings.dailyRetention * 1000),
  };
}

interface Subject {
  readonly workspace_id: string;
  readonly monitor_id: string;
  readonly isGone: boolean;
  readonly cutoffs: Cutoffs;
}

async function deleteOf(
  ctx: UptimeContext,
  { workspace_id, monitor_id, isGone, cutoffs }: Subject,
  signal: AbortSignal,
): Promise<number> {
  const limit = ROWS_AT_ONCE;
  const until = (before: string) => ({ workspace_id, monitor_id, before, limit });
  for (let deleted = 0; ; ) {
    const counts = await ctx.db.writeSystem(async (tx) => [
      await deleteOldResults(tx, until(cutoffs.results)),
      await deleteOldRollups(tx, { ...until(cutoffs.minutes), size: "minute" }),
      await deleteOldRollups(tx, { ...until(cutoffs.hours), size: "hour" }),
      await deleteOldRollups(tx, { ...until(cutoffs.days), size: "day" }),
      await deleteOldSpans(tx, until(cutoffs.hours)),
      await deleteOldIncidents(tx, until(cutoffs.days)),
      await deleteSurplusVersions(tx, { workspace_id, monitor_id, limit, kept: VERSIONS_KEPT }),
    ]);
    deleted += counts.reduce((sum, count) => sum + count, 0);
    const isDone = counts.every((count) => count < limit);
    if (isDone && isGone) await ctx.db.writeSystem((tx) => deleteTrackOf(tx, monitor_id));
    if (isDone || signal.aborted) return deleted;
  }
}
