import { wellFormed } from "@orchestrator/exact-json";
import { type Kysely, sql } from "kysely";
import type { Transaction } from "../storage/database.ts";
import type { Dialect } from "../storage/dialect.ts";
import type { Placeholders } from "../storage/statement.ts";
import { type KernelTables, statement } from "../storage/tables.ts";
import { isRecent, recordUnindexedRows } from "../text-blocks/unindexed-rows.ts";
import { EVENT_TEXTS } from "./event-texts.ts";
import { dayOf, type RelatedSet, relatedIn, relatedSet, rowsOfSet } from "./related.ts";

/** Whoever follows the log listens for this topic. */
export const EVENTS_TOPIC = "events";

/** An event as the log keeps it: a few columns to find it by, and the whole of it as JSON text. */
export interface AppendedEvent {
  readonly id: string;
  readonly occurred: string;
  /**
   * The time of the writer's clock: what occurred long before is noted as late for those who
   * search.
   */
  readonly received: string;
  readonly event: string;
  readonly resource_id: string;
  readonly body: string;
  /**
   * The array `related` of the body, where its text is at hand; it is looked for in the body
   * otherwise.
   */
  readonly related?: string;
}

interface EventRow extends Omit<AppendedEvent, "related"> {
  readonly related_id: string | null;
  readonly day: string;
}

interface InWorkspace {
  readonly workspace_id: string;
}

/**
 * Also tells whether the set of related resources is there already; nothing when the event itself
 * is.
 */
const insertEventAndLook = statement<EventRow>()((db, p) =>
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
    .returning(
      db
        .selectFrom("event_related")
        .select("item")
        .where("workspace_id", "=", p.workspace_id)
        .where("set_id", "=", p.related_id)
        .where("day", "=", p.day)
        .limit(1)
        .as("known_item"),
    ),
);

const SET_ROW = {
  set_id: "id",
  day: "text",
  item: "integer",
  resource_id: "text",
  role: "text",
  written: "time",
} as const;

interface RelatedRow {
  readonly set_id: string;
  readonly day: string;
  readonly item: number;
  readonly resource_id: string;
  readonly role: string;
  readonly written: string;
}

const workspaceOf = ({ workspace_id }: InWorkspace, { types }: Dialect) =>
  sql<string>`cast(${workspace_id} as ${sql.raw(types.id)})`.as("workspace_id");

/** In one order, so that no two writers wait for each other. */
const additionOfSets = (
  db: Pick<Kysely<KernelTables>, "insertInto">,
  p: Placeholders<{ sets: string } & InWorkspace>,
  dialect: Dialect,
) =>
  db
    .insertInto("event_related")
    .columns(["workspace_id", "set_id", "day", "item", "resource_id", "role", "written"])
    .expression((e) =>
      e
        .selectFrom(dialect.rowsFrom(SET_ROW, p.sets).$castTo<RelatedRow>().as("related"))
        .select([
          workspaceOf(p, dialect),
          "related.set_id",
          "related.day",
          "related.item",
          "related.resource_id",
          "related.role",
          "related.written",
        ])
        .where((related) =>
          related.not(
            related.exists(
              related
                .selectFrom("event_related as known")
                .select("known.item")
                .where("known.workspace_id", "=", p.workspace_id)
                .whereRef("known.set_id", "=", "related.set_id")
                .whereRef("known.day", "=", "related.day"),
            ),
          ),
        )
        .orderBy("related.set_id")
        .orderBy("related.day")
        .orderBy("related.item"),
    )
    .onConflict((conflict) => conflict.doNothing());

/** `sets` is a JSON array: the resources of one set or of several. */
const insertSets = statement<{ sets: string }>()(additionOfSets);

const EVENT = {
  id: "id",
  occurred: "time",
  received: "time",
  event: "text",
  resource_id: "text",
  related_id: "id",
} as const;

const additionOfEvents = (
  db: Pick<Kysely<KernelTables>, "insertInto">,
  p: Placeholders<{ events: string; bodies: string } & InWorkspace>,
  dialect: Dialect,
) =>
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
            .rowsFrom(EVENT, p.events, { body: p.bodies })
            .$castTo<Omit<EventRow, "day">>()
            .as("sent"),
        )
        .select([
          workspaceOf(p, dialect),
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
    .onConflict((conflict) => conflict.columns(["workspace_id", "id"]).doNothing());

/** JSON arrays of events and of their bodies; tells which of them were not there yet. */
const insertEvents = statement<{ events: string; bodies: string }>()((db, p, dialect) =>
  additionOfEvents(db, p, dialect).returning("id"),
);

/** Events with their sets in one statement, as only some engines can. */
const insertEventsAndSets = statement<{ events: string; bodies: string; sets: string }>()(
  (db, p, dialect) =>
    additionOfSets(
      db.with("added", (query) => additionOfEvents(query, p, dialect)),
      p,
      dialect,
    ),
);

/**
 * Writes an event in the transaction of the change it tells of. An id that is there already is left
 * as it is.
 */
export async function appendEvent(tx: Transaction, event: AppendedEvent): Promise<void> {
  await addEvent(tx, event);
  noteLateEvents(tx, [event]);
}

async function addEvent(tx: Transaction, event: AppendedEvent): Promise<void> {
  const related = event.related ?? relatedIn(event.body);
  const set = relatedSet(related);
  const day = dayOf(event.occurred);
  tx.notify(EVENTS_TOPIC);
  if (tx.dialect.isRemote) {
    const sets = set === null ? "" : rowsOfSet(set, { day, written: event.received });
    tx.enqueueRows(insertEventsAndSets, { events: rowOf(event, set), bodies: event.body, sets });
    // Nobody hears how many rows it was: one, or none where an event came twice.
    tx.added?.("events", 1);
    return;
  }
  const { id, occurred, received, event: name, resource_id, body } = event;
  const related_id = set?.id ?? null;
  const row = { id, occurred, received, event: name, resource_id, related_id, body, day };
  const added = await tx.get(insertEventAndLook, row);
  if (added === undefined) return;
  tx.added?.("events", 1);
  if (added.known_item === null && set !== null)
    tx.enqueueRows(insertSets, { sets: rowsOfSet(set, { day, written: received }) });
}

/**
 * Writes several events, in their order. Where statements are round trips it takes a few, however
 * many events there are.
 */
export async function appendEvents(
  tx: Transaction,
  events: readonly AppendedEvent[],
): Promise<void> {
  if (!tx.dialect.isRemote || events.length === 1) {
    for (const event of events) await addEvent(tx, event);
    noteLateEvents(tx, events);
    return;
  }
  const named = events.map((event) => {
    const set = relatedSet(event.related ?? relatedIn(event.body));
    return { event, set, row: rowOf(event, set) };
  });
  const added = await tx.all(insertEvents, {
    events: `[${named.map(({ row }) => row).join(",")}]`,
    bodies: `[${events.map(({ body }) => body).join(",")}]`,
  });
  tx.notify(EVENTS_TOPIC);
  tx.added?.("events", added.length);
  noteLateEvents(tx, events);
  const isNew = new Set(added.map(({ id }) => id));
  const sets = new Map<string, string>();
  for (const { event, set } of named) {
    const day = dayOf(event.occurred);
    if (set === null || !isNew.has(event.id) || sets.has(`${set.id} ${day}`)) continue;
    sets.set(`${set.id} ${day}`, rowsOfSet(set, { day, written: event.received }));
  }
  for (const rows of sets.values()) tx.enqueueRows(insertSets, { sets: rows });
}

/** Nearly always, all that is written together was received together. */
function noteLateEvents(tx: Transaction, events: readonly AppendedEvent[]): void {
  if (events.every(({ occurred, received }) => isRecent(occurred, received))) return;
  for (const now of new Set(events.map(({ received }) => received))) {
    const times = events.filter(({ received }) => received === now).map(({ occurred }) => occurred);
    recordUnindexedRows(tx, EVENT_TEXTS.name, { now, times });
  }
}

/** As a JSON object without the body, in which half a character would be understood by nobody. */
function rowOf(event: AppendedEvent, set: RelatedSet | null): string {
  const { id, occurred, received } = event;
  const [name, resource_id] = [wellFormed(event.event), wellFormed(event.resource_id)];
  const related_id = set?.id ?? null;
  return JSON.stringify({ id, occurred, received, event: name, resource_id, related_id });
}
