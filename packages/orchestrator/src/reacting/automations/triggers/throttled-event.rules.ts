import { formatMicros } from "@orchestrator/kernel/pure";
import type { ResourceEvent } from "../../../events/emit.ts";
import { serviceActor } from "../../../service-identities.rules.ts";
import { chainPayload } from "../../firings/firings.rules.ts";
import type { Firing } from "./evaluate.rules.ts";
import type { PassedOver } from "./throttle.rules.ts";

interface Throttled {
  readonly eventId: string;
  readonly occurred: string;
  /** The first that was not made. */
  readonly firing: Firing;
  /** How many were made in the present minute. */
  readonly firings: number;
  readonly passedOver: PassedOver;
}

/**
 * Tells that an automation fires no more for a while; like other events about firings it knows the
 * chain it belongs to.
 */
export function throttledEvent(throttled: Throttled): ResourceEvent {
  const { eventId, occurred, firing, firings, passedOver } = throttled;
  const { automation, cause } = firing;
  const chain = {
    depth: 1 + (cause?.chain?.depth ?? 0),
    root: cause?.chain?.root ?? cause?.id ?? eventId,
  };
  const { reason, message, until } = passedOver;
  return {
    eventId,
    kind: "automation",
    verb: "throttled",
    id: automation.id,
    name: automation.name,
    occurred,
    related: [
      ...(cause === null ? [] : [{ kind: "event", id: cause.id, role: "triggering-event" }]),
      serviceActor("automations"),
    ],
    payload: JSON.stringify({
      reason,
      limit: firings,
      until: until === null ? null : formatMicros(until),
      message,
      ...chainPayload(chain, cause),
    }),
  };
}
