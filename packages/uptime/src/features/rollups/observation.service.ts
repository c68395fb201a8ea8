import { parseMicros, type Transaction } from "@orchestrator/kernel";
import { closeIncident } from "../incidents/incidents.store.ts";
import { additionsOf } from "./rollup.rules.ts";
import { addToRollups } from "./rollups.store.ts";
import { follow, holdingOf, withHolding } from "./track.rules.ts";
import { findTrack, keepSpan, saveTrack } from "./tracks.store.ts";

/**
 * Counts the status of a monitor up to now and leaves open what follows, as when it is paused: until the next result
 * the time is outside of all figures. The caller holds the monitor's row.
 */
export async function endObservation(
  tx: Transaction,
  monitorId: string,
  at: string,
): Promise<void> {
  const track = await findTrack(tx, monitorId);
  if (track === null) return;
  const now = parseMicros(at);
  const step = follow(holdingOf(track), { at: now, status: null, validUntil: now });
  await addToRollups(tx, monitorId, additionsOf(null, step.held));
  if (step.ended !== null) await keepSpan(tx, monitorId, step.ended);
  await saveTrack(tx, withHolding(track, step.holding));
}

/** Nobody looks any more: what is left of a monitor that is deleted must not seem to last. */
export async function endOpenIncident(
  tx: Transaction,
  monitorId: string,
  at: string,
): Promise<void> {
  const track = await findTrack(tx, monitorId);
  if (track !== null && track.incident_id !== null) await closeIncident(tx, track.incident_id, at);
}
