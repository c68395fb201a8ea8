// The schedules of a deployment changed as a whole, inside the transaction that changes the
// deployment.

import {
  type DeploymentScheduleUpdate,
  MOST_SCHEDULES,
  type Schedule,
} from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { ScheduleRow } from "../../db/tables/deployments.table.ts";
import type { Receiving } from "../times/schedules.rules.ts";
import { type Location, receiveSchedule, receiveSchedules } from "./receive-schedules.service.ts";
import { haveSlugs, planSchedules, type SchedulePlan } from "./schedule-merge.rules.ts";
import {
  beginsAnywhere,
  changedScheduleRow,
  goingOn,
  newScheduleRow,
  replacedRows,
  type ScheduleOwner,
} from "./schedule-rows.rules.ts";
import { insertSchedules, removeSchedules, updateScheduleRow } from "./schedules.store.ts";

/** An entry of a list of schedules with its schedule as it is stored, null where none was given. */
export interface ScheduleEntry {
  readonly entry: DeploymentScheduleUpdate;
  readonly stored: Schedule | null;
}

/** Reads a list of schedules, or says everything that is wrong with it. */
export async function receiveEntries(
  ctx: OrchestratorContext,
  scope: Scope,
  entries: readonly DeploymentScheduleUpdate[],
  loc: Location = ["body", "schedules"],
): Promise<ScheduleEntry[]> {
  const given = entries.flatMap(({ schedule }, position) =>
    schedule == null ? [] : [{ schedule, loc: [...loc, position, "schedule"] }],
  );
  const stored = (await receiveSchedules(ctx.compute.for(scope), given, receivingOf(ctx))).values();
  return entries.map((entry) => ({
    entry,
    stored: entry.schedule == null ? null : (stored.next().value ?? null),
  }));
}

/** The entry of a caller who knows of one schedule only. */
export async function receiveSingle(
  ctx: OrchestratorContext,
  scope: Scope,
  schedule: Schedule,
): Promise<ScheduleEntry> {
  const given = { schedule, loc: ["body", "schedule"] };
  const stored = await receiveSchedule(ctx.compute.for(scope), given, receivingOf(ctx));
  return { entry: { schedule }, stored };
}

function receivingOf(ctx: OrchestratorContext): Receiving {
  return { nowMicros: ctx.clock.nowMicros(), takesAny: ctx.dialect.takesAnySchedule };
}

interface Change {
  readonly existing: readonly ScheduleRow[];
  readonly entries: readonly ScheduleEntry[];
  readonly owner: ScheduleOwner;
  readonly now: string;
}

/** Tells whether anything changed. */
export async function mergeSchedules(
  ctx: OrchestratorContext,
  tx: Transaction,
  change: Change,
): Promise<boolean> {
  const plan = planSchedules(
    change.existing,
    change.entries.map(({ entry }) => entry),
  );
  return carryOut(ctx, tx, { ...change, plan });
}

/**
 * The entries take the place of all schedules there are; one that says the same as before stays.
 */
export async function replaceSchedules(
  ctx: OrchestratorContext,
  tx: Transaction,
  change: Change,
): Promise<boolean> {
  const creates = [...change.entries.keys()];
  return carryOut(ctx, tx, { ...change, plan: { creates, patches: [], removes: change.existing } });
}

async function carryOut(
  ctx: OrchestratorContext,
  tx: Transaction,
  change: PlannedChange,
): Promise<boolean> {
  const { removed, updated, created, renamed } = outcomeOf(ctx, change);
  await removeSchedules(
    tx,
    removed.map(({ id }) => id),
  );
  // Two that swap their slugs would meet half-way.
  for (const row of renamed) await updateScheduleRow(tx, { ...row, slug: null });
  for (const row of updated) await updateScheduleRow(tx, row);
  await insertSchedules(tx, created);
  return removed.length + updated.length + created.length > 0;
}

interface PlannedChange extends Change {
  readonly plan: SchedulePlan;
}

interface Outcome {
  readonly removed: readonly ScheduleRow[];
  readonly updated: readonly ScheduleRow[];
  readonly created: readonly ScheduleRow[];
  /** Those that get another slug, as they were. */
  readonly renamed: readonly ScheduleRow[];
  /** What there is then: what the entries become, in their order, and what stays. */
  readonly rows: readonly ScheduleRow[];
}

/** Throws where the deployment cannot have what the plan makes. */
function outcomeOf(
  ctx: OrchestratorContext,
  { existing, entries, owner, now, plan }: PlannedChange,
): Outcome {
  const given = plan.creates.flatMap((position) => {
    const { entry, stored } = entryAt(entries, position);
    if (stored === null) return [];
    const row = newScheduleRow(entry, { id: ctx.ids.uuid7(), schedule: stored, owner, now });
    return { position, row, beginsAnywhere: beginsAnywhere(entry.schedule) };
  });
  const { removed, changed, created, rows } = replacedRows(plan.removes, given);
  const patches = plan.patches.map(({ row, position }) => {
    const given = entryAt(entries, position);
    const schedule = inPlaceOf(given, row);
    return {
      position,
      row,
      patched: changedScheduleRow(row, given.entry, { schedule, owner, now }),
    };
  });
  const patched = patches.flatMap(({ patched }) => patched ?? []);
  const placed = [
    ...given.map(({ position }, index) => ({ position, row: rows[index] })),
    ...patches.map(({ position, row, patched }) => ({ position, row: patched ?? row })),
  ];
  const inPlan = new Set([...plan.removes, ...plan.patches.map(({ row }) => row)]);
  const after = [
    ...placed.toSorted((a, b) => a.position - b.position).flatMap(({ row }) => row ?? []),
    ...existing.filter((row) => !inPlan.has(row)),
  ];
  refuseTooMany(after.length);
  refuseSameSlugs(after);
  return {
    removed,
    updated: [...patched, ...changed],
    created,
    renamed: patches.flatMap(({ row, patched }) =>
      patched !== null && patched.slug !== row.slug ? row : [],
    ),
    rows: after,
  };
}

/** What a list would make of the schedules there are. */
export interface PreviewedChange {
  /** What the deployment would have. */
  readonly rows: readonly { readonly row: ScheduleRow; readonly isNew: boolean }[];
  /** A list that says what is there already changes nothing. */
  readonly changesAny: boolean;
}

/**
 * Changes nothing, and throws what `mergeSchedules` would. Only schedules without slugs where all
 * have one are taken though it would refuse them: somebody considers to add them, which deletes
 * nothing, so they are shown by themselves.
 */
export function previewChange(ctx: OrchestratorContext, change: Change): PreviewedChange {
  const given = change.entries.map(({ entry }) => entry);
  const isConsidered =
    given.length > 0 && given.every(({ slug }) => slug == null) && haveSlugs(change.existing);
  const existing = isConsidered ? [] : change.existing;
  const plan = planSchedules(existing, given);
  const { removed, updated, created, rows } = outcomeOf(ctx, { ...change, existing, plan });
  const isNew = new Set(created.map(({ id }) => id));
  return {
    rows: rows.map((row) => ({ row, isNew: isNew.has(row.id) })),
    changesAny: !isConsidered && removed.length + updated.length + created.length > 0,
  };
}

/** The schedule of an entry that changes a row. */
export function inPlaceOf({ entry, stored }: ScheduleEntry, row: ScheduleRow): Schedule | null {
  return stored !== null && beginsAnywhere(entry.schedule) ? goingOn(stored, row.schedule) : stored;
}

function entryAt(entries: readonly ScheduleEntry[], position: number): ScheduleEntry {
  const entry = entries[position];
  if (entry === undefined) throw new RangeError(`No entry ${position}`);
  return entry;
}

export function refuseTooMany(count: number): void {
  if (count > MOST_SCHEDULES)
    throw new AppError("conflict", `A deployment has at most ${MOST_SCHEDULES} schedules`);
}

function refuseSameSlugs(rows: readonly ScheduleRow[]): void {
  const slugs = rows.flatMap(({ slug }) => slug ?? []);
  if (new Set(slugs).size < slugs.length) throw slugTaken();
}

export function slugTaken(): AppError {
  return new AppError("conflict", "The deployment has another schedule with the same slug");
}
