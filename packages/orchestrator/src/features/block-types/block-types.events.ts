import type { ResourceEvent } from "../../events/emit.ts";
import type { BlockTypeRow } from "./block-types.table.ts";

export function blockTypeEvent(
  verb: "created" | "updated" | "deleted",
  row: BlockTypeRow,
  occurred: string,
): ResourceEvent {
  const { id, created: _created, updated: _updated, ...told } = row;
  const payload = JSON.stringify(told);
  return { kind: "block-type", verb, id, name: row.name, occurred, payload };
}
