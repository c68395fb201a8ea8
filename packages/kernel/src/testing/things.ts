// A small table of no meaning, for the tests of storage itself.
import type { Kysely } from "kysely";
import { type ConfirmedVersion, isAsRead, lockedRowBy } from "../storage/locked-row.ts";
import type { MigrationList } from "../storage/migrate.ts";
import { statementsFor } from "../storage/statement.ts";

export const W1 = "00000000-0000-4000-8000-000000000001";
export const W2 = "00000000-0000-4000-8000-000000000002";

export const thingMigrations: MigrationList = {
  component: "things",
  migrations: [
    {
      name: "things",
      up: (t) => `create table things (
        workspace_id ${t.id} not null, name ${t.text} not null, data ${t.json}, is_on ${t.flag}, size ${t.integer},
        primary key (workspace_id, name)
      )`,
    },
    {
      name: "parts",
      up: (t) => `create table parts (
        workspace_id ${t.id} not null, name ${t.text} not null, thing ${t.text} not null,
        primary key (workspace_id, name),
        foreign key (workspace_id, thing) references things (workspace_id, name)
      )`,
    },
  ],
};

export interface Thing {
  name: string;
  data: string | null;
  is_on: boolean | null;
  size: number | null;
}

export interface Part {
  name: string;
  thing: string;
}

interface ThingTables {
  things: Thing & { workspace_id: string };
  parts: Part & { workspace_id: string };
}
export const { statement, systemStatement } = statementsFor<ThingTables>();

export function aThing(values: Partial<Thing> = {}): Thing {
  return { name: "lamp", data: '{"b": 1,"a":[1.0]}', is_on: true, size: 7, ...values };
}

export const insertThing = statement<Thing>()((db, p) =>
  db.insertInto("things").values({
    workspace_id: p.workspace_id,
    name: p.name,
    data: p.data,
    is_on: p.is_on,
    size: p.size,
  }),
);

export const insertPart = statement<Part>()((db, p) =>
  db.insertInto("parts").values({ workspace_id: p.workspace_id, name: p.name, thing: p.thing }),
);

export const selectThing = statement<{ name: string }>()((db, p) =>
  db
    .selectFrom("things")
    .select(["name", "data", "is_on", "size"])
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name),
);

const byName = (
  db: Kysely<ThingTables>,
  p: { readonly workspace_id: string; readonly name: string },
) =>
  db
    .selectFrom("things")
    .select(["name", "size"])
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name);

export const lockedThing = lockedRowBy(statement)<{ name: string }>()(byName);

export const resizeThing = statement<{ name: string; size: number }>()((db, p) =>
  db
    .updateTable("things")
    .set({ size: p.size })
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name),
);

/** Confirms that it is what was read. */
export const resizeAsRead = statement<{ name: string; size: number } & ConfirmedVersion>()(
  (db, p) =>
    db
      .updateTable("things")
      .set({ size: p.size })
      .where("workspace_id", "=", p.workspace_id)
      .where("name", "=", p.name)
      .where(isAsRead(byName(db, p), p.row_version)),
);

export const countThings = statement()((db, p) =>
  db
    .selectFrom("things")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace_id),
);
