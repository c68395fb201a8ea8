// What is sent for a maintenance window, as it is kept; throws with what is wrong with it.

import { neverOccurs, validateSchedule } from "@orchestrator/calendar";
import {
  MAX_WINDOW_NAME,
  MAX_WINDOW_TAG,
  type MaintenanceCreate,
  type MaintenanceUpdate,
} from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { parseMicros } from "@orchestrator/kernel/pure";
import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";
import { overlapsItself } from "./periods.rules.ts";

/** What people decide about a window. */
export type MaintenanceDraft = Omit<
  MaintenanceRow,
  "id" | "created_at" | "updated_at" | "finished_at" | "told_start"
>;

const DEFAULTS: Omit<MaintenanceDraft, "name"> = {
  description: null,
  monitor_ids: "[]",
  tags: "[]",
  all_monitors: false,
  starts_at: null,
  ends_at: null,
  schedule: null,
  timezone: "UTC",
  duration: null,
  enabled: true,
};
const DAY_MICROS = 86_400_000_000;
const LONGEST_DAYS = 366;

export function receiveNewWindow(body: MaintenanceCreate): MaintenanceDraft {
  return { ...DEFAULTS, name: "", ...receiveChanges(body) };
}

/**
 * Only what was given. A window that is told to come once recurs no more, and the other way round.
 */
export function receiveChanges(given: MaintenanceUpdate): Partial<MaintenanceDraft> {
  const draft: { -readonly [Key in keyof MaintenanceDraft]?: MaintenanceDraft[Key] } = {};
  if (given.name != null) draft.name = nameOf(given.name);
  if (given.description !== undefined) draft.description = given.description;
  if (given.monitor_ids != null)
    draft.monitor_ids = JSON.stringify([...new Set(given.monitor_ids)]);
  if (given.tags != null) draft.tags = JSON.stringify(tagsOf(given.tags));
  if (given.all_monitors != null) draft.all_monitors = given.all_monitors;
  if (given.schedule != null || given.duration != null)
    Object.assign(draft, { starts_at: null, ends_at: null });
  if (given.starts_at != null || given.ends_at != null)
    Object.assign(draft, { schedule: null, duration: null });
  if (given.starts_at !== undefined) draft.starts_at = given.starts_at;
  if (given.ends_at !== undefined) draft.ends_at = given.ends_at;
  if (given.schedule !== undefined) draft.schedule = given.schedule?.trim() ?? null;
  if (given.duration !== undefined) draft.duration = given.duration;
  if (given.timezone != null) draft.timezone = given.timezone;
  if (given.enabled != null) draft.enabled = given.enabled;
  return draft;
}

/** Whether the window as a whole makes sense. */
export function checkWindow(draft: MaintenanceDraft, now: number): void {
  const isForNone = draft.monitor_ids === "[]" && draft.tags === "[]" && !draft.all_monitors;
  if (isForNone)
    throw refused("monitor_ids", "say what it is for: monitor_ids, tags or all_monitors");
  checkTimes(draft, now);
}

function checkTimes(draft: MaintenanceDraft, now: number): void {
  const { starts_at, ends_at, schedule, timezone, duration } = draft;
  const comesOnce = starts_at !== null || ends_at !== null;
  if (comesOnce === (schedule !== null || duration !== null))
    throw refused(
      "starts_at",
      "a window has either starts_at and ends_at, or schedule and duration",
    );
  if (comesOnce) {
    if (starts_at === null) throw refused("starts_at", "it is missing");
    if (ends_at === null) throw refused("ends_at", "it is missing");
    const length = parseMicros(ends_at) - parseMicros(starts_at);
    if (length <= 0) throw refused("ends_at", "a window ends after it begins");
    if (length > LONGEST_DAYS * DAY_MICROS)
      throw refused("ends_at", `a window lasts for at most ${LONGEST_DAYS} days`);
  }
  const cron = { kind: "cron", timezone, seconds: "first" } as const;
  const zoneProblem = validateSchedule({ ...cron, cron: "* * * * *" });
  if (zoneProblem !== null) throw refused("timezone", zoneProblem);
  if (comesOnce) return;
  if (schedule === null) throw refused("schedule", "it is missing");
  if (duration === null) throw refused("duration", "it is missing");
  const problem = validateSchedule({ ...cron, cron: schedule });
  if (problem !== null) throw refused("schedule", problem);
  if (neverOccurs({ ...cron, cron: schedule })) throw refused("schedule", "there is no such day");
  if (overlapsItself({ ...draft, finished_at: null }, now))
    throw refused("duration", "it would begin again before it has ended");
}

function nameOf(text: string): string {
  const name = text.trim();
  const length = Array.from(name).length;
  if (length === 0)
    throw refused("name", "a name has at least one character that is not white space");
  if (length > MAX_WINDOW_NAME)
    throw refused("name", `a name has at most ${MAX_WINDOW_NAME} characters`);
  return name;
}

function tagsOf(given: readonly string[]): string[] {
  const tags = [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
  if (tags.some((tag) => Array.from(tag).length > MAX_WINDOW_TAG))
    throw refused("tags", `a tag has at most ${MAX_WINDOW_TAG} characters`);
  return tags;
}

export function refused(field: string, msg: string): InvalidRequestError {
  return new InvalidRequestError([
    { type: "value_error", loc: ["body", field], msg: `Value error, ${msg}` },
  ]);
}
