import { appendEvent } from "@orchestrator/kernel/events";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { UptimeContext } from "../context.ts";

export interface PageEvent {
  readonly page: { readonly id: string; readonly title: string; readonly slug: string };
  readonly verb: string;
  readonly occurred: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const PREFIX = "orchestrator";

/** Writes the event of a change in the change's own transaction. */
export async function emitPageEvent(
  { ids }: Pick<UptimeContext, "ids">,
  tx: Transaction,
  { page, verb, occurred, payload }: PageEvent,
): Promise<void> {
  const id = ids.uuid7();
  const event = `${PREFIX}.status-page.${verb}`;
  const resource_id = `${PREFIX}.status-page.${page.id}`;
  const resource = {
    [`${PREFIX}.resource.id`]: resource_id,
    [`${PREFIX}.resource.name`]: page.title,
    [`${PREFIX}.status-page.slug`]: page.slug,
  };
  const told = { id, occurred, event, resource, related: [], payload, follows: null };
  const body = JSON.stringify({ ...told, received: occurred });
  await appendEvent(tx, {
    id,
    occurred,
    received: occurred,
    event,
    resource_id,
    related: "[]",
    body,
  });
}
