import type { MaintenanceCreate, MaintenanceWindow } from "@orchestrator/contract";

/** A window as it is being written; times are those of the viewer's zone. */
export interface WindowDraft {
  readonly name: string;
  readonly description: string;
  readonly kind: "once" | "recurring";
  readonly startsAt: string;
  readonly endsAt: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly minutes: number;
  readonly all: boolean;
  readonly monitorIds: readonly string[];
  readonly tags: readonly string[];
  readonly enabled: boolean;
}

const HOUR_MS = 3_600_000;
const DEFAULT_MINUTES = 60;

export function draftOfWindow(window: MaintenanceWindow | undefined): WindowDraft {
  const now = Date.now();
  return {
    name: window?.name ?? "",
    description: window?.description ?? "",
    kind: window?.schedule == null ? "once" : "recurring",
    startsAt: localText(window?.starts_at ?? now),
    endsAt: localText(window?.ends_at ?? now + HOUR_MS),
    schedule: window?.schedule ?? "0 3 * * SUN",
    timezone: window?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    minutes: window?.duration == null ? DEFAULT_MINUTES : window.duration / 60,
    all: window?.all_monitors ?? false,
    monitorIds: window?.monitor_ids ?? [],
    tags: window?.tags ?? [],
    enabled: window?.enabled ?? true,
  };
}

/** `window`: what the draft was made of. */
export function maintenanceWindowOf(
  draft: WindowDraft,
  window: MaintenanceWindow | undefined,
): MaintenanceCreate {
  const { name, description, kind, schedule, timezone, minutes, all, monitorIds, enabled } = draft;
  const isOnce = kind === "once";
  return {
    name,
    description: description === "" ? null : description,
    starts_at: isOnce ? timeIn(draft.startsAt, window?.starts_at) : null,
    ends_at: isOnce ? timeIn(draft.endsAt, window?.ends_at) : null,
    schedule: isOnce ? null : schedule,
    timezone,
    duration: isOnce ? null : Math.round(minutes * 60),
    all_monitors: all,
    monitor_ids: all ? [] : [...monitorIds],
    tags: all ? [] : [...draft.tags],
    enabled,
  };
}

/**
 * A text that nobody changed is the time it was made of: it has no seconds, and some hours come
 * twice when clocks go back.
 */
function timeIn(text: string, before: string | null | undefined): string {
  return before != null && localText(before) === text ? before : new Date(text).toISOString();
}

/** As an input for a local time has it: `2026-11-15T09:00`. */
function localText(time: string | number): string {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
