import type {
  DeploymentScheduleCreate,
  DeploymentScheduleUpdate,
  Schedule,
} from "@orchestrator/contract";
import { writeJson } from "@orchestrator/kernel";
import type { ScheduleRow } from "../deployments/deployments.table.ts";

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
  const isSame = (Object.keys(changed) as (keyof ScheduleRow)[]).every(
    (key) => changed[key] === row[key],
  );
  return isSame ? null : { ...changed, updated: now, ...wakingAt(now, active, owner) };
}
