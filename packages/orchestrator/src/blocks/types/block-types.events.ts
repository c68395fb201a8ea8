import type { BlockTypeRow } from "../../db/tables/block-types.table.ts";
import type { ResourceEvent } from "../../events/emit.ts";

export function blockTypeEvent(
  verb: "created" | "updated" | "deleted",
  row: BlockTypeRow,
  occurred: string,
): ResourceEvent {
  const { id, created: _created, updated: _updated, ...told } = row;
  const payload = JSON.stringify(told);
  return { kind: "block-type", verb, id, name: row.name, occurred, payload };
}
