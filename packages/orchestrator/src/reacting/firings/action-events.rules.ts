// The events that tell what has become of an action.

import { parseMicros } from "@orchestrator/kernel/pure";
import type { RelatedResource, ResourceEvent } from "../../events/emit.ts";
import { serviceActor } from "../../service-identities.rules.ts";
import { chainPayload } from "./firings.rules.ts";

/**
 * Some actions are requests of the API, and their events tell what those answer, as events of the
 * established server do. Here no request is made: these are the answers of those that are taken.
 */
const ANSWERS: Partial<Readonly<Record<string, number>>> = {
  "run-deployment": 201,
  "pause-deployment": 200,
  "resume-deployment": 200,
  "cancel-flow-run": 201,
  "suspend-flow-run": 201,
  "change-flow-run-state": 201,
  "delete-flow-run": 204,
  "pause-work-pool": 204,
  "resume-work-pool": 204,
  "pause-work-queue": 204,
  "resume-work-queue": 204,
  "pause-automation": 204,
  "resume-automation": 204,
};

/**
 * What an action of this type was answered: `refusal` where it was refused, null where that is not
 * known. Nothing where it is no request.
 */
export function answerOf(type: string, refusal?: number | null): { readonly status_code?: number } {
  const taken = ANSWERS[type];
  if (taken === undefined || refusal === null) return {};
  return { status_code: refusal ?? taken };
}

/** An event follows another in the log when they are no further apart than this. */
const FOLLOWS_WITHIN_MICROS = 5 * 60 * 1_000_000;

/** As much of a firing as the events about its actions tell. */
export interface FiringFacts {
  readonly automation: { readonly id: string; readonly name: string };
  readonly trigger: { readonly type: string; readonly posture: string | null };
  readonly triggered: string;
  readonly triggered_event_id: string;
  /** How many automations have made each other fire, this one included; 1 where it is not said. */
  readonly depth?: number;
  /** The event from outside that it goes back to; the one it answers where it is not said. */
  readonly root?: string;
  readonly event: { readonly id: string; readonly occurred: string } | null;
}

interface ToldAction {
  readonly type: string;
  readonly index: number;
  readonly invocation: string;
  readonly firing: FiringFacts;
  readonly related: readonly RelatedResource[];
  readonly now: string;
}

export function actionTriggered(told: ToldAction, eventId: string): ResourceEvent {
  const { event, triggered } = told.firing;
  const apart = event === null ? Infinity : parseMicros(triggered) - parseMicros(event.occurred);
  return {
    ...actionEvent(told, "action.triggered", {}),
    eventId,
    occurred: triggered,
    received: told.now,
    follows: event !== null && Math.abs(apart) < FOLLOWS_WITHIN_MICROS ? event.id : null,
  };
}

interface Result {
  /** The event that tells that the action was begun. */
  readonly follows: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function actionExecuted(told: ToldAction, { follows, details }: Result): ResourceEvent {
  return { ...actionEvent(told, "action.executed", details), follows };
}

export function actionFailed(
  told: ToldAction,
  { follows, reason, details }: Result & { readonly reason: string },
): ResourceEvent {
  return { ...actionEvent(told, "action.failed", { ...details, reason }), follows };
}

function actionEvent(
  { type, index, invocation, firing, related, now }: ToldAction,
  verb: string,
  more: Readonly<Record<string, unknown>>,
): ResourceEvent {
  const { automation, trigger, triggered_event_id, event, depth = 1 } = firing;
  const { root = event?.id ?? triggered_event_id } = firing;
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
    related: [...related, ...events, serviceActor("automations")],
    payload: JSON.stringify({
      action_index: index,
      action_type: type,
      invocation,
      ...more,
      ...chainPayload({ depth, root }, event),
    }),
  };
}
