// The events that tell what has become of an action.

import { parseMicros } from "@orchestrator/kernel";
import type { RelatedResource, ResourceEvent } from "../../../events/emit.ts";
import type { StoredFiring } from "./firings.rules.ts";

/** An event follows another in the log when they are no further apart than this. */
const FOLLOWS_WITHIN_MICROS = 5 * 60 * 1_000_000;

interface ToldAction {
  readonly type: string;
  readonly index: number;
  readonly invocation: string;
  readonly firing: StoredFiring;
  readonly related: readonly RelatedResource[];
  readonly now: string;
}

export function actionTriggered(told: ToldAction): ResourceEvent {
  const { event, triggered } = told.firing;
  const apart = event === null ? Infinity : parseMicros(triggered) - parseMicros(event.occurred);
  return {
    ...actionEvent(told, "action.triggered", {}),
    occurred: triggered,
    received: told.now,
    follows: event !== null && Math.abs(apart) < FOLLOWS_WITHIN_MICROS ? event.id : null,
  };
}

export function actionExecuted(told: ToldAction, follows: string): ResourceEvent {
  return { ...actionEvent(told, "action.executed", {}), follows };
}

export function actionFailed(
  told: ToldAction,
  {
    follows,
    reason,
    details,
  }: {
    readonly follows: string;
    readonly reason: string;
    readonly details: Readonly<Record<string, unknown>>;
  },
): ResourceEvent {
  return { ...actionEvent(told, "action.failed", { ...details, reason }), follows };
}

function actionEvent(
  { type, index, invocation, firing, related, now }: ToldAction,
  verb: string,
  more: Readonly<Record<string, unknown>>,
): ResourceEvent {
  const { automation, trigger, triggered_event_id, event } = firing;
  const events = [{ kind: "event", id: triggered_event_id, role: "automation-triggered-event" }];
  if (event !== null) events.push({ kind: "event", id: event.id, role: "triggering-event" });
  return {
    kind: "automation",
    verb,
    id: automation.id,
    name: automation.name,
    occurred: now,
    labels: {
      "trigger-type": trigger.type,
      ...(trigger.posture !== null && { posture: trigger.posture }),
    },
    related: [...related, ...events],
    payload: JSON.stringify({ action_index: index, action_type: type, invocation, ...more }),
  };
}
