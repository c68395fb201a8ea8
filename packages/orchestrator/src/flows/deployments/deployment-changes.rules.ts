import type {
  ConcurrencyOptions,
  DeploymentUpdate,
  Labels,
  OnCollision,
} from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { DEPLOYMENTS, type DeploymentRow } from "../../db/tables/deployments.table.ts";

/** What a caller may say of a deployment beyond its schedules, its queue and its limit. */
export type DeploymentFields = Omit<
  DeploymentUpdate,
  | "schedule"
  | "schedules"
  | "work_pool_name"
  | "work_queue_name"
  | "concurrency_limit"
  | "concurrency_key"
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
  const { labels } = changes;
  return DEPLOYMENTS.changed(row, {
    ...changes,
    ...collisionChanges(row, changes),
    ...(labels != null && { labels: { ...(readJson(row.labels) as Labels), ...labels } }),
  });
}

const STRATEGIES = {
  queue: "ENQUEUE",
  skip: "CANCEL_NEW",
  "cancel-running": "ENQUEUE",
  "replace-queued": "ENQUEUE",
} as const satisfies Record<OnCollision, ConcurrencyOptions["collision_strategy"]>;

/**
 * Established clients know `collision_strategy` only, which follows `on_collision`. A strategy that
 * they set takes the place of an `on_collision` that it contradicts.
 */
function collisionChanges(
  row: DeploymentRow,
  { concurrency_options: options, on_collision: wanted }: DeploymentFields,
): Pick<DeploymentFields, "concurrency_options" | "on_collision"> {
  const stored =
    row.concurrency_options === null
      ? null
      : (JSON.parse(row.concurrency_options) as ConcurrencyOptions);
  if (wanted != null) {
    const collision_strategy = STRATEGIES[wanted];
    if (options != null && options.collision_strategy !== collision_strategy) refuseBoth(wanted);
    const base = options === undefined ? stored : options;
    return {
      on_collision: wanted,
      concurrency_options: knownOptions({ ...base, collision_strategy }),
    };
  }
  if (options === undefined) return wanted === undefined ? {} : { on_collision: null };
  const kept = row.on_collision;
  const strategy = options?.collision_strategy ?? "ENQUEUE";
  const isKept = wanted === undefined && kept !== null && STRATEGIES[kept] === strategy;
  return {
    concurrency_options: options === null ? null : knownOptions(options),
    on_collision: isKept ? kept : null,
  };
}

function refuseBoth(wanted: OnCollision): never {
  const msg = `Value error, on_collision ${wanted} has the collision_strategy ${STRATEGIES[wanted]}`;
  throw new InvalidRequestError([{ type: "value_error", loc: ["body", "on_collision"], msg }]);
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
