// What an import would do with monitors, worked out before anything is done.

import { type ImportedItem, MAX_DOCUMENT_MONITORS } from "@orchestrator/contract";
import { isSameJson, readJson } from "@orchestrator/exact-json";
import { AppError, yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { MonitorConfigRow } from "../../db/tables/monitors.table.ts";
import type { MonitorEntry } from "../../models.ts";
import {
  invalid,
  type MonitorConfig,
  receiveMonitor,
  validateMonitorSchedule,
} from "../../monitors/monitor-input.rules.ts";
import {
  limitsOf,
  MONITOR_DEFAULTS,
  monitorConfigOf,
  openedOrNone,
  rowOf,
  type Writing,
} from "../../monitors/monitor-row.ts";
import { changedMonitorFields } from "../../monitors/monitors.events.ts";
import { differencesBetween, secretDifferences } from "./differences.rules.ts";
import type { StoredConfiguration } from "./documents.store.ts";
import { ambiguous, ImportProblems, refuseTwins } from "./import-problems.rules.ts";
import { findReference, withMasks } from "./monitor-entry.rules.ts";
import { MonitorNames } from "./monitor-names.ts";
import { planFamilies } from "./plan-families.ts";
import type { FamilyChange, PlannedMonitor } from "./planned-monitor.ts";

export interface MonitorsRequest {
  readonly entries: readonly MonitorEntry[];
  readonly present: Pick<StoredConfiguration, "monitors" | "others" | "edges">;
}

/**
 * Throws with all that is wrong with the section. In the order of the document, those deleted last.
 */
export async function planMonitors(
  ctx: Writing,
  { entries, present }: MonitorsRequest,
): Promise<PlannedMonitor[]> {
  const names = entries.map(({ name }) => name.trim());
  refuseTwins("monitors", "name", names);
  const own = new Set(names);
  const rows = new Map<string, MonitorConfigRow>();
  for (const row of present.monitors) {
    if (!own.has(row.name)) continue;
    if (rows.has(row.name)) throw ambiguous("monitors", row.name);
    rows.set(row.name, row);
  }
  const making = { now: ctx.clock.now(), checkSchedule: eachOnce() };
  const problems = new ImportProblems("monitors");
  const planned: PlannedMonitor[] = [];
  const turn = yieldingBetweenSteps();
  for (const [index, entry] of entries.entries()) {
    const name = names[index] ?? "";
    const work = () => plan(ctx, { ...making, entry, before: rows.get(name) ?? null });
    const one = problems.trying(work, index, name);
    if (one !== null) planned.push(one);
    await turn();
  }
  problems.assertNone();
  const gone = goneOf(present.others);
  const monitors = new MonitorNames([...planned, ...gone], present.monitors);
  const families = await planFamilies({ entries, planned, gone, monitors, edges: present.edges });
  return [...planned.map((one, index) => withFamily(one, families[index] ?? null)), ...gone];
}

function goneOf(rows: readonly MonitorConfigRow[]): PlannedMonitor[] {
  if (rows.length > MAX_DOCUMENT_MONITORS)
    throw new AppError(
      "invalid",
      `More than ${MAX_DOCUMENT_MONITORS} monitors would be deleted, which is more than one import may do`,
    );
  return rows.map((before) => ({ action: "deleted", before, after: null, family: null }));
}

/** A change of the parents alone is a change as well. */
function withFamily(planned: PlannedMonitor, family: FamilyChange | null): PlannedMonitor {
  const action = planned.action === "unchanged" && family !== null ? "updated" : planned.action;
  return { ...planned, action, family };
}

interface Entry {
  readonly entry: MonitorEntry;
  readonly before: MonitorConfigRow | null;
  readonly now: string;
  readonly checkSchedule: (draft: MonitorConfig) => void;
}

/** Most monitors of a document have the same schedule, or none, and to look at one takes time. */
function eachOnce(): Entry["checkSchedule"] {
  const good = new Set<string>();
  return (draft) => {
    const key = `${draft.schedule} ${draft.timezone}`;
    if (good.has(key)) return;
    validateMonitorSchedule(draft);
    good.add(key);
  };
}

function plan(ctx: Writing, entry: Entry): PlannedMonitor {
  const { before, now } = entry;
  const draft = draftFrom(ctx, entry.entry, before);
  entry.checkSchedule(draft);
  if (before === null) {
    const kept = { id: ctx.ids.uuid7(), created_at: now, updated_at: now, next_run: null };
    return { action: "created", before, after: rowOf(ctx, kept, draft), family: null };
  }
  const made = rowOf(ctx, { ...before, updated_at: now }, draft);
  // The order of keys is nobody's business.
  const isAlike = isSameJson(readJson(made.pipeline), readJson(before.pipeline));
  const after = isAlike ? { ...made, pipeline: before.pipeline } : made;
  const isChanged = changedMonitorFields(before, after).length > 0;
  return { action: isChanged ? "updated" : "unchanged", before, after, family: null };
}

/**
 * What a file leaves out has its default, so that it means the same on every server; but a pause is
 * not undone by it.
 */
function draftFrom(
  ctx: Writing,
  entry: MonitorEntry,
  before: MonitorConfigRow | null,
): MonitorConfig {
  const given = receiveMonitor(entry, limitsOf(ctx));
  const draft: MonitorConfig = {
    ...MONITOR_DEFAULTS,
    enabled: before?.enabled ?? MONITOR_DEFAULTS.enabled,
    name: entry.name,
    url: entry.url,
    ...given,
  };
  const masked = { ...draft, ...withMasks(draft) };
  for (const [field, value] of Object.entries(masked)) {
    const reference = findReference(value);
    if (reference !== null) throw invalid(field, unresolved(reference));
  }
  return masked;
}

function unresolved(reference: string): string {
  return reference.includes("env:")
    ? `${reference} stands for something that only the sender knows: put it in before sending`
    : `${reference} stands for a secret that is kept, and this is no place for one`;
}

/** What the caller is told of it. */
export function monitorOutcome(
  ctx: Writing,
  { action, before, after, family }: PlannedMonitor,
): ImportedItem {
  const row = before ?? after;
  const told = { name: row?.name ?? "", id: row?.id ?? null, action };
  if (action !== "updated" || before === null || after === null)
    return { ...told, differences: [] };
  const secrets =
    before.secrets === after.secrets
      ? []
      : secretDifferences(openedOrNone(ctx.keyring, before), openedOrNone(ctx.keyring, after));
  const parents =
    family === null
      ? []
      : [{ field: "parents", before: family.before, after: family.after, secret: false }];
  const fields = differencesBetween(monitorConfigOf(before), monitorConfigOf(after));
  return { ...told, differences: [...fields, ...parents, ...secrets] };
}
