import { appendEvent } from "@orchestrator/kernel/events";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";

/** Another resource that an event concerns, and as what. */
export interface RelatedResource {
  /** The kind, as it stands in resource ids: `work-pool`. */
  readonly kind: string;
  readonly id: string;
  readonly role: string;
  readonly name?: string | null;
  /** More labels of the resource, without the prefix: `{"work-pool.type": "process"}`. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** What happened to one of the server's own resources. */
export interface ResourceEvent {
  /** The resource's kind, as it stands in event names and resource ids: `work-pool`. */
  readonly kind: string;
  readonly verb: string;
  /**
   * What stands in the event's name instead of the kind, where they differ: `block.slack-webhook`.
   */
  readonly subject?: string;
  readonly id: string;
  readonly name: string;
  readonly occurred: string;
  /** When it is written, if that is later than it happened. */
  readonly received?: string;
  /** JSON text: what the row holds as JSON already goes in as it is. */
  readonly payload: string;
  readonly related?: readonly RelatedResource[];
  /** More labels of the resource itself, without the prefix. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The event that this one is known to come after. */
  readonly follows?: string | null;
  /** Chosen by the caller when the event is to be found again; made up otherwise. */
  readonly eventId?: string;
}

/** Writes the event of a change in the change's own transaction, and tells the event's id. */
export async function emitResourceEvent(
  { dialect, ids }: Pick<OrchestratorContext, "dialect" | "ids">,
  tx: Transaction,
  { eventId = ids.uuid7(), kind, verb, id, name, occurred, payload, ...more }: ResourceEvent,
): Promise<string> {
  const { prefix } = dialect;
  const event = `${prefix}.${more.subject ?? kind}.${verb}`;
  const resourceId = `${prefix}.${kind}.${id}`;
  const labels = labelsJson(prefix, more.labels);
  const related = relatedJson(prefix, more.related ?? []);
  const follows = more.follows ? `"${more.follows}"` : "null";
  const received = more.received ?? occurred;
  await appendEvent(tx, {
    id: eventId,
    occurred,
    received,
    event,
    resource_id: resourceId,
    related,
    body:
      `{"id":"${eventId}","occurred":"${occurred}","event":${JSON.stringify(event)},` +
      `"resource":{"${prefix}.resource.id":"${resourceId}","${prefix}.resource.name":${JSON.stringify(name)}${labels}},` +
      `"related":${related},"payload":${payload},"follows":${follows},"received":"${received}"}`,
  });
  return eventId;
}

/** The resources as a JSON array, as it stands in an event. */
export function relatedJson(prefix: string, related: readonly RelatedResource[]): string {
  const resources = related.map(({ kind, id, role, name, labels }) => {
    const resourceId = JSON.stringify(`${prefix}.${kind}.${id}`);
    const named = name == null ? "" : `,"${prefix}.resource.name":${JSON.stringify(name)}`;
    return `{"${prefix}.resource.id":${resourceId},"${prefix}.resource.role":"${role}"${named}${labelsJson(prefix, labels)}}`;
  });
  return `[${resources.join(",")}]`;
}

function labelsJson(prefix: string, labels: Readonly<Record<string, string>> = {}): string {
  return Object.entries(labels)
    .map(([name, value]) => `,"${prefix}.${name}":${JSON.stringify(value)}`)
    .join("");
}
