import { readJson, writeJson } from "@orchestrator/exact-json";
import { appendEvent } from "@orchestrator/kernel/events";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../../context.ts";
import { emitResourceEvent } from "../../../events/emit.ts";
import { actionFailed, actionTriggered } from "../../firings/action-events.rules.ts";
import { isTooDeep, LONGEST_CHAIN } from "../../firings/chain.rules.ts";
import { type StoredFiring, triggeredEvent } from "../../firings/firings.rules.ts";
import { insertAction } from "../actions/actions.store.ts";
import type { Firing } from "./evaluate.rules.ts";
import { spokenLabels } from "./names.rules.ts";

/** Whoever carries out actions listens for this topic. */
export const ACTIONS_TOPIC = "automation-actions";

/** Tells of the firing and asks for its actions, in the transaction that has decided on it. */
export async function recordFiring(
  ctx: OrchestratorContext,
  tx: Transaction,
  { automation, event, children, cause, ...firing }: Firing,
): Promise<void> {
  const { prefix } = ctx.dialect;
  const { id: automation_id, name, description, tags, trigger } = automation;
  const now = ctx.clock.now();
  const labels = spokenLabels(prefix, firing.labels);
  const posture = trigger.type === "event" ? trigger.posture : null;
  const triggeredId = ctx.ids.uuid7();
  const depth = 1 + (cause?.chain?.depth ?? 0);
  const root = cause?.chain?.root ?? cause?.id ?? triggeredId;
  const told = {
    prefix,
    id: triggeredId,
    automation,
    posture,
    occurred: now,
    labels,
    event,
    chain: { depth, root },
  };
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
    ...(depth > 1 && { depth }),
    root,
  }).slice(0, -1);
  const parts = children.map(
    (child) =>
      `{"triggering_labels":${JSON.stringify(spokenLabels(prefix, child.labels))},"triggering_event":${child.event ?? "null"}}`,
  );
  const stored = (about: string): string =>
    `${known},"event":${about},"firings":[${parts.join(",")}]}`;
  const asked = [
    ...automation.actions.map((action) => ({ action, firing: stored(event ?? "null") })),
    ...automation.actionsOnTrigger.map((action) => ({ action, firing: stored(body) })),
  ];
  for (const [action_index, { action, firing: json }] of asked.entries()) {
    if (isTooDeep(depth)) {
      await refuse(ctx, tx, { action, action_index, json });
      continue;
    }
    await insertAction(tx, {
      id: ctx.ids.uuid7(),
      created: now,
      automation_id,
      held_until: null,
      claim: null,
      attempts: 0,
      action_index,
      action: writeJson(action),
      firing: json,
    });
  }
  if (asked.length > 0) tx.notify(ACTIONS_TOPIC);
}

/**
 * Tells that an action is not carried out, because automations have made each other fire too often.
 */
async function refuse(
  ctx: OrchestratorContext,
  tx: Transaction,
  asked: { readonly action: unknown; readonly action_index: number; readonly json: string },
): Promise<void> {
  const told = {
    type: (asked.action as { readonly type: string }).type,
    index: asked.action_index,
    invocation: ctx.ids.uuid7(),
    firing: readJson(asked.json) as StoredFiring,
    related: [],
    now: ctx.clock.now(),
  };
  const follows = ctx.ids.uuid7();
  await emitResourceEvent(ctx, tx, actionTriggered(told, follows));
  const reason = `More than ${LONGEST_CHAIN} automations have made each other fire in a row, so this one does not act; do their actions lead back to their triggers?`;
  await emitResourceEvent(ctx, tx, actionFailed(told, { follows, reason, details: {} }));
}
