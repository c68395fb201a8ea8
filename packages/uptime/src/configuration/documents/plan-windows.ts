// What an import does with maintenance windows. A file names monitors where a window has their ids.

import { MAX_WINDOWS, type MaintenanceEntry } from "@orchestrator/contract";
import { parseMicros } from "@orchestrator/kernel/pure";
import type { UptimeContext } from "../../context.ts";
import type { MaintenanceRow } from "../../db/tables/maintenance.table.ts";
import {
  checkWindow,
  receiveNewWindow,
  refused,
} from "../../maintenance/maintenance-input.rules.ts";
import { differencesBetween } from "./differences.rules.ts";
import { noMonitor } from "./monitor-names.ts";
import { planSection, type SectionRequest } from "./plan-section.ts";
import { type PlannedItem, unchangedItem } from "./planned-item.ts";

export type PlannedWindow = PlannedItem<MaintenanceRow>;

/** In the order in which people read it. Monitors that are gone are left out. */
export function windowEntry(
  row: MaintenanceRow,
  nameOf: ReadonlyMap<string, string>,
): MaintenanceEntry {
  const { name, description, all_monitors, starts_at, ends_at, schedule, timezone } = row;
  const ids = JSON.parse(row.monitor_ids) as readonly string[];
  return {
    name,
    description,
    enabled: row.enabled,
    monitors: ids.flatMap((id) => nameOf.get(id) ?? []),
    tags: JSON.parse(row.tags) as string[],
    all_monitors,
    starts_at,
    ends_at,
    schedule,
    timezone,
    duration: row.duration,
  };
}

/** Whether it came once and will not come again. */
export const isWindowOver = ({ ends_at }: Pick<MaintenanceRow, "ends_at">, now: number): boolean =>
  ends_at !== null && parseMicros(ends_at) <= now;

type Request = SectionRequest<MaintenanceEntry, MaintenanceRow>;

/**
 * Throws with all that is wrong with the section. In the order of the document, those deleted last.
 */
export function planWindows(
  ctx: Pick<UptimeContext, "clock" | "ids">,
  request: Request,
): PlannedWindow[] {
  const planOne = (entry: MaintenanceEntry, before: MaintenanceRow | null) =>
    plan(ctx, { ...request, entry, before });
  return planSection({ section: "maintenance", key: "name", most: MAX_WINDOWS, planOne }, request);
}

interface One extends Pick<Request, "monitors" | "nameOf"> {
  readonly entry: MaintenanceEntry;
  readonly before: MaintenanceRow | null;
}

function plan(
  { clock, ids }: Pick<UptimeContext, "clock" | "ids">,
  { entry, before, monitors, nameOf }: One,
): PlannedWindow {
  const { monitors: wanted, ...given } = entry;
  const { ids: monitor_ids, unknown } = monitors.resolve(wanted ?? []);
  if (unknown.length > 0) throw refused("monitors", noMonitor(unknown));
  // What is left out has its default, so that a file means the same on every server; but nothing is
  // switched on by it.
  const enabled = given.enabled ?? before?.enabled ?? true;
  const draft = receiveNewWindow({ ...given, monitor_ids, enabled });
  const { name } = draft;
  const now = clock.now();
  checkWindow(draft, parseMicros(now));
  if (before === null) {
    // Windows that are over are forgotten after a while; a file that still has one is as good as
    // the server.
    if (isWindowOver(draft, parseMicros(now)))
      return { name, action: "unchanged", before, after: null, differences: [] };
    const fresh = { id: ids.uuid7(), created_at: now, finished_at: null, told_start: null };
    const after = { ...draft, ...fresh, updated_at: now };
    return { name, action: "created", before, after, differences: [] };
  }
  const after = { ...before, ...draft, updated_at: now };
  const differences = differencesBetween(windowEntry(before, nameOf), windowEntry(after, nameOf));
  return unchangedItem({ name, before, after, differences });
}
