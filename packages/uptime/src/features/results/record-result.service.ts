// One result, whole or not at all: the row, the rollups, what the monitor says of itself, the incident and the event.

import type { CheckResult } from "@orchestrator/contract";
import { formatMicros, parseMicros, type Transaction } from "@orchestrator/kernel";
import type { PipelineOutcome } from "../../checks/run-pipeline.ts";
import type { UptimeContext } from "../../context.ts";
import { backOffUntil, nextDue, validUntil } from "../../engine/due-times.rules.ts";
import { emitMonitorEvent } from "../../events/monitor-events.ts";
import { closeIncident, openIncident, worsenIncident } from "../incidents/incidents.store.ts";
import { additionsOf } from "../rollups/rollup.rules.ts";
import { addToRollups } from "../rollups/rollups.store.ts";
import { follow, holdingOf, withHolding } from "../rollups/track.rules.ts";
import { keepSpan, saveTrack } from "../rollups/tracks.store.ts";
import type { TrackRow } from "../rollups/tracks.table.ts";
import { confirm, type Verdict } from "./confirmation.rules.ts";
import { lockMonitorState, type MonitorState, updateMonitorState } from "./monitor-state.store.ts";
import { insertResult } from "./results.store.ts";
import type { CheckOrigin, CheckStatus } from "./results.table.ts";

export interface Finding {
  readonly workspaceId: string;
  readonly monitorId: string;
  readonly outcome: PipelineOutcome;
  /** When the run began. */
  readonly checkedAt: string;
  readonly trigger: CheckOrigin;
  /** Given by the engine: the result counts only while the monitor is still its own. */
  readonly holder?: string;
}

const VERBS: Readonly<Record<CheckStatus, string>> = {
  up: "Up",
  degraded: "Degraded",
  down: "Down",
};
const LONGEST_MESSAGE = 10_000;
const DAY_MICROS = 86_400_000_000;

/** Null when the monitor is gone, or has passed to another replica meanwhile. */
export async function recordResult(
  ctx: UptimeContext,
  finding: Finding,
): Promise<CheckResult | null> {
  const { outcome, checkedAt, monitorId } = finding;
  const result = {
    id: ctx.ids.uuid7(),
    monitor_id: monitorId,
    status: outcome.status,
    message: storable(outcome.message),
    elapsed_ms: outcome.elapsed_ms,
    details: outcome.details as CheckResult["details"],
    checked_at: checkedAt,
  };
  return ctx.db.write(finding.workspaceId, async (tx) => {
    const monitor = await lockMonitorState(tx, monitorId);
    if (monitor === null) return null;
    if (finding.holder !== undefined && monitor.run_holder !== finding.holder) return null;
    const { inconclusive } = outcome;
    const details = JSON.stringify(result.details);
    await insertResult(tx, { ...result, details, origin: finding.trigger, inconclusive });
    await judge(ctx, tx, { ...finding, monitor, result });
    return result;
  });
}

interface Judged extends Finding {
  readonly monitor: MonitorState & { readonly track: TrackRow };
  readonly result: CheckResult;
}

async function judge(ctx: UptimeContext, tx: Transaction, judged: Judged): Promise<void> {
  const { monitor, outcome, checkedAt } = judged;
  const before = monitor.track;
  const isNewest = monitor.last_check === null || checkedAt >= monitor.last_check;
  // While a monitor is paused its results are looked at by whoever asked for them, and tell nobody else.
  const counts = isNewest && monitor.enabled && !outcome.inconclusive;
  const timed = await countTime(tx, { ...judged, isNewest, counts }, before);
  if (!isNewest) return;

  const confirmed = monitor.confirmed_status as CheckStatus | null;
  const verdict: Verdict = counts
    ? confirm({ confirmed, streak: monitor.streak }, outcome.status, monitor)
    : { confirmed, streak: monitor.streak, isNews: false };
  const since = monitor.streak > 0 ? (before.streak_since ?? checkedAt) : checkedAt;
  const incident_id = verdict.isNews
    ? await tellChange(ctx, tx, { ...judged, since, incidentId: before.incident_id })
    : before.incident_id;
  const certificate_told = counts
    ? await tellCertificate(ctx, tx, { ...judged, told: before.certificate_told })
    : before.certificate_told;
  const track: TrackRow = {
    ...timed,
    incident_id,
    certificate_told,
    streak_since: verdict.streak > 0 ? since : null,
    ...backOff(judged),
  };
  await saveTrack(tx, track);
  await updateMonitorState(tx, {
    id: monitor.id,
    last_check: checkedAt,
    last_status: outcome.inconclusive ? monitor.last_status : outcome.status,
    confirmed_status: verdict.confirmed,
    streak: verdict.streak,
    next_run: monitor.enabled ? nextRun(ctx, monitor, track) : null,
  });
}

/** Adds the result, and the time before it, to the rollups. */
async function countTime(
  tx: Transaction,
  judged: Judged & { readonly isNewest: boolean; readonly counts: boolean },
  before: TrackRow,
): Promise<TrackRow> {
  const { monitor, outcome, checkedAt, isNewest, counts } = judged;
  const at = parseMicros(checkedAt);
  const counted = {
    status: outcome.status,
    inconclusive: outcome.inconclusive,
    elapsedMicros: Math.round(outcome.elapsed_ms * 1000),
    at,
  };
  const step = isNewest
    ? follow(holdingOf(before), {
        at,
        status: counts ? outcome.status : null,
        validUntil: validUntil(monitor, at),
      })
    : { holding: holdingOf(before), held: null, ended: null };
  await addToRollups(tx, monitor.id, additionsOf(counted, step.held));
  if (step.ended !== null) await keepSpan(tx, monitor.id, step.ended);
  return withHolding(before, step.holding);
}

/** Opens or ends the incident and tells of the change; the incident that is open then. */
async function tellChange(
  ctx: UptimeContext,
  tx: Transaction,
  change: Judged & { readonly since: string; readonly incidentId: string | null },
): Promise<string | null> {
  const { monitor, outcome, result, since } = change;
  const incident_id = change.incidentId ?? (outcome.status === "up" ? null : ctx.ids.uuid7());
  if (outcome.status === "up") {
    if (incident_id !== null) await closeIncident(tx, incident_id, since);
  } else if (change.incidentId === null && incident_id !== null) {
    await openIncident(tx, {
      id: incident_id,
      monitor_id: monitor.id,
      status: outcome.status,
      cause: result.message,
      result_id: result.id,
      started_at: since,
    });
  } else if (incident_id !== null && outcome.status === "down") {
    await worsenIncident(tx, incident_id);
  }
  await emitMonitorEvent(ctx, tx, {
    monitor,
    verb: VERBS[outcome.status],
    occurred: ctx.clock.now(),
    payload: {
      previous_status: monitor.confirmed_status,
      status: outcome.status,
      message: result.message,
      elapsed_ms: result.elapsed_ms,
      result_id: result.id,
      incident_id,
    },
  });
  return outcome.status === "up" ? null : incident_id;
}

/** Once for each certificate, also where several stand behind one address and take turns; the latest end that was told of. */
async function tellCertificate(
  ctx: UptimeContext,
  tx: Transaction,
  judged: Judged & { readonly told: string | null },
): Promise<string | null> {
  const { certificate_ends } = judged.outcome;
  if (certificate_ends === null) return judged.told;
  if (judged.told !== null && certificate_ends <= judged.told) return judged.told;
  const left = parseMicros(certificate_ends) - parseMicros(judged.checkedAt);
  if (left > ctx.settings.certificateWarning * 1000) return judged.told;
  await emitMonitorEvent(ctx, tx, {
    monitor: judged.monitor,
    verb: "certificate-expiring",
    occurred: ctx.clock.now(),
    payload: {
      certificate_ends,
      days_left: Math.floor(left / DAY_MICROS),
      result_id: judged.result.id,
    },
  });
  return certificate_ends;
}

function backOff({ monitor, outcome, checkedAt }: Judged) {
  if (!outcome.authFailed) return { held_back_from: null, held_back_until: null };
  const until = backOffUntil(monitor, parseMicros(checkedAt));
  return { held_back_from: checkedAt, held_back_until: formatMicros(until) };
}

function nextRun(
  ctx: UptimeContext,
  monitor: MonitorState,
  { held_back_until }: TrackRow,
): string | null {
  const due = nextDue(monitor, ctx.clock.nowMicros());
  if (due === null || held_back_until === null) return due === null ? null : formatMicros(due);
  return formatMicros(nextDue(monitor, Math.max(due, parseMicros(held_back_until)) - 1) ?? due);
}

/** Texts that the target had a hand in may hold what no database takes. */
function storable(text: string): string {
  return text.slice(0, LONGEST_MESSAGE).replaceAll(/\0|[\uD800-\uDFFF]/gu, "\uFFFD");
}
