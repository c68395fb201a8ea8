// An event as triggers see it.

import type { LoggedEvent } from "@orchestrator/kernel/events";
import { normaliseUuid } from "@orchestrator/kernel/http";
import { parseMicros } from "@orchestrator/kernel/pure";
import type { ResourceLabels } from "../../../telemetry/events/labels.rules.ts";
import type { Chain } from "../../firings/chain.rules.ts";
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
  /** The automations that have brought it about; null where it came from outside. */
  readonly chain: Chain | null;
}

interface EventBody {
  readonly resource: ResourceLabels;
  readonly related?: readonly ResourceLabels[];
  readonly follows?: string | null;
  readonly payload?: { readonly chain_depth?: unknown; readonly chain_root?: unknown } | null;
}

/** What automations tell of their firings and actions. */
const ECHO = /^prefect\.automation\.(triggered$|throttled$|action\.)/;

export const isEcho = (name: string): boolean => ECHO.test(name);

/** Whether a pattern that begins so means what automations tell. */
export const namesEchoes = (start: string): boolean => start.startsWith("prefect.automation.");

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
    chain: isEcho(name) ? chainIn(event.id, payload ?? {}, related) : null,
  };
}

/** An event that has waited in vain for the one it follows. */
export function readOverdueEvent(logged: LoggedEvent): TriggerEvent {
  const event = readTriggerEvent(logged);
  return { ...event, turn: event.turn + WAIT_MICROS };
}

/**
 * The depth is said only where it is more than 1, the root where it is not the event that made the
 * automation fire.
 */
function chainIn(
  id: string,
  { chain_depth, chain_root }: NonNullable<EventBody["payload"]>,
  related: readonly ResourceLabels[],
): Chain {
  const isDeep = typeof chain_depth === "number" && Number.isSafeInteger(chain_depth);
  const depth = isDeep && chain_depth > 1 ? chain_depth : 1;
  return { depth, root: normaliseUuid(chain_root) ?? triggeringEvent(related) ?? id };
}

function triggeringEvent(related: readonly ResourceLabels[]): string | undefined {
  const labels = related.map(canonicalLabels);
  const found = labels.find((one) => one["prefect.resource.role"] === "triggering-event");
  return normaliseUuid(found?.["prefect.resource.id"]?.replace(/^prefect\.event\./, ""));
}

function canonicalLabels(labels: ResourceLabels): ResourceLabels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [canonical(name), canonical(value)]),
  );
}
