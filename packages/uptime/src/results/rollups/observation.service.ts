import { parseMicros } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import { closeIncident } from "../../incidents/incidents.store.ts";
import { type Covered, cacheWindow, windowsOf } from "../../maintenance/coverage.rules.ts";
import { listWindows } from "../../maintenance/maintenance.store.ts";
import { untilMaintenance } from "./maintenance-time.rules.ts";
import { incrementsOf } from "./rollup.rules.ts";
import { addToRollups } from "./rollups.store.ts";
import { countedUntil, currentSpanOf, follow, withCurrentSpan } from "./track.rules.ts";
import { findTrack, insertSpans, saveTracks } from "./tracks.store.ts";

/**
 * Counts the status of a monitor up to now and leaves open what follows, as when it is paused:
 * until the next result the time is outside of all figures. The caller holds the monitor's row.
 */
export async function endObservation(tx: Transaction, monitor: Covered, at: string): Promise<void> {
  const monitorId = monitor.id;
  const track = await findTrack(tx, monitorId);
  if (track === null) return;
  const now = parseMicros(at);
  const windows = windowsOf((await listWindows(tx)).map(cacheWindow));
  const known = currentSpanOf(track);
  const holding = untilMaintenance(known, now, { windows, monitor });
  const step = follow(holding, {
    at: now,
    status: null,
    validUntil: now,
    countedUntil: countedUntil(track),
    isCounting: true,
  });
  const additions = incrementsOf(null, step.held);
  await addToRollups(
    tx,
    additions.map((addition) => ({ monitor_id: monitorId, addition })),
  );
  if (step.ended !== null) await insertSpans(tx, [{ monitor_id: monitorId, ...step.ended }]);
  await saveTracks(tx, [{ ...withCurrentSpan(track, known, step), streak_since: null }]);
}

/**
 * Nobody looks any more: what is left of a monitor that is paused or deleted must not seem to last.
 */
export async function endOpenIncident(
  tx: Transaction,
  monitorId: string,
  { ended_at, ended_by }: { readonly ended_at: string; readonly ended_by: "paused" | "deleted" },
): Promise<void> {
  const track = await findTrack(tx, monitorId);
  if (track === null || track.incident_id === null) return;
  await closeIncident(tx, { id: track.incident_id, ended_at, ended_by });
  await saveTracks(tx, [{ ...track, incident_id: null }]);
}
