// An event as triggers see it.

import { type LoggedEvent, parseMicros } from "@orchestrator/kernel";
import type { ResourceLabels } from "../../events/labels.rules.ts";
import { WAIT_MICROS } from "./follows.rules.ts";
import { canonical } from "./names.rules.ts";

/** Labels and their values have the one form of prefix that `canonical` gives them. */
export interface TriggerEvent {
  readonly id: string;
  readonly workspaceId: string;
  readonly position: number;
  readonly name: string;
  /** The name and the time as they were sent. */
  readonly sent: { readonly name: string; readonly occurred: string };
  /** Microseconds. Not later than it was received: a clock that is ahead does not move windows. */
  readonly at: number;
  readonly received: string;
  /** Microseconds: when triggers look at it, which is later where it has waited for another. */
  readonly turn: number;
  readonly follows: string | null;
  readonly resource: ResourceLabels;
  readonly related: readonly ResourceLabels[];
  /** The event as JSON text, as it was sent. */
  readonly body: string;
  /** How many automations have made each other fire up to this event; 0 for most. */
  readonly depth: number;
}

interface EventBody {
  readonly resource: ResourceLabels;
  readonly related?: readonly ResourceLabels[];
  readonly follows?: string | null;
  readonly payload?: { readonly chain_depth?: unknown } | null;
}

/** What automations tell of their firings and actions. */
const ECHO = /^prefect\.automation\.(triggered$|action\.)/;

export const isEcho = (name: string): boolean => ECHO.test(name);

/** Whether who waits for events of this name, or of names that begin so, means what automations tell. */
export const namesEchoes = (expected: string): boolean =>
  canonical(expected).startsWith("prefect.automation.");

export function readTriggerEvent(event: LoggedEvent): TriggerEvent {
  const { resource, related = [], follows = null, payload } = JSON.parse(event.body) as EventBody;
  const name = canonical(event.event);
  const received = parseMicros(event.received);
  return {
    id: event.id,
    workspaceId: event.workspace_id,
    position: event.position,
    name,
    sent: { name: event.event, occurred: event.occurred },
    at: Math.min(parseMicros(event.occurred), received),
    received: event.received,
    turn: received,
    follows,
    resource: canonicalLabels(resource),
    related: related.map(canonicalLabels),
    body: event.body,
    depth: isEcho(name) ? depthIn(payload?.chain_depth) : 0,
  };
}

/** An event that has waited in vain for the one it follows. */
export function readOverdueEvent(logged: LoggedEvent): TriggerEvent {
  const event = readTriggerEvent(logged);
  return { ...event, turn: event.turn + WAIT_MICROS };
}

/** Said only where it is more than 1. */
const depthIn = (told: unknown): number =>
  typeof told === "number" && Number.isSafeInteger(told) && told > 1 ? told : 1;

function canonicalLabels(labels: ResourceLabels): ResourceLabels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [canonical(name), canonical(value)]),
  );
}
