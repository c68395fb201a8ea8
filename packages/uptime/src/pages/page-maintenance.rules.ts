// What a page tells of maintenance. Times are microseconds since 1970.

import type { ShownMaintenance } from "@orchestrator/contract";
import { formatMicros } from "@orchestrator/kernel/pure";
import { SIZE_MICROS } from "../results/rollups/rollup.rules.ts";
import type { PageMonitorRow } from "./status-pages.filter.ts";

/** What begins later is not told yet. */
export const MAINTENANCE_AHEAD: number = 7 * SIZE_MICROS.day;
const MOST_SHOWN = 20;

/** A window and the period of it that is meant. */
export interface Planned {
  readonly window: { readonly name: string; readonly description: string | null };
  readonly isFor: (monitor: { readonly id: string; readonly tags: string }) => boolean;
  readonly start: number;
  readonly end: number;
}

type Target = Pick<PageMonitorRow, "id" | "tags">;

const covers = ({ isFor }: Planned, { id, tags }: Target): boolean =>
  isFor({ id, tags: JSON.stringify(tags) });

/** Whether a window for the monitor is under way. */
export function isMaintained(planned: readonly Planned[], monitor: Target, now: number): boolean {
  return planned.some((each) => each.start <= now && covers(each, monitor));
}

/** The windows of these monitors, in their order. */
export function shownMaintenance(
  planned: readonly Planned[],
  monitors: readonly PageMonitorRow[],
  now: number,
): ShownMaintenance[] {
  const shown = planned.flatMap((each) => {
    const names = monitors.filter((monitor) => covers(each, monitor)).map(({ name }) => name);
    if (names.length === 0) return [];
    return {
      title: each.window.name,
      description: each.window.description,
      starts_at: formatMicros(each.start),
      ends_at: formatMicros(each.end),
      active: each.start <= now,
      monitors: [...new Set(names)],
    };
  });
  return shown.slice(0, MOST_SHOWN);
}
