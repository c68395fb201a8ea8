// Two small resources, boxes on shelves, with a column of every kind, for the tests of lists.

import type { ListDefinition, Relations } from "../lists/definition.ts";
import { listJson, type Selection } from "../lists/read-list.ts";
import type { Database } from "../storage/database.ts";
import type { MigrationList } from "../storage/migrate.ts";
import { statementsFor } from "../storage/statement.ts";
import { W1 } from "./things.ts";

export interface Box {
  readonly id: string;
  readonly name: string;
  readonly note: string | null;
  readonly labels: string;
  readonly packed: string;
  readonly opened: string | null;
  readonly size: number | null;
  readonly weight: number | null;
  readonly is_open: boolean | null;
  readonly content: string | null;
  readonly shelf_id: string | null;
}

export interface Shelf {
  readonly id: string;
  readonly name: string;
  readonly labels: string;
}

export const boxMigrations: MigrationList = {
  component: "boxes",
  migrations: [
    {
      name: "shelves",
      up: (t) => `create table shelves (
        workspace_id ${t.id} not null, id ${t.id} primary key, name ${t.text} not null, labels ${t.tags} not null
      )`,
    },
    {
      name: "boxes",
      up: (t) => `create table boxes (
        workspace_id ${t.id} not null, id ${t.id} primary key, name ${t.text} not null, note ${t.text},
        labels ${t.tags} not null, packed ${t.time} not null, opened ${t.time}, size ${t.integer},
        weight ${t.real}, is_open ${t.flag}, content ${t.json}, shelf_id ${t.id}
      )`,
    },
  ],
};

interface BoxTables {
  boxes: Box & { readonly workspace_id: string };
  shelves: Shelf & { readonly workspace_id: string };
}
const { statement } = statementsFor<BoxTables>();

const insertShelf = statement<Shelf>()((db, p) =>
  db
    .insertInto("shelves")
    .values({ workspace_id: p.workspace_id, id: p.id, name: p.name, labels: p.labels }),
);

const insertBox = statement<Box>()((db, p) =>
  db.insertInto("boxes").values({
    workspace_id: p.workspace_id,
    id: p.id,
    name: p.name,
    note: p.note,
    labels: p.labels,
    packed: p.packed,
    opened: p.opened,
    size: p.size,
    weight: p.weight,
    is_open: p.is_open,
    content: p.content,
    shelf_id: p.shelf_id,
  }),
);

export const SHELF_LIST: ListDefinition = {
  table: "shelves",
  fields: { id: "id", name: "text", labels: "tags" },
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_", "like_"] },
    labels: { column: "labels", kind: "tags", operators: ["all_", "any_", "is_null_"] },
    capital: { expression: "upper($.name)", kind: "text", operators: ["eq_"] },
  },
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
};

export const BOX_LIST: ListDefinition = {
  table: "boxes",
  fields: {
    id: "id",
    name: "text",
    note: "text",
    labels: "tags",
    packed: "time",
    opened: "time",
    size: "integer",
    weight: "real",
    is_open: "flag",
    content: "json",
    shelf_id: "id",
  },
  filter: {
    id: { column: "id", kind: "id", operators: ["any_", "not_any_"] },
    name: {
      column: "name",
      kind: "text",
      operators: ["any_", "not_any_", "like_", "startswith_", "eq_"],
    },
    pattern: { column: "name", kind: "text", hasWildcards: true, operators: ["like_"] },
    note: { column: "note", kind: "text", operators: ["any_", "not_any_", "is_null_", "exists_"] },
    labels: { column: "labels", kind: "tags", operators: ["all_", "any_", "is_null_", "exists_"] },
    packed: { column: "packed", kind: "time", operators: ["before_", "after_", "eq_"] },
    size: { column: "size", kind: "integer", operators: ["any_", "not_any_", "eq_", "ge_", "le_"] },
    weight: { column: "weight", kind: "real", operators: ["any_", "ge_", "le_"] },
    is_open: { column: "is_open", kind: "flag", operators: ["eq_", "any_", "is_null_"] },
    content: { column: "content", kind: "json", operators: ["is_null_"] },
    state: {
      group: {
        opened: { column: "opened", kind: "time", operators: ["before_", "after_", "is_null_"] },
        size: { column: "size", kind: "integer", operators: ["any_"] },
      },
    },
    text: { column: "name", kind: "text", operators: ["query"] },
    noted: {
      column: "note",
      kind: "text",
      operators: ["any_", "is_null_"],
      whenEmpty: { is_null_: false },
    },
    shelf_name: {
      group: {
        any_: {
          through: { table: "shelves", column: "shelf_id" },
          column: "name",
          kind: "text",
          isRare: true,
          meaning: "any_",
        },
        is_null_: { column: "shelf_id", kind: "id", meaning: "is_null_" },
      },
    },
    seen: {
      expression: "coalesce($.opened, $.packed)",
      kind: "time",
      operators: ["before_", "after_"],
    },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    SIZE_ASC: ["size asc"],
    SIZE_DESC: ["size desc", "name asc"],
    OPENED_ASC: ["opened asc"],
    OPENED_DESC: ["opened desc"],
  },
  defaultSort: "NAME_ASC",
};

export const BOX_RELATIONS: Relations = {
  shelves: {
    to: SHELF_LIST,
    column: "shelf_id",
    relations: { neighbours: { to: BOX_LIST, theirColumn: "shelf_id" } },
  },
};
export const SHELF_RELATIONS: Relations = {
  boxes: { to: BOX_LIST, theirColumn: "shelf_id" },
};

/** Identifiers that the test can tell apart by their last digits. */
export const testId = (n: number): string =>
  `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

export interface BoxFixture extends Partial<Omit<Box, "labels">> {
  readonly labels?: readonly string[];
}

/** Adds boxes, numbered from 1 unless they say otherwise. */
export async function addBoxes(
  db: Database,
  boxes: readonly BoxFixture[],
  workspace = W1,
): Promise<void> {
  await db.write(workspace, async (tx) => {
    for (const [index, { labels = [], ...box }] of boxes.entries()) {
      await tx.run(insertBox, {
        id: testId(index + 1),
        name: `box ${index + 1}`,
        note: null,
        packed: "2026-01-01T00:00:00.000000Z",
        opened: null,
        size: null,
        weight: null,
        is_open: false,
        content: null,
        shelf_id: null,
        ...box,
        labels: JSON.stringify(labels),
      });
    }
  });
}

export async function addShelves(
  db: Database,
  shelves: readonly { id: string; name: string; labels?: readonly string[] }[],
  workspace = W1,
): Promise<void> {
  await db.write(workspace, async (tx) => {
    for (const { id, name, labels = [] } of shelves) {
      await tx.run(insertShelf, { id, name, labels: JSON.stringify(labels) });
    }
  });
}

/** The names of the boxes that a selection leaves, in the default order. */
export async function boxNames(db: Database, selection: Selection): Promise<string[]> {
  const page = { limit: 100, offset: 0 };
  const json = await listJson<Box>(db.in(W1), BOX_LIST, { ...selection, ...page });
  return (JSON.parse(json) as Box[]).map(({ name }) => name);
}
