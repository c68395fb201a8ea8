import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Transaction } from "../storage/database.ts";
import type { Dialect } from "../storage/dialect.ts";
import type { Placeholders } from "../storage/statement.ts";
import { type KernelTables, statement } from "../storage/tables.ts";
import { dayOf, type RelatedRow, relatedIn, relatedRows, relatedSetId } from "./related.ts";

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

interface InWorkspace {
  readonly workspace_id: string;
}

const addition = (
  db: Pick<Kysely<KernelTables>, "insertInto">,
  p: Placeholders<EventRow & InWorkspace>,
) =>
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
    .onConflict((conflict) => conflict.columns(["workspace_id", "id"]).doNothing());

const insertEvent = statement<EventRow>()(addition);

const itemOfSet = (
  db: Pick<Kysely<KernelTables>, "selectFrom">,
  p: Placeholders<Pick<EventRow, "related_id" | "day"> & InWorkspace>,
) =>
  db
    .selectFrom("event_related")
    .select("item")
    .where("workspace_id", "=", p.workspace_id)
    .where("set_id", "=", p.related_id)
    .where("day", "=", p.day)
    .limit(1);

/** Also tells whether the set of related resources is there already; nothing when the event itself is. */
const insertEventAndLook = statement<EventRow>()((db, p) =>
  addition(db, p).returning(itemOfSet(db, p).as("known_item")),
);

const SET_ROW = {
  set_id: "id",
  day: "text",
  item: "integer",
  resource_id: "text",
  role: "text",
  written: "time",
} as const;

const additionOfSets = (
  db: Pick<Kysely<KernelTables>, "insertInto">,
  p: Placeholders<{ rows: string } & InWorkspace>,
  {
    dialect,
    condition = sql<boolean>`true`,
  }: { dialect: Dialect; condition?: Expression<SqlBool> },
) =>
  db
    .insertInto("event_related")
    .columns(["workspace_id", "set_id", "day", "item", "resource_id", "role", "written"])
    .expression((e) =>
      e
        .selectFrom(dialect.rowsFrom(SET_ROW, p.rows).$castTo<RelatedRow>().as("related"))
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          "related.set_id",
          "related.day",
          "related.item",
          "related.resource_id",
          "related.role",
          "related.written",
        ])
        .where(condition),
    )
    .onConflict((conflict) => conflict.doNothing());

/** `rows` is a JSON array: the resources of one set or of several. */
const insertRelated = statement<{ rows: string }>()((db, p, dialect) =>
  additionOfSets(db, p, { dialect }),
);

/** An event with its set, whose rows are not even read where it is there already; in one statement, as only some engines can. */
const insertEventAndSet = statement<EventRow & { rows: string }>()((db, p, dialect) => {
  const condition = sql<boolean>`not exists ${itemOfSet(db, p)}`;
  const withEvent = db.with("event", (query) => addition(query, p));
  return additionOfSets(withEvent, p, { dialect, condition });
});

/** Writes an event in the transaction of the change it tells of. An id that is there already is left as it is. */
export async function appendEvent(tx: Transaction, event: NewEvent): Promise<void> {
  const related = event.related ?? relatedIn(event.body);
  const set_id = relatedSetId(related);
  const day = dayOf(event.occurred);
  const { id, occurred, received, event: name, resource_id, body } = event;
  const row = { id, occurred, received, event: name, resource_id, body, related_id: set_id, day };
  const rowsOf = (set_id: string) =>
    JSON.stringify(relatedRows(related, { set_id, day, written: received }));
  tx.nudge(EVENTS_TOPIC);
  if (tx.dialect.isRemote) {
    if (set_id === null) tx.tell(insertEvent, row);
    else tx.tell(insertEventAndSet, { ...row, rows: rowsOf(set_id) });
    // Nobody hears how many rows it was: one, or none where an event came twice.
    tx.added?.("events", 1);
    return;
  }
  const added = await tx.get(insertEventAndLook, row);
  if (added === undefined) return;
  tx.added?.("events", 1);
  if (added.known_item === null && set_id !== null)
    tx.tell(insertRelated, { rows: rowsOf(set_id) });
}

/** A JSON array of events; tells which of them were not there yet. */
const insertEvents = statement<{ rows: string }>()((db, p, dialect) =>
  db
    .insertInto("events")
    .columns([
      "workspace_id",
      "id",
      "occurred",
      "received",
      "event",
      "resource_id",
      "related_id",
      "body",
    ])
    .expression((e) =>
      e
        .selectFrom(
          dialect
            .rowsFrom(
              {
                id: "id",
                occurred: "time",
                received: "time",
                event: "text",
                resource_id: "text",
                related_id: "id",
                body: "json",
              },
              p.rows,
            )
            .$castTo<Omit<EventRow, "day">>()
            .as("sent"),
        )
        .select([
          sql<string>`cast(${p.workspace_id} as ${sql.raw(dialect.types.id)})`.as("workspace_id"),
          "sent.id",
          "sent.occurred",
          "sent.received",
          "sent.event",
          "sent.resource_id",
          "sent.related_id",
          "sent.body",
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) => conflict.columns(["workspace_id", "id"]).doNothing())
    .returning("id"),
);

/** Writes several events, in their order. Where statements are round trips it takes a few, however many events there are. */
export async function appendEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (!tx.dialect.isRemote || events.length === 1) {
    for (const event of events) await appendEvent(tx, event);
    return;
  }
  const named = events.map((event) => {
    const related = event.related ?? relatedIn(event.body);
    return { event, related, set_id: relatedSetId(related) };
  });
  const rows = named.map(({ event, set_id }) => {
    const { id, occurred, received, event: name, resource_id, body } = event;
    const columns = { id, occurred, received, event: name, resource_id, related_id: set_id };
    return `${JSON.stringify(columns).slice(0, -1)},"body":${body}}`;
  });
  const added = await tx.all(insertEvents, { rows: `[${rows.join(",")}]` });
  tx.nudge(EVENTS_TOPIC);
  tx.added?.("events", added.length);
  const isNew = new Set(added.map(({ id }) => id));
  const sets = new Map<string, readonly RelatedRow[]>();
  for (const { event, related, set_id } of named) {
    const day = dayOf(event.occurred);
    const name = `${set_id} ${day}`;
    if (set_id === null || !isNew.has(event.id) || sets.has(name)) continue;
    sets.set(name, relatedRows(related, { set_id, day, written: event.received }));
  }
  if (sets.size === 0) return;
  // In one order, so that no two writers wait for each other.
  const inOrder = [...sets].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, set]) => set);
  await tx.run(insertRelated, { rows: JSON.stringify(inOrder) });
}
