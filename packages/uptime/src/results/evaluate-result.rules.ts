// What follows from a result: pure, on what was read before. It is written down by whoever asked,
// for many at once.

import type { CheckResult } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { PipelineOutcome } from "../checks/run-pipeline.ts";
import type { IncidentChange } from "../db/tables/incidents.table.ts";
import type { CheckStatus } from "../db/tables/results.table.ts";
import type { TrackRow } from "../db/tables/tracks.table.ts";
import type { Windows } from "../maintenance/coverage.rules.ts";
import { backOffUntil, nextDue, validUntil } from "../monitors/due-times.rules.ts";
import { type ChangeContext, changeOf, type MonitorEventDraft } from "./change.rules.ts";
import { type ConfirmationResult, confirmStatus, isWorse } from "./confirmation.rules.ts";
import type { MonitorState } from "./monitor-state.table.ts";
import { untilMaintenance } from "./rollups/maintenance-time.rules.ts";
import { countIn, openMinuteOf } from "./rollups/open-minute.rules.ts";
import { incrementsOf, type RollupIncrement, type StatusSpan } from "./rollups/rollup.rules.ts";
import { countedUntil, currentSpanOf, follow, withCurrentSpan } from "./rollups/track.rules.ts";

/** A monitor and its track, as they are before a result or after it. */
export type MonitorBefore = MonitorState & { readonly track: TrackRow };

export interface Circumstances extends ChangeContext {
  /** Microseconds since 1970. */
  readonly now: number;
  /** How long before the end of a certificate it is told of. */
  readonly certificateWarningMicros: number;
  /** When there is maintenance, and for whom. */
  readonly windows: Windows;
}

export interface EvaluatedResult {
  readonly result: CheckResult;
  readonly outcome: PipelineOutcome;
}

export interface ResultEvaluation {
  /** The monitor as it is afterwards. */
  readonly after: MonitorBefore;
  /** What the rollups grow by. */
  readonly additions: readonly RollupIncrement[];
  /** The span of a status that is over. */
  readonly ended: StatusSpan | null;
  readonly incident: IncidentChange | null;
  readonly told: readonly MonitorEventDraft[];
}

const DAY_MICROS = 86_400_000_000;

export function evaluateResult(
  monitor: MonitorBefore,
  judged: EvaluatedResult,
  given: Circumstances,
): ResultEvaluation {
  const { outcome, result } = judged;
  const before = monitor.track;
  const checkedAt = result.checked_at;
  const isNewest = isLatest(checkedAt, monitor.last_check, given.now);
  // While a monitor is paused its results are looked at by whoever asked for them, and tell nobody
  // else.
  const counts = isNewest && monitor.enabled && !outcome.inconclusive;
  const { additions, ended, timed } = countTime(monitor, judged, {
    isNewest,
    counts,
    windows: given.windows,
  });
  if (!isNewest)
    return { after: { ...monitor, track: timed }, additions, ended, incident: null, told: [] };

  const confirmed = monitor.confirmed_status as CheckStatus | null;
  const verdict: ConfirmationResult = counts
    ? confirmStatus({ confirmed, streak: monitor.streak }, outcome.status, monitor)
    : { confirmed, streak: monitor.streak, isNews: false };
  const since = monitor.streak > 0 ? (before.streak_since ?? checkedAt) : checkedAt;
  const shift = { before: confirmed, after: verdict.confirmed, since };
  const change = counts ? changeOf(before, { result, confirmed: shift }, given) : null;
  const warning = counts && !result.maintenance ? warningOf(monitor, judged, given) : null;
  const { incident_id, told_status, confirmed_since } = change?.track ?? before;
  const { held_back_from, held_back_until } = backOff(monitor, judged);
  const track: TrackRow = {
    ...timed,
    incident_id,
    told_status,
    confirmed_since,
    certificate_told: warning === null ? before.certificate_told : outcome.certificate_ends,
    // What goes wrong within a maintenance begins with the first result after it.
    streak_since: verdict.streak > 0 && !isExcused(result, confirmed) ? since : null,
    held_back_from,
    held_back_until,
  };
  const after: MonitorBefore = {
    ...monitor,
    track,
    last_check: checkedAt,
    last_status: outcome.inconclusive ? monitor.last_status : outcome.status,
    confirmed_status: verdict.confirmed,
    streak: verdict.streak,
    next_run: monitor.enabled ? nextRun(monitor, track, given.now) : null,
  };
  const told = [change?.told ?? null, warning].filter((each) => each !== null);
  return { after, additions, ended, incident: change?.incident ?? null, told };
}

/**
 * A result that is from the future comes from a clock that was wrong: it must not silence the
 * monitor until that time.
 */
function isLatest(checkedAt: string, lastCheck: string | null, now: number): boolean {
  return lastCheck === null || checkedAt >= lastCheck || parseMicros(lastCheck) > now;
}

function isExcused({ maintenance, status }: CheckResult, confirmed: CheckStatus | null): boolean {
  return maintenance && isWorse(status, confirmed ?? "up");
}

/** What the result, and the time before it, add to the rollups. */
function countTime(
  monitor: MonitorBefore,
  { outcome, result }: EvaluatedResult,
  {
    isNewest,
    counts,
    windows,
  }: { readonly isNewest: boolean; readonly counts: boolean; readonly windows: Windows },
) {
  const at = parseMicros(result.checked_at);
  const counted = {
    status: outcome.status,
    inconclusive: outcome.inconclusive,
    maintenance: result.maintenance,
    elapsedMicros: Math.round(outcome.elapsed_ms * 1000),
    at,
  };
  const { open, done } = countIn(openMinuteOf(monitor.track), counted, isNewest);
  const open_minute = JSON.stringify(open);
  if (!isNewest)
    return {
      additions: incrementsOf(done, null),
      ended: null,
      timed: { ...monitor.track, open_minute },
    };
  const known = currentSpanOf(monitor.track);
  const holding = untilMaintenance(known, at, { windows, monitor });
  const step = follow(holding, {
    at,
    status: counts && !result.maintenance ? outcome.status : null,
    validUntil: validUntil(monitor, at, outcome.authFailed ? backOffUntil(monitor, at) - 1 : at),
    countedUntil: countedUntil(monitor.track),
    isCounting: done !== null,
  });
  return {
    additions: incrementsOf(done, step.held),
    ended: step.ended,
    timed: { ...withCurrentSpan(monitor.track, known, step), open_minute },
  };
}

/** Once for each certificate, also where several stand behind one address and take turns. */
function warningOf(
  monitor: MonitorBefore,
  { outcome, result }: EvaluatedResult,
  given: Circumstances,
): MonitorEventDraft | null {
  const { certificate_ends } = outcome;
  const told = monitor.track.certificate_told;
  if (certificate_ends === null || (told !== null && certificate_ends <= told)) return null;
  const left = parseMicros(certificate_ends) - parseMicros(result.checked_at);
  if (left > given.certificateWarningMicros) return null;
  const days_left = Math.floor(left / DAY_MICROS);
  return {
    verb: "certificate-expiring",
    payload: { certificate_ends, days_left, result_id: result.id },
  };
}

function backOff(monitor: MonitorBefore, { outcome, result }: EvaluatedResult) {
  if (!outcome.authFailed) return { held_back_from: null, held_back_until: null };
  const until = backOffUntil(monitor, parseMicros(result.checked_at));
  return { held_back_from: result.checked_at, held_back_until: formatMicros(until) };
}

function nextRun(monitor: MonitorState, { held_back_until }: TrackRow, now: number): string | null {
  const due = nextDue(monitor, now);
  if (due === null || held_back_until === null) return due === null ? null : formatMicros(due);
  return formatMicros(nextDue(monitor, Math.max(due, parseMicros(held_back_until)) - 1) ?? due);
}
