// An event as triggers see it.

import { type LoggedEvent, parseMicros } from "@orchestrator/kernel";
import type { ResourceLabels } from "../../events/labels.rules.ts";
import { canonical } from "./names.rules.ts";

/** Labels and their values have the one form of prefix that `canonical` gives them. */
export interface TriggerEvent {
  readonly id: string;
  readonly workspaceId: string;
  readonly position: number;
  readonly name: string;
  /** Microseconds. Not later than it was received: a clock that is ahead does not move windows. */
  readonly at: number;
  readonly received: string;
  readonly follows: string | null;
  readonly resource: ResourceLabels;
  readonly related: readonly ResourceLabels[];
  /** The event as JSON text, as it was sent. */
  readonly body: string;
}

interface EventBody {
  readonly resource: ResourceLabels;
  readonly related?: readonly ResourceLabels[];
  readonly follows?: string | null;
}

export function readTriggerEvent(event: LoggedEvent): TriggerEvent {
  const { resource, related = [], follows = null } = JSON.parse(event.body) as EventBody;
  return {
    id: event.id,
    workspaceId: event.workspace_id,
    position: event.position,
    name: canonical(event.event),
    at: Math.min(parseMicros(event.occurred), parseMicros(event.received)),
    received: event.received,
    follows,
    resource: canonicalLabels(resource),
    related: related.map(canonicalLabels),
    body: event.body,
  };
}

function canonicalLabels(labels: ResourceLabels): ResourceLabels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [canonical(name), canonical(value)]),
  );
}
