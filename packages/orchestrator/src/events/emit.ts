import { appendEvent, type Transaction } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../context.ts";

/** What happened to one of the server's own resources. */
export interface ResourceEvent {
  /** The resource's kind, as it stands in event names and resource ids: `work-pool`. */
  readonly kind: string;
  readonly verb: string;
  readonly id: string;
  readonly name: string;
  readonly occurred: string;
  /** JSON text: what the row holds as JSON already goes in as it is. */
  readonly payload: string;
}

/** Writes the event of a change in the change's own transaction. */
export async function emitResourceEvent(
  { dialect, ids }: OrchestratorContext,
  tx: Transaction,
  { kind, verb, id, name, occurred, payload }: ResourceEvent,
): Promise<void> {
  const { prefix } = dialect;
  const eventId = ids.uuid7();
  const event = `${prefix}.${kind}.${verb}`;
  const resourceId = `${prefix}.${kind}.${id}`;
  await appendEvent(tx, {
    id: eventId,
    occurred,
    received: occurred,
    event,
    resource_id: resourceId,
    body:
      `{"id":"${eventId}","occurred":"${occurred}","event":"${event}",` +
      `"resource":{"${prefix}.resource.id":"${resourceId}","${prefix}.resource.name":${JSON.stringify(name)}},` +
      `"related":[],"payload":${payload},"follows":null,"received":"${occurred}"}`,
  });
}
