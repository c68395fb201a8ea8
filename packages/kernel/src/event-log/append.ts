import { sql } from "kysely";
import type { Transaction } from "../storage/database.ts";
import { statement } from "../storage/tables.ts";
import { dayOf, relatedIn, relatedRows, relatedSetId } from "./related.ts";

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
  /** The array `related` of the body, where its text is at hand; it is looked for in the body otherwise. */
  readonly related?: string;
}

interface EventRow extends Omit<NewEvent, "related"> {
  readonly related_id: string | null;
  readonly day: string;
}

/** Also tells whether the set of related resources is there already; nothing when the event itself is. */
const insertEvent = statement<EventRow>()((db, p) =>
  db
    .insertInto("events")
    .values({
      workspace_id: p.workspace_id,
      id: p.id,
      occurred: p.occurred,
      received: p.received,
      event: p.event,
      resource_id: p.resource_id,
      related_id: p.related_id,
      body: p.body,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "id"]).doNothing())
    .returning((e) =>
      e
        .selectFrom("event_related")
        .select("item")
        .where("workspace_id", "=", p.workspace_id)
        .where("set_id", "=", p.related_id)
        .where("day", "=", p.day)
        .limit(1)
        .as("known_item"),
    ),
);

interface NewSet {
  readonly day: string;
  readonly set_id: string;
  readonly written: string;
  /** JSON array of the resources. */
  readonly rows: string;
}

const insertRelated = statement<NewSet>()((db, p, dialect) =>
  db
    .insertInto("event_related")
    .columns(["workspace_id", "set_id", "day", "item", "resource_id", "role", "written"])
    .expression((e) =>
      e
        .selectFrom(
          dialect
            .rowsFrom({ item: "integer", resource_id: "text", role: "text" }, p.rows)
            .$castTo<{ item: number; resource_id: string; role: string }>()
            .as("related"),
        )
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          sql<string>`cast(${p.set_id} as ${sql.raw(dialect.types.id)})`.as("set_id"),
          sql<string>`cast(${p.day} as text)`.as("day"),
          "related.item",
          "related.resource_id",
          "related.role",
          sql<string>`cast(${p.written} as text)`.as("written"),
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Writes an event in the transaction of the change it tells of. An id that is there already is left as it is. */
export async function appendEvent(tx: Transaction, event: NewEvent): Promise<void> {
  const related = event.related ?? relatedIn(event.body);
  const set_id = relatedSetId(related);
  const day = dayOf(event.occurred);
  const { id, occurred, received, event: name, resource_id, body } = event;
  const row = { id, occurred, received, event: name, resource_id, body, related_id: set_id, day };
  const added = await tx.get(insertEvent, row);
  if (added !== undefined && added.known_item === null && set_id !== null)
    await tx.run(insertRelated, {
      day,
      set_id,
      written: event.received,
      rows: relatedRows(related),
    });
  tx.nudge(EVENTS_TOPIC);
}
