import type { RelatedResource, ResourceEvent } from "../../events/emit.ts";
import { relatedPool, relatedQueue, statusVerb } from "./work-pools.events.ts";

/** A deployment with the names of all that its events mention. */
export interface WatchedDeployment {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly flow_id: string;
  readonly flow_name: string;
  readonly work_queue_id: string | null;
  readonly work_queue_name: string | null;
  readonly work_pool_id: string | null;
  readonly work_pool_name: string | null;
  readonly work_pool_type: string | null;
  readonly concurrency_limit_id: string | null;
  readonly storage_document_id: string | null;
  readonly infrastructure_document_id: string | null;
}

export function deploymentStatusEvent(
  row: WatchedDeployment,
  status: "READY" | "NOT_READY",
  occurred: string,
): ResourceEvent {
  const { id, name } = row;
  const related = relatedTo(row);
  return {
    kind: "deployment",
    verb: statusVerb(status),
    id,
    name,
    occurred,
    payload: "{}",
    related,
  };
}

export function relatedTo(row: WatchedDeployment): RelatedResource[] {
  const related: RelatedResource[] = [
    { kind: "flow", id: row.flow_id, role: "flow", name: row.flow_name },
  ];
  const { work_queue_name, work_pool_id, work_pool_name, work_pool_type } = row;
  if (row.work_queue_id !== null && work_queue_name !== null)
    related.push(relatedQueue({ id: row.work_queue_id, name: work_queue_name }));
  if (work_pool_id !== null && work_pool_name !== null && work_pool_type !== null)
    related.push(relatedPool({ id: work_pool_id, name: work_pool_name, type: work_pool_type }));
  const blocks = [
    ["storage", row.storage_document_id],
    ["infrastructure", row.infrastructure_document_id],
  ] as const;
  for (const [role, block] of blocks)
    if (block !== null) related.push({ kind: "block-document", id: block, role });
  if (row.concurrency_limit_id !== null)
    related.push({
      kind: "concurrency-limit",
      id: row.concurrency_limit_id,
      role: "concurrency-limit",
    });
  return related;
}
