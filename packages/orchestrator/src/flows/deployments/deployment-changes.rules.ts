import type { ConcurrencyOptions, DeploymentUpdate, Labels } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { DEPLOYMENTS, type DeploymentRow } from "../../db/tables/deployments.table.ts";

/** What a caller may say of a deployment beyond its schedules, its queue and its limit. */
export type DeploymentFields = Omit<
  DeploymentUpdate,
  | "schedule"
  | "schedules"
  | "work_pool_name"
  | "work_queue_name"
  | "concurrency_limit"
  | "global_concurrency_limit_id"
> & { readonly labels?: Labels | null };

/** An empty name of a pool or a queue is as if it were left out. */
export const withoutEmptyPlace = <Body extends WorkPlace>(body: Body): Body =>
  withoutPlace(body, (name) => name === "");

/** And so is null, where there is no pool to be taken away. */
export const withoutPlaceOfNone = <Body extends WorkPlace>(body: Body): Body =>
  withoutPlace(body, (name) => !name);

function withoutPlace<Body extends WorkPlace>(
  body: Body,
  isNone: (name: string | null | undefined) => boolean,
): Body {
  const placed = { ...body };
  if (isNone(placed.work_pool_name)) delete placed.work_pool_name;
  if (isNone(placed.work_queue_name)) delete placed.work_queue_name;
  return placed;
}

interface WorkPlace {
  work_pool_name?: string | null;
  work_queue_name?: string | null;
}

/** Only what was given changes. Labels are added to those there are. */
export function withChanges(row: DeploymentRow, changes: DeploymentFields): DeploymentRow {
  const { concurrency_options: options, labels } = changes;
  return DEPLOYMENTS.changed(row, {
    ...changes,
    ...(options != null && { concurrency_options: knownOptions(options) }),
    ...(labels != null && { labels: { ...(readJson(row.labels) as Labels), ...labels } }),
  });
}

/** What a newer client may say beside is let go. */
const knownOptions = ({
  collision_strategy,
  grace_period_seconds = null,
}: ConcurrencyOptions): ConcurrencyOptions => ({ grace_period_seconds, collision_strategy });

/** A field that is not what it was; both values as JSON text. */
export interface DeploymentChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

export function changesBetween(before: DeploymentRow, after: DeploymentRow): DeploymentChange[] {
  return DEPLOYMENTS.columnsWith("published").flatMap((field) => {
    const [from, to] = [before[field], after[field]];
    if (from === to) return [];
    const { kind } = DEPLOYMENTS.members[field];
    return { field, from: jsonOf(from, kind), to: jsonOf(to, kind) };
  });
}

function jsonOf(value: unknown, kind: string): string {
  const holdsJson = kind === "json" || kind === "tags";
  return holdsJson && typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether anything at all is stored differently. */
export function isSameRow(before: DeploymentRow, after: DeploymentRow): boolean {
  return (Object.keys(after) as (keyof DeploymentRow)[]).every((key) => before[key] === after[key]);
}
