import type { FlowRow } from "../db/tables/flows.table.ts";
import type { ResourceEvent } from "../events/emit.ts";

export function flowEvent(
  verb: "created" | "updated" | "deleted",
  { id, name, tags, labels }: FlowRow,
  occurred: string,
): ResourceEvent {
  const payload = `{"name":${JSON.stringify(name)},"tags":${tags},"labels":${labels}}`;
  return { kind: "flow", verb, id, name, occurred, payload };
}
