// Letters are looked up in an index of trigrams. It is not kept with every write: to take rows in
// one by one costs many times what it costs to take in hundreds together. Rows are numbered as they
// come, so the index holds those up to a number (`last`); behind it they are looked at themselves.
// What changes or goes before it is noted by triggers (`changed`) until the index is brought up to
// date. What the index finds is a guess, and each row is asked again: so what it holds too much
// does no harm, and a row that is in none of the three cannot be.
//
// A database that was made anew from a dump numbers its rows anew, from 1 and without gaps. So the
// id of the last row is kept beside its number: where that row has another number by now, the index
// is taken for empty, and emptied by the next pass.

import type { SchemaSession } from "../database.ts";
import { caseVariantsOf, IS_ASCII } from "../letter-cases.ts";
import type { TrigramIndex } from "../trigram-index.ts";

/** As many rows are taken in together: some milliseconds, for which other writes wait. */
const PIECE = 500;
const PIECES_PER_PASS = 40;

/**
 * A number is given again only after the greatest was deleted. So the index ends with a row that is
 * there: when that is deleted, it ends with the one before it, and every new row comes behind it.
 * The triggers call no function, for whose sake SQLite would copy what they change.
 */
export function sqliteTrigramIndex({ name, table, column }: TrigramIndex): string {
  const isBefore = `old.rowid <= (select last from ${name}_end)`;
  const note = `insert into ${name}_changed values (old.rowid)`;
  return `
    create virtual table ${name} using fts5 (${column}, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram');
    create table ${name}_end (last integer, id text);
    insert into ${name}_end values (null, null);
    create table ${name}_changed (row integer not null);
    create trigger ${name}_renamed after update of ${column} on ${table}
      when new.${column} <> old.${column} and ${isBefore} begin ${note}; end;
    create trigger ${name}_removed after delete on ${table} when ${isBefore} begin
      ${note};
      update ${name}_end set (last, id) = (select rowid, id from ${table} where rowid < old.rowid order by rowid desc limit 1)
        where last = old.rowid and id = old.id;
    end;`;
}

/**
 * The number of the last row in the index; 0 where it holds none, or was made of rows with other
 * numbers.
 */
const lastOf = ({ name, table }: TrigramIndex): string =>
  `coalesce((select last from ${name}_end kept cross join "${table}" ended where ended.rowid = kept.last and ended.id = kept.id), 0)`;

/**
 * Candidates for a row that holds the letters: what the index finds, and all that it may not know.
 */
export function sqliteTrigramCandidates(index: TrigramIndex, pattern: string): string {
  const { name, table } = index;
  return `select rowid as record from ${name} where ${name} match ${pattern} and rowid <= ${lastOf(index)}
    union all select row from ${name}_changed
    union all select rowid from "${table}" where rowid > ${lastOf(index)}`;
}

/** Letters beyond these say little more. */
const MOST_TRIGRAMS = 30;

/** What the index is asked for to find a text; null for a text that is too short for it. */
export function trigramsOf(text: string): string | null {
  const letters = Array.from(text, IS_ASCII.test(text) ? (letter) => [letter] : formsOf);
  const found = new Set<string>();
  for (let at = 0; at + 3 <= letters.length && found.size < MOST_TRIGRAMS; at += 1) {
    const [one = [], two = [], three = []] = letters.slice(at, at + 3);
    const forms = one.flatMap((a) => two.flatMap((b) => three.map((c) => quoted(a + b + c))));
    found.add(forms.length === 1 ? forms.join("") : `(${forms.join(" OR ")})`);
  }
  return found.size === 0 ? null : [...found].join(" AND ");
}

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/**
 * The letter in all cases: the index does not know all of them for the same. Those of ASCII it
 * does.
 */
const formsOf = (letter: string): readonly string[] => [
  ...new Set(
    caseVariantsOf(letter).map((form) => (IS_ASCII.test(form) ? form.toLowerCase() : form)),
  ),
];

/**
 * A row where there is something to bring up to date; to ask for it writes nothing, and so costs
 * next to nothing while all is idle.
 */
export function isBehind(index: TrigramIndex): string {
  const { name, table } = index;
  const isPiece = (rows: string) => `(select count(*) from (${rows} limit ${PIECE})) = ${PIECE}`;
  return `select 1 where ${isPiece(`select 1 from "${table}" where rowid > ${lastOf(index)}`)}
    or ${isPiece(`select 1 from ${name}_changed`)} or exists (${renumbered(index)})`;
}

/** A row where the numbers are not those that the index was made of. */
const renumbered = (index: TrigramIndex): string =>
  `select 1 from ${index.name}_end where last <> ${lastOf(index)}`;

type Exclusively = <T>(work: (session: SchemaSession) => Promise<T>) => Promise<T>;

/**
 * Brings the index up to date, a piece in each transaction; what is less than a piece waits for
 * more.
 */
export async function maintainSqliteTrigrams(
  exclusively: Exclusively,
  index: TrigramIndex,
  { signal, rows = PIECE }: { readonly signal: AbortSignal; readonly rows?: number },
): Promise<void> {
  for (let piece = 0; piece < PIECES_PER_PASS && !signal.aborted; piece += 1) {
    const isDone = await exclusively(async (session) => {
      await emptyWhereRenumbered(session, index);
      const hasAdded = await takeInAdded(session, index, rows);
      const hasChanged = await takeInChanged(session, index, rows);
      return !hasAdded && !hasChanged;
    });
    if (isDone) return;
  }
}

async function emptyWhereRenumbered(session: SchemaSession, index: TrigramIndex): Promise<void> {
  const { name } = index;
  const [other] = await session.rows(renumbered(index));
  if (other === undefined) return;
  await session.execute(`
    insert into ${name} (${name}) values ('delete-all');
    delete from ${name}_changed;
    update ${name}_end set last = null, id = null;`);
}

async function takeInAdded(
  session: SchemaSession,
  index: TrigramIndex,
  rows: number,
): Promise<boolean> {
  const { name, table, column } = index;
  const last = lastOf(index);
  const [next] = await session.rows<{ from: number; to: number; rows: number }>(
    `select ${last} as "from", max(number) as "to", count(*) as rows
     from (select rowid as number from ${table} where rowid > ${last} order by rowid limit ${rows})`,
  );
  if (next === undefined || next.rows < rows) return false;
  const isOfPiece = `rowid > ${next.from} and rowid <= ${next.to}`;
  await session.execute(`
    delete from ${name} where ${isOfPiece};
    insert into ${name} (rowid, ${column}) select rowid, ${column} from ${table} where ${isOfPiece};
    update ${name}_end set (last, id) = (select rowid, id from ${table} where rowid = ${next.to});`);
  return true;
}

async function takeInChanged(
  session: SchemaSession,
  index: TrigramIndex,
  rows: number,
): Promise<boolean> {
  const { name, table, column } = index;
  const [noted] = await session.rows<{ to: number; rows: number }>(
    `select max(rowid) as "to", count(*) as rows from (select rowid from ${name}_changed order by rowid limit ${rows})`,
  );
  if (noted === undefined || noted.rows < rows) return false;
  const isNoted = `rowid in (select row from ${name}_changed where rowid <= ${noted.to})`;
  await session.execute(`
    delete from ${name} where ${isNoted};
    insert into ${name} (rowid, ${column})
      select rowid, ${column} from ${table} where ${isNoted} and rowid <= ${lastOf(index)};
    delete from ${name}_changed where rowid <= ${noted.to};`);
  return true;
}
