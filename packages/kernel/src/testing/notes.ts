// Rows with a time and a text, of which blocks are made, for the tests of those.

import { formatMicros, parseMicros } from "../clock/timestamp.ts";
import type { ListDefinition } from "../lists/definition.ts";
import { listJson } from "../lists/read-list.ts";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import { rowInsert } from "../storage/insert-rows.ts";
import type { MigrationList } from "../storage/migrate.ts";
import { statementsFor } from "../storage/statement.ts";
import { createTextBlocks } from "../text-blocks/maintain.ts";
import type { IndexedTextSource } from "../text-blocks/text-source.ts";
import { recordUnindexedRows } from "../text-blocks/unindexed-rows.ts";
import { manualClock } from "./manual-clock.ts";
import { W1 } from "./things.ts";

export const noteMigrations: readonly MigrationList[] = [
  kernelMigrations,
  {
    component: "notes",
    migrations: [
      {
        name: "notes",
        up: (t) => `
          create table notes (id ${t.id} not null, workspace_id ${t.id} not null, at ${t.time} not null, text ${t.text} not null);
          create index notes_in_order on notes (workspace_id, at, id);`,
      },
    ],
  },
];

export const NOTE_TEXTS: IndexedTextSource = {
  name: "notes",
  table: "notes",
  time: "at",
  holdsJson: false,
  rowsPerBlock: 4,
  text: () => "text",
  size: () => "octet_length(text)",
  mark: (marks, text) => marks.add(text),
};

/** Reads all of it, whatever blocks there are. */
export const PLAIN_NOTES: ListDefinition = {
  table: "notes",
  fields: { id: "id", at: "time", text: "text" },
  filter: {
    at: { column: "at", kind: "time", operators: ["before_", "after_"] },
    text: { column: "text", kind: "text", operators: ["query"] },
  },
  sorts: { FIRST: ["at asc"], LAST: ["at desc"] },
  defaultSort: "FIRST",
};
export const NOTE_LIST: ListDefinition = {
  ...PLAIN_NOTES,
  textBlocks: { source: NOTE_TEXTS, attribute: "text" },
};

export interface Note {
  readonly id: string;
  readonly at: string;
  readonly text: string;
}

const insertNotes = rowInsert<Note, object>({
  table: "notes",
  shared: {},
  columns: { id: "id", at: "time", text: "text" },
  skipsKnown: false,
});

const NOON = "2026-06-01T12:00:00.000000Z";
export const now = manualClock(NOON);

/** A time before now. */
export const minutesBefore = (minutes: number): string =>
  formatMicros(parseMicros(NOON) - Math.round(minutes * 60_000_000));

let lastId = 0;
const newId = (): string => `00000000-0000-4000-8000-${String((lastId += 1)).padStart(12, "0")}`;

/** Writes as every writer does: late ones are noted. */
export async function addNotes(
  db: Database,
  notes: readonly { readonly at: string; readonly text: string }[],
  workspaceId = W1,
): Promise<void> {
  const rows = notes.map((note) => ({ id: newId(), ...note }));
  await db.write(workspaceId, async (tx) => {
    insertNotes(tx, {}, rows);
    recordUnindexedRows(tx, NOTE_TEXTS.name, { now: NOON, times: rows.map(({ at }) => at) });
  });
}

/**
 * As many as are glanced at and more, one each minute of the last days, without anything that is
 * sought.
 */
export async function addOldNotes(db: Database, count = 800): Promise<void> {
  await addNotes(
    db,
    Array.from({ length: count }, (_, n) => ({
      at: minutesBefore(20 + count - n),
      text: `---- ${n}`,
    })),
  );
}

const signal = new AbortController().signal;

/** Makes blocks until there is nothing left to do. */
export async function indexNotes(db: Database): Promise<number> {
  const keep = createTextBlocks({ db, clock: now }, NOTE_TEXTS);
  let made = 0;
  for (;;) {
    const more = await keep(signal);
    made += more;
    if (more === 0) return made;
  }
}

interface Search {
  readonly query: string;
  readonly sort?: string;
  readonly limit?: number;
  readonly offset?: number;
  readonly at?: { readonly after_?: string; readonly before_?: string };
}

export async function readNotes(
  db: Database,
  list: ListDefinition,
  { query, at, sort = "LAST", limit = 50, offset = 0 }: Search,
): Promise<Note[]> {
  const filter = { text: { query }, ...(at !== undefined && { at }) };
  return JSON.parse(await listJson(db.in(W1), list, { filter, sort, limit, offset })) as Note[];
}

export const findTexts = async (db: Database, query: string): Promise<string[]> =>
  (await readNotes(db, NOTE_LIST, { query })).map(({ text }) => text);

interface NoteTables {
  notes: Note & { workspace_id: string };
  text_blocks: { since: string; until: string; workspace_id: string };
  late_texts: { since: string; until: string };
  text_block_turns: { turn: number };
}
const { systemStatement } = statementsFor<NoteTables>();

const selectBlocks = systemStatement()((db) =>
  db.selectFrom("text_blocks").select(["since", "until", "workspace_id"]).orderBy("until"),
);
const selectLate = systemStatement()((db) =>
  db.selectFrom("late_texts").select(["since", "until"]).orderBy("since"),
);
const selectTurns = systemStatement()((db) => db.selectFrom("text_block_turns").select("turn"));
const deleteBefore = systemStatement<{ at: string }>()((db, p) =>
  db.deleteFrom("notes").where("at", "<", p.at),
);

export const blocksOf = (db: Database) => db.system.all(selectBlocks, {});
export const lateOf = (db: Database) => db.system.all(selectLate, {});
export const fencingTokenOf = async (db: Database) => (await db.system.get(selectTurns, {}))?.turn;
export const deleteNotesBefore = (db: Database, at: string) =>
  db.writeSystem((tx) => tx.run(deleteBefore, { at }));
