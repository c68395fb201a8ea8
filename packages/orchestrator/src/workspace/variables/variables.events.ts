import type { VariableRow } from "../../db/tables/variables.table.ts";
import type { ResourceEvent } from "../../events/emit.ts";

export function variableEvent(
  verb: "created" | "updated" | "deleted",
  row: VariableRow,
  occurred: string,
): ResourceEvent {
  const { id, name, value, tags } = row;
  const payload = `{"name":${JSON.stringify(name)},"value":${value},"tags":${tags}}`;
  return { kind: "variable", verb, id, name, occurred, payload };
}
