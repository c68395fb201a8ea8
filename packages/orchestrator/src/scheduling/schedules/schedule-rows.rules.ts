import { isStoredForm } from "@orchestrator/calendar";
import type {
  DeploymentScheduleCreate,
  DeploymentScheduleUpdate,
  Schedule,
} from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { ScheduleRow } from "../../db/tables/deployments.table.ts";

/** Whose schedule it is, and whether the scheduler may look at it. */
export interface ScheduleOwner {
  readonly deploymentId: string;
  readonly isPaused: boolean;
}

/** When the scheduler looks at it next: at once, or not while it is switched off. */
function wakingAt(now: string, isActive: boolean, { isPaused }: ScheduleOwner) {
  return { filled_until: now, due: isActive && !isPaused ? now : null };
}

/** `schedule` is the schedule as it is stored. */
export function newScheduleRow(
  create: Omit<DeploymentScheduleCreate, "schedule">,
  { id, schedule, owner, now }: NewScheduleOptions,
): ScheduleRow {
  const active = create.active ?? true;
  return {
    id,
    created: now,
    updated: now,
    deployment_id: owner.deploymentId,
    schedule: JSON.stringify(schedule),
    active,
    max_scheduled_runs: create.max_scheduled_runs ?? null,
    parameters: writeJson(create.parameters ?? {}),
    slug: create.slug ?? null,
    catchup: create.catchup ?? "none",
    overlap: create.overlap ?? "allow",
    jitter_seconds: create.jitter_seconds ?? 0,
    ...wakingAt(now, active, owner),
  };
}

export interface NewScheduleOptions {
  readonly id: string;
  readonly schedule: Schedule;
  readonly owner: ScheduleOwner;
  readonly now: string;
}

/** The row with what was given, or null when it stays the same. What is null is not changed. */
export function changedScheduleRow(
  row: ScheduleRow,
  update: Omit<DeploymentScheduleUpdate, "schedule">,
  {
    schedule,
    owner,
    now,
  }: Omit<NewScheduleOptions, "id" | "schedule"> & {
    readonly schedule: Schedule | null;
  },
): ScheduleRow | null {
  const active = update.active ?? row.active;
  const changed = {
    ...row,
    schedule: schedule === null ? row.schedule : JSON.stringify(schedule),
    active,
    max_scheduled_runs: update.max_scheduled_runs ?? row.max_scheduled_runs,
    parameters: update.parameters == null ? row.parameters : writeJson(update.parameters),
    slug: update.slug ?? row.slug,
    catchup: update.catchup ?? row.catchup,
    overlap: update.overlap ?? row.overlap,
    jitter_seconds: update.jitter_seconds ?? row.jitter_seconds,
  };
  if (isSame(changed, row)) return null;
  const after = { ...changed, updated: now, ...wakingAt(now, active, owner) };
  return { ...after, ...behind(row, after) };
}

/** One that is behind with its times still lacks them after a change of all else. */
function behind(before: ScheduleRow, after: ScheduleRow): Partial<ScheduleRow> {
  const { due, filled_until } = before;
  const isBehind = due !== null && filled_until !== null && filled_until < after.updated;
  return isBehind && before.schedule === after.schedule ? { filled_until } : {};
}

/** Says who a schedule is, beside its times. */
const NAME = ["slug", "parameters"] as const;
const GIVEN = [
  ...NAME,
  "schedule",
  "active",
  "max_scheduled_runs",
  "catchup",
  "overlap",
  "jitter_seconds",
] as const satisfies readonly (keyof ScheduleRow)[];

const isSame = (
  one: ScheduleRow,
  other: ScheduleRow,
  keys: readonly (keyof ScheduleRow)[] = GIVEN,
): boolean => keys.every((key) => one[key] === other[key]);

export interface ReplacedRows {
  readonly removed: readonly ScheduleRow[];
  readonly changed: readonly ScheduleRow[];
  readonly created: readonly ScheduleRow[];
  /** What each of those given becomes. */
  readonly rows: readonly ScheduleRow[];
}

/**
 * A row that is to be, and whether its schedule was given without a beginning, and got the present
 * for one.
 */
export interface GivenRow {
  readonly row: ScheduleRow;
  readonly beginsAnywhere: boolean;
}

export const beginsAnywhere = (given: Schedule | null | undefined): boolean =>
  given?.rrule != null
    ? !/DTSTART/i.test(given.rrule)
    : given?.interval != null && given.anchor_date == null;

/**
 * A schedule without a beginning goes on as the same one did before: deployed again and again, an
 * interval would never run otherwise.
 */
export function goingOn(stored: Schedule, before: string): Schedule {
  const { anchor_date = null, rrule = "" } = JSON.parse(before) as Schedule;
  if (stored.rrule !== undefined && !isStoredForm(stored.rrule, rrule)) return stored;
  const alike = stored.rrule === undefined ? { ...stored, anchor_date } : { ...stored, rrule };
  return JSON.stringify(alike) === before ? alike : stored;
}

function inPlaceOf({ schedule }: ScheduleRow, given: GivenRow): ScheduleRow {
  const { row } = given;
  if (!given.beginsAnywhere) return row;
  const stored = goingOn(JSON.parse(row.schedule) as Schedule, schedule);
  return { ...row, schedule: JSON.stringify(stored) };
}

/**
 * What new rows do that take the place of others. One that is there already stays who it is: times
 * whose runs have been claimed are not made a second time, and runs that are under way still count
 * for those that mind them.
 */
export function replacedRows(
  existing: readonly ScheduleRow[],
  given: readonly GivenRow[],
): ReplacedRows {
  const left = new Set(existing);
  const pairs = given.map((each) => {
    const before = [...left].findLast(
      (other) =>
        isSame(each.row, other, NAME) && inPlaceOf(other, each).schedule === other.schedule,
    );
    if (before === undefined) return { row: each.row, before };
    left.delete(before);
    return { row: inPlaceOf(before, each), before };
  });
  return {
    removed: [...left],
    changed: pairs.flatMap(({ row, before }) =>
      before === undefined || isSame(row, before)
        ? []
        : { ...row, id: before.id, created: before.created, ...behind(before, row) },
    ),
    created: pairs.flatMap(({ row, before }) => (before === undefined ? row : [])),
    rows: pairs.map(({ row, before }) =>
      before === undefined ? row : { ...row, id: before.id, created: before.created },
    ),
  };
}
