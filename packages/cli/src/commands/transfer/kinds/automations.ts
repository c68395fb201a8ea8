// Automations, whose actions and triggers name other things by their ids.

import type { Automation, JsonObject, JsonValue } from "@orchestrator/contract";
import { collect } from "../../../io/collect.ts";
import { NotTransferable, type Transfer, unknownIdsIn } from "../transfer-context.ts";
import { referredFirst, type TransferKind } from "../transfer-kind.ts";

type Actions = Automation["actions"];

/** What actions name, and how people call it. */
const NAMED: readonly (readonly [string, string])[] = [
  ["deployment_id", "a deployment"],
  ["work_pool_id", "a work pool"],
  ["work_queue_id", "a work queue"],
  ["automation_id", "an automation"],
  ["monitor_id", "a monitor"],
  ["block_document_id", "a block"],
];

export const automationKind: TransferKind<Automation> = {
  kind: "automation",
  find: async ({ client }) =>
    (await collect(client.automations.each({ sort: "NAME_ASC" }))).map((row) => ({
      id: row.id,
      name: row.name,
      row,
    })),
  inOrder: (rows) =>
    referredFirst(rows, (row) => actionsOf(row).flatMap((action) => idIn(action, "automation_id"))),
  plan(transfer, { row }) {
    const { to, ids } = transfer;
    for (const action of actionsOf(row)) assertReachable(transfer, action);
    const strangers = unknownIdsIn(withoutIds(row.trigger as unknown as JsonObject), ids);
    const note =
      strangers.length === 0
        ? null
        : `its trigger names what is not on the other server: ${strangers.join(", ")}`;
    const fields = automationFields(transfer, row);
    return async () => {
      const { id } = await to.client.automations.create(fields);
      return { id, note };
    };
  },
};

export function automationFields({ ids }: Pick<Transfer, "ids">, row: Automation) {
  const { id: _id, created: _created, updated: _updated, ...fields } = row;
  const translated = (actions: Actions): Actions =>
    ids.replaced(actions as unknown as JsonValue) as unknown as Actions;
  const watched = withoutIds(row.trigger as unknown as JsonObject);
  return {
    ...fields,
    trigger: ids.replaced(watched) as unknown as Automation["trigger"],
    actions: translated(row.actions),
    actions_on_trigger: translated(row.actions_on_trigger),
    actions_on_resolve: translated(row.actions_on_resolve),
  };
}

const actionsOf = (row: Automation): Actions => [
  ...row.actions,
  ...row.actions_on_trigger,
  ...row.actions_on_resolve,
];

const idIn = (action: Actions[number], key: string): string[] => {
  const id = (action as unknown as Readonly<Record<string, unknown>>)[key];
  return typeof id === "string" ? [id] : [];
};

function assertReachable({ ids }: Transfer, action: Actions[number]): void {
  for (const [key, what] of NAMED) {
    const lost = idIn(action, key).find((id) => ids.find(id) === null);
    if (lost === undefined) continue;
    throw new NotTransferable(
      `its action ${action.type} names ${what} (${lost}) that is not on the other server`,
    );
  }
}

/** Triggers have ids of their own, which the server chooses. */
function withoutIds(trigger: JsonObject): JsonObject {
  const rest = Object.fromEntries(Object.entries(trigger).filter(([key]) => key !== "id"));
  const { triggers } = rest;
  if (!Array.isArray(triggers)) return rest;
  const inner = triggers.map((one: JsonValue) => withoutIds(one as JsonObject));
  return { ...rest, triggers: inner };
}
