import type { ArtifactRow } from "../../db/tables/artifacts.table.ts";
import type { RelatedResource, ResourceEvent } from "../../events/emit.ts";
import { withoutMiddle } from "../../texts/without-middle.ts";

/** What a change of an artifact did to the collection of its key. */
export interface CollectionChange {
  readonly verb: "created" | "updated" | "deleted";
  readonly id: string;
  readonly key: string;
  /** Its newest artifact, or of a deleted one its last. */
  readonly latest: ArtifactRow;
}

/**
 * What is longer is not told, or cut: an event must not grow without bound, and the artifact is
 * there to be read.
 */
const MAX_TOLD_DATA = 524_288;
const MAX_TOLD_DESCRIPTION = 100_000;

export function collectionEvent(
  { verb, id, key, latest }: CollectionChange,
  occurred: string,
): ResourceEvent {
  const { type, description, data, flow_run_id, task_run_id } = latest;
  const told = data === null || data.length > MAX_TOLD_DATA ? "null" : data;
  const about = description === null ? null : withoutMiddle(description, MAX_TOLD_DESCRIPTION);
  const payload =
    `{"key":${JSON.stringify(key)},"type":${JSON.stringify(type)},` +
    `"data":${told},"description":${JSON.stringify(about)}}`;
  const related: RelatedResource[] = [{ kind: "artifact", id: latest.id, role: "latest" }];
  if (flow_run_id !== null) related.push({ kind: "flow-run", id: flow_run_id, role: "flow-run" });
  if (task_run_id !== null) related.push({ kind: "task-run", id: task_run_id, role: "task-run" });
  return { kind: "artifact-collection", verb, id, name: key, occurred, payload, related };
}
