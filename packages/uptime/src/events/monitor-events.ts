import { type AppendedEvent, appendEvent, appendEvents } from "@orchestrator/kernel/events";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { UptimeContext } from "../context.ts";

/** What an event tells of its monitor. */
export interface MonitorSubject {
  readonly id: string;
  readonly name: string;
  /** As it is shown: with a mask in place of a password. */
  readonly url: string;
  /** JSON array of texts. */
  readonly tags: string;
}

export interface MonitorEvent {
  readonly monitor: MonitorSubject;
  readonly verb: string;
  readonly occurred: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The event that this one is known to come after. */
  readonly follows?: string | null;
  /** Chosen by the caller when the event is to be found again; made up otherwise. */
  readonly eventId?: string;
}

const PREFIX = "orchestrator";

/**
 * Without its query, which is where sites put tokens: events are read by more people than monitors
 * are.
 */
export function urlInEvents(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

/** Writes the event of a change in the change's own transaction, and tells the event's id. */
export async function emitMonitorEvent(
  { ids }: Pick<UptimeContext, "ids">,
  tx: Transaction,
  told: MonitorEvent,
): Promise<string> {
  const event = logged(told, told.eventId ?? ids.uuid7());
  await appendEvent(tx, event);
  return event.id;
}

/** Several, in their order. */
export async function emitMonitorEvents(
  { ids }: Pick<UptimeContext, "ids">,
  tx: Transaction,
  told: readonly MonitorEvent[],
): Promise<void> {
  if (told.length === 0) return;
  await appendEvents(
    tx,
    told.map((event) => logged(event, event.eventId ?? ids.uuid7())),
  );
}

function logged(
  { monitor, verb, occurred, payload, follows = null }: MonitorEvent,
  id: string,
): AppendedEvent {
  const event = `${PREFIX}.monitor.${verb}`;
  const resource_id = `${PREFIX}.monitor.${monitor.id}`;
  const resource = {
    [`${PREFIX}.resource.id`]: resource_id,
    [`${PREFIX}.resource.name`]: monitor.name,
    [`${PREFIX}.monitor.url`]: urlInEvents(monitor.url),
  };
  const related = (JSON.parse(monitor.tags) as readonly string[]).map((tag) => ({
    [`${PREFIX}.resource.id`]: `${PREFIX}.tag.${tag}`,
    [`${PREFIX}.resource.role`]: "tag",
  }));
  const body = { id, occurred, event, resource, related, payload, follows, received: occurred };
  return {
    id,
    occurred,
    received: occurred,
    event,
    resource_id,
    related: JSON.stringify(related),
    body: JSON.stringify(body),
  };
}
