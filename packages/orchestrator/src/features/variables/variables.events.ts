import type { ResourceEvent } from "../../events/emit.ts";
import type { VariableRow } from "./variables.table.ts";

export function variableEvent(
  verb: "created" | "updated" | "deleted",
  row: VariableRow,
  occurred: string,
): ResourceEvent {
  const { id, name } = row;
  const payload = {
    name,
    value: JSON.parse(row.value) as unknown,
    tags: JSON.parse(row.tags) as unknown,
  };
  return { kind: "variable", verb, id, name, occurred, payload };
}
