import type { Dialect } from "../storage/dialect.ts";
import type { Migration } from "../storage/migrate.ts";

// Blocks are read one after the other, and each as a whole: on PostgreSQL nothing of a row is
// compressed or stored elsewhere. Where only the marks are not, PostgreSQL stores the times
// elsewhere to make the row shorter, and every search has to fetch them one by one. Rows that are
// there already are taken into blocks piece by piece while the server runs: a start waits for none
// of them.

const MARKS: Readonly<Record<Dialect["name"], string>> = { sqlite: "blob", postgres: "bytea" };

const IN_ONE_PIECE = ["source", "since", "until", "marks"]
  .map((column) => `alter table text_blocks alter column ${column} set storage plain;`)
  .join("\n");

export const textBlocksMigration: Migration = {
  name: "text-blocks",
  up: (t, { name }) => `
    create table text_blocks (
      source ${t.text} not null,
      workspace_id ${t.id} not null,
      since ${t.time} not null,
      until ${t.time} not null,
      marks ${MARKS[name]} not null
    );
    ${name === "postgres" ? IN_ONE_PIECE : ""}
    create unique index text_blocks_in_order on text_blocks (workspace_id, source, until, since);
    create table late_texts (
      position ${t.position},
      source ${t.text} not null,
      workspace_id ${t.id} not null,
      since ${t.time} not null,
      until ${t.time} not null
    );
    create index late_texts_by_workspace on late_texts (workspace_id, source, since, until);
    create table text_block_turns (
      source ${t.text} primary key,
      turn ${t.integer} not null
    );`,
};
