// The resources that an event of a run names beside the run. They hardly change, so they are kept
// for a while.

import type { Database, Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { type RelatedResource, relatedJson } from "../../events/emit.ts";
import {
  findRunRelations,
  type LockedFlowRun,
  type RunRelations,
} from "./flow-run-states.store.ts";

type EventfulRun = Pick<
  LockedFlowRun,
  | "id"
  | "flow_id"
  | "deployment_id"
  | "work_queue_id"
  | "parent_task_run_id"
  | "tags"
  | "created_by"
>;

interface Kept {
  /** What the answer was made from, as far as the run itself decides it. */
  readonly made_from: string;
  readonly json: string;
  readonly until: number;
}

const KEPT_MICROS = 5 * 60 * 1_000_000;
const MAX_KEPT = 5000;
const kept = new WeakMap<Database, Map<string, Kept>>();

/** Of a run that belongs to its flow alone. */
export const NOWHERE: Omit<RunRelations, "flow_name" | "flow_tags"> = {
  deployment_id: null,
  deployment_name: null,
  deployment_tags: null,
  work_queue_id: null,
  work_queue_name: null,
  work_pool_id: null,
  work_pool_name: null,
  work_pool_type: null,
  task_run_id: null,
  task_run_name: null,
  task_run_tags: null,
};

/**
 * The related resources of a run's events as JSON. What is around the run is looked up unless it is
 * known.
 */
export async function relatedOf(
  ctx: OrchestratorContext,
  queries: Queries,
  run: EventfulRun,
  around: RunRelations | null = null,
): Promise<string> {
  const known = kept.get(ctx.db) ?? new Map<string, Kept>();
  kept.set(ctx.db, known);
  const now = ctx.clock.nowMicros();
  const made_from = `${run.work_queue_id} ${run.tags}`;
  const found = known.get(run.id);
  if (found !== undefined && found.made_from === made_from && found.until > now) return found.json;
  const surroundings = around ?? (await findRunRelations(queries, run));
  const related = surroundings === null ? [] : resources(run, surroundings);
  const json = relatedJson(ctx.dialect.prefix, related);
  if (known.size >= MAX_KEPT) known.clear();
  known.set(run.id, { made_from, json, until: now + KEPT_MICROS });
  return json;
}

function resources(run: EventfulRun, around: RunRelations): RelatedResource[] {
  const related: RelatedResource[] = [
    { kind: "flow", id: run.flow_id, role: "flow", name: around.flow_name },
  ];
  if (around.deployment_id !== null) {
    const { deployment_id: id, deployment_name: name } = around;
    related.push({ kind: "deployment", id, role: "deployment", name });
  }
  if (around.work_queue_id !== null) {
    const { work_queue_id: id, work_queue_name: name } = around;
    related.push({ kind: "work-queue", id, role: "work-queue", name });
  }
  if (around.work_pool_id !== null) {
    const { work_pool_id: id, work_pool_name: name, work_pool_type } = around;
    const labels = { "work-pool.type": work_pool_type ?? "" };
    related.push({ kind: "work-pool", id, role: "work-pool", name, labels });
  }
  if (around.task_run_id !== null) {
    const { task_run_id: id, task_run_name: name } = around;
    related.push({ kind: "task-run", id, role: "task-run", name });
  }
  const tags = [run.tags, around.flow_tags, around.deployment_tags, around.task_run_tags];
  for (const tag of distinct(tags)) related.push({ kind: "tag", id: tag, role: "tag" });
  const creator = creatorOf(run.created_by);
  if (creator !== null) related.push(creator);
  return related;
}

function distinct(lists: readonly (string | null)[]): string[] {
  const tags = lists.flatMap((list) => (list === null ? [] : (JSON.parse(list) as string[])));
  return [...new Set(tags)].sort();
}

function creatorOf(createdBy: string | null): RelatedResource | null {
  if (createdBy === null) return null;
  const { id, type, display_value } = JSON.parse(createdBy) as Record<string, string | null>;
  if (!id || (type !== "DEPLOYMENT" && type !== "AUTOMATION")) return null;
  return { kind: type.toLowerCase(), id, role: "creator", name: display_value ?? null };
}
