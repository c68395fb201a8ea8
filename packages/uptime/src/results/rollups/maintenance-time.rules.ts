// Time within a maintenance is outside of all figures. Times are microseconds since 1970.

import { parseMicros } from "@orchestrator/kernel/pure";
import type { Covered, Windows } from "../../maintenance/coverage.rules.ts";
import type { CurrentSpan } from "./track.rules.ts";

export interface CheckedAt {
  readonly checked_at: string;
  readonly elapsed_ms: number;
}

/**
 * Whether any part of the run fell into a maintenance: what begins or ends meanwhile may have
 * broken it.
 */
export function isInMaintenance(windows: Windows, monitor: Covered, run: CheckedAt): boolean {
  if (windows.known.length === 0) return false;
  const begun = parseMicros(run.checked_at);
  return windows.covering(monitor, begun, begun + Math.round(run.elapsed_ms * 1000)) !== null;
}

/**
 * What holds, as far as that is known at `now`: a maintenance ends it, and after that it takes
 * another result to know more.
 */
export function untilMaintenance(
  holding: CurrentSpan | null,
  now: number,
  { windows, monitor }: { readonly windows: Windows; readonly monitor: Covered },
): CurrentSpan | null {
  if (holding === null) return null;
  const until = Math.min(now, holding.validUntil);
  const period = windows.covering(monitor, holding.countedUntil, until);
  if (period === null) return holding;
  const validUntil = Math.max(period.start, holding.countedUntil);
  return { ...holding, validUntil: Math.min(validUntil, holding.validUntil) };
}
