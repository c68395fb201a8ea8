import type { AutomationRow } from "../../db/tables/automations.table.ts";
import type { ResourceEvent } from "../../events/emit.ts";

/** The payload is the automation. */
export function automationEvent(
  verb: "created" | "updated" | "deleted",
  row: AutomationRow,
  occurred: string,
): ResourceEvent {
  const { id, name } = row;
  const payload =
    `{"id":"${id}","created":"${row.created}","updated":"${row.updated}","name":${JSON.stringify(name)},` +
    `"description":${JSON.stringify(row.description)},"enabled":${row.enabled},"tags":${row.tags},` +
    `"trigger":${row.trigger},"actions":${row.actions},` +
    `"actions_on_trigger":${row.actions_on_trigger},"actions_on_resolve":${row.actions_on_resolve}}`;
  return { kind: "automation", verb, id, name, occurred, payload };
}
