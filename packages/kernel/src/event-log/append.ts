import type { Transaction } from "../storage/database.ts";
import { statement } from "../storage/tables.ts";

/** Whoever follows the log listens for this topic. */
export const EVENTS_TOPIC = "events";

/** An event as the log keeps it: a few columns to find it by, and the whole of it as JSON text. */
export interface NewEvent {
  readonly id: string;
  readonly occurred: string;
  readonly received: string;
  readonly event: string;
  readonly resource_id: string;
  readonly body: string;
}

const insertEvent = statement<NewEvent>()((db, p) =>
  db
    .insertInto("events")
    .values({
      workspace_id: p.workspace_id,
      id: p.id,
      occurred: p.occurred,
      received: p.received,
      event: p.event,
      resource_id: p.resource_id,
      body: p.body,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "id"]).doNothing()),
);

/** Writes an event in the transaction of the change it tells of. An id that is there already is left as it is. */
export async function appendEvent(tx: Transaction, event: NewEvent): Promise<void> {
  await tx.run(insertEvent, event);
  tx.nudge(EVENTS_TOPIC);
}
