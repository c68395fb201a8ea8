import { appendEvent, type Transaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../../context.ts";
import type { Firing } from "../triggers/evaluate.rules.ts";
import { insertAction } from "./actions.store.ts";
import { triggeredEvent } from "./firings.rules.ts";

/** Whoever carries out actions listens for this topic. */
export const ACTIONS_TOPIC = "automation-actions";

/** Tells of the firing and asks for its actions, in the transaction that has decided on it. */
export async function recordFiring(
  ctx: OrchestratorContext,
  tx: Transaction,
  { automation, event, children, ...firing }: Firing,
): Promise<void> {
  const { prefix } = ctx.dialect;
  const { id: automation_id, name, description, tags, trigger } = automation;
  const now = ctx.clock.now();
  const labels = spoken(prefix, firing.labels);
  const posture = trigger.type === "event" ? trigger.posture : null;
  const triggeredId = ctx.ids.uuid7();
  const told = { prefix, id: triggeredId, automation, posture, occurred: now, labels, event };
  const body = triggeredEvent(told);
  await appendEvent(tx, {
    id: triggeredId,
    occurred: now,
    received: now,
    event: `${prefix}.automation.triggered`,
    resource_id: `${prefix}.automation.${automation_id}`,
    body,
  });
  const known = JSON.stringify({
    id: ctx.ids.uuid7(),
    automation: { id: automation_id, name, description, tags },
    trigger: { id: trigger.id, type: trigger.type, posture },
    triggered: now,
    triggering_labels: labels,
    triggered_event_id: triggeredId,
  }).slice(0, -1);
  const parts = children.map(
    (child) =>
      `{"triggering_labels":${JSON.stringify(spoken(prefix, child.labels))},"triggering_event":${child.event ?? "null"}}`,
  );
  const stored = (about: string): string =>
    `${known},"event":${about},"firings":[${parts.join(",")}]}`;
  const asked = [
    ...automation.actions.map((action) => ({ action, firing: stored(event ?? "null") })),
    ...automation.actionsOnTrigger.map((action) => ({ action, firing: stored(body) })),
  ];
  for (const [action_index, { action, firing: json }] of asked.entries()) {
    await insertAction(tx, {
      id: ctx.ids.uuid7(),
      created: now,
      automation_id,
      due: now,
      claim: null,
      attempts: 0,
      action_index,
      action: JSON.stringify(action),
      firing: json,
    });
  }
  if (asked.length > 0) tx.nudge(ACTIONS_TOPIC);
}

/** Labels were compared with one prefix; they are told with the server's own. */
function spoken(
  prefix: string,
  labels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (prefix === "prefect") return labels;
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [
      name,
      value.startsWith("prefect.") ? `${prefix}.${value.slice("prefect.".length)}` : value,
    ]),
  );
}
