import type { ResourceEvent } from "../../events/emit.ts";
import type { FlowRow } from "./flows.table.ts";

export function flowEvent(
  verb: "created" | "updated" | "deleted",
  { id, name, tags, labels }: FlowRow,
  occurred: string,
): ResourceEvent {
  const payload = `{"name":${JSON.stringify(name)},"tags":${tags},"labels":${labels}}`;
  return { kind: "flow", verb, id, name, occurred, payload };
}
