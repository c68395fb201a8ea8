import { writeJson } from "@orchestrator/exact-json";
import type { WorkPoolRow } from "../../db/tables/work-pools.table.ts";
import type { WorkQueueRow } from "../../db/tables/work-queues.table.ts";
import type { RelatedResource, ResourceEvent } from "../../events/emit.ts";
import type { DerivedWorkStatus } from "./work-status.rules.ts";

type Pool = Pick<WorkPoolRow, "id" | "name" | "type">;
type Queue = Pick<WorkQueueRow, "id" | "name">;

/** A change as an event tells it: the fields and what became of each. */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}
export type Changes = Readonly<Record<string, FieldChange>>;

const changesJson = (changes: Changes): string =>
  writeJson({ updated_fields: Object.keys(changes), updates: changes });

const VERBS: Readonly<Record<DerivedWorkStatus, string>> = {
  READY: "ready",
  NOT_READY: "not-ready",
  PAUSED: "paused",
};

export const statusVerb = (status: DerivedWorkStatus): string => VERBS[status];

export const relatedPool = ({ id, name, type }: Pool): RelatedResource => ({
  kind: "work-pool",
  id,
  role: "work-pool",
  name,
  labels: { "work-pool.type": type },
});

export const relatedQueue = ({ id, name }: Queue, role = "work-queue"): RelatedResource => ({
  kind: "work-queue",
  id,
  role,
  name,
});

const aboutPool = ({ id, name, type }: Pool, occurred: string) => ({
  kind: "work-pool",
  id,
  name,
  occurred,
  labels: { "work-pool.type": type },
});

const aboutQueue = (queue: Queue, pool: Pool, occurred: string) => ({
  kind: "work-queue",
  id: queue.id,
  name: queue.name,
  occurred,
  labels: { "resource.role": "work-queue" },
  related: [relatedPool(pool)],
});

/** `storage` is the block that keeps the results of the pool's runs, where one was chosen. */
export function workPoolEvent(
  verb: "created" | "updated" | "deleted",
  pool: Pool,
  about: {
    readonly occurred: string;
    readonly defaultQueue: Queue | null;
    readonly storage: string | null;
    readonly changes?: Changes;
  },
): ResourceEvent {
  const { occurred, defaultQueue, storage, changes } = about;
  const related: RelatedResource[] = [];
  if (defaultQueue !== null) related.push(relatedQueue(defaultQueue, "default-queue"));
  if (storage !== null)
    related.push({ kind: "block-document", id: storage, role: "result-storage" });
  const payload = changes === undefined ? "{}" : changesJson(changes);
  const labels = { "work-pool.type": pool.type, "resource.role": "work-pool" };
  return { ...aboutPool(pool, occurred), labels, verb, payload, related };
}

export function workPoolStatusEvent(
  pool: Pool,
  status: DerivedWorkStatus,
  when: { readonly occurred: string; readonly follows: string | null },
): ResourceEvent {
  const { occurred, follows } = when;
  return { ...aboutPool(pool, occurred), verb: VERBS[status], payload: "{}", follows };
}

export function workQueueEvent(
  verb: "created" | "updated" | "deleted",
  { queue, pool }: { readonly queue: Queue; readonly pool: Pool },
  { occurred, changes }: { readonly occurred: string; readonly changes?: Changes },
): ResourceEvent {
  const payload = changes === undefined ? "{}" : changesJson(changes);
  return { ...aboutQueue(queue, pool, occurred), verb, payload };
}

export function workQueueStatusEvent(
  { queue, pool }: { readonly queue: Queue; readonly pool: Pool },
  status: DerivedWorkStatus,
  when: { readonly occurred: string; readonly follows: string | null },
): ResourceEvent {
  const { occurred, follows } = when;
  return { ...aboutQueue(queue, pool, occurred), verb: VERBS[status], payload: "{}", follows };
}
