// Letters are looked up in an index of trigrams, for which the server needs an extension that it
// may not have, or that we may not install. So it is made beside everything else, once there are
// many rows. It is not an index of the large table, where every new version of a row would pay for
// it: the texts are kept a second time, by triggers, which cost only who adds a row or changes its
// text.
//
// Row-level security would make the index useless, as it does for tags (see postgres-tags.ts). But
// the ids that are found are only where to look, in a table that is behind the wall: so they are
// found before it, for the workspace that the statement names.

import pg from "pg";
import type { Dialect } from "../dialect.ts";
import { caseVariantsOf, IS_ASCII } from "../letter-cases.ts";
import type { TrigramIndex, TrigramIndexPass } from "../trigram-index.ts";
import { contained, isLike } from "./postgres-like.ts";
import { clientConfig } from "./postgres-pool.ts";

const MANY_ROWS = 10_000;
/** As many texts are copied at once: who changes one of them waits for it. */
const PIECE = 5000;
/** Who writes waits no longer than this for the triggers to be made. */
const LOCK_TIMEOUT_MS = 500;
/**
 * What was added is put in its place together; the smaller, the less one of those who add has to
 * wait for it, and a search to read.
 */
const PENDING_KB = 512;
/** One replica makes it. */
const LOCK = 7_303_014_209;
/** The longest a timer can wait. */
const UNLIMITED_MS = 2 ** 31 - 1;

/** What is left behind by a row that is deleted while it is copied leads nowhere. */
export function postgresTrigramIndex({ name, column }: TrigramIndex): string {
  return `
    create table ${name} (
      workspace_id uuid not null, id uuid not null, ${column} text collate "C" not null, primary key (workspace_id, id)
    );
    create function ${name}_follow() returns trigger language plpgsql set search_path from current as $$ begin
      if tg_op = 'DELETE' then
        delete from ${name} where workspace_id = old.workspace_id and id = old.id;
      else
        insert into ${name} values (new.workspace_id, new.id, new.${column})
          on conflict (workspace_id, id) do update set ${column} = excluded.${column};
      end if;
      return null;
    end $$;`;
}

function triggers({ name, table, column }: TrigramIndex): string {
  const follow = `on ${table} for each row`;
  const by = `execute function ${name}_follow()`;
  return `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS};
    create or replace trigger ${name}_added after insert ${follow} ${by};
    create or replace trigger ${name}_changed after update of ${column} ${follow} when (new.${column} <> old.${column}) ${by};
    create or replace trigger ${name}_removed after delete ${follow} ${by}; commit`;
}

/** The index is made last: where it is whole, so is what it is made of. */
const trigramsOf = ({ name }: TrigramIndex): string => `${name}_trigrams`;
const isWhole = (index: TrigramIndex): string =>
  `(select indisvalid from pg_index where indexrelid = to_regclass('${trigramsOf(index)}'))`;

/** The index knows letters and digits only, three in a row. */
const HAS_TRIGRAMS = /[\p{L}\p{N}]{3}/u;

/** Null where the index has nothing to look up. */
export const postgresTrigramCandidates: Dialect["letterCandidates"] = (index, text, bind) => {
  const isAscii = IS_ASCII.test(text);
  const letters = Array.from(text, (letter) => (isAscii ? [letter] : knownForms(letter)));
  if (!HAS_TRIGRAMS.test(letters.map(([first = " "]) => first).join(""))) return null;
  const holds = isAscii
    ? isLike(index.column, bind(contained(text)))
    : `${index.column} ~ ${bind(letters.map(oneOf).join(""))}`;
  return {
    rows: `select '"' || id || '"' as record from ${index.name} where workspace_id = $1 and ${holds}`,
    areAll: isWhole(index),
  };
};

/**
 * The letter in all cases; none where the index may know it by another letter. Its small letters
 * are those of the language of the database, and in some a great sigma is another letter at the end
 * of a text than inside a word.
 */
function knownForms(letter: string): readonly string[] {
  const forms = caseVariantsOf(letter);
  const hasOthers = letter.toLowerCase() !== letter || letter.toUpperCase() !== letter;
  return forms.includes("Σ") || (forms.length === 1 && hasOthers) ? [] : forms;
}

/**
 * As a part of a regular expression, for which the index is of use, as it is not for what
 * translates the text.
 */
function oneOf(forms: readonly string[]): string {
  const [only = "."] = forms;
  if (forms.length > 1) return `[${forms.join("")}]`;
  return forms.length === 0 ? only : only.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
}

/**
 * Makes the index where it is missing, without holding up those who write. Told to end it leaves at
 * once, because the server may wait for a transaction of somebody else: what it is at it finishes
 * without us, and keeps the lock until then.
 */
export async function maintainPostgresTrigrams(
  url: string,
  index: TrigramIndex,
  signal: AbortSignal,
): Promise<TrigramIndexPass> {
  // Of its own: others may be confined to a workspace, and end what takes so long. With a pipeline
  // its end would wait for what is under way.
  const options = { ...clientConfig(url), query_timeout: UNLIMITED_MS, pipeline: false };
  const client = new pg.Client(options);
  client.on("error", () => {});
  const leave = (): void => void client.end();
  try {
    await client.connect();
    signal.addEventListener("abort", leave, { once: true });
    signal.throwIfAborted();
    await client.query("set statement_timeout = 0");
    return await make(client, index);
  } catch (error) {
    if (signal.aborted) return { state: "left" };
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { state: "refused", reason: error.message };
  } finally {
    signal.removeEventListener("abort", leave);
    await client.end();
  }
}

interface Found {
  readonly is_whole: boolean | null;
  readonly rows: number;
  /**
   * Whether letters of ASCII have the small ones that they have for `ilike`: in Turkish they have
   * others.
   */
  readonly folds: boolean;
  readonly is_ours: boolean;
}

async function make(client: pg.Client, index: TrigramIndex): Promise<TrigramIndexPass> {
  const { name, table, column } = index;
  const found = await client.query<Found>(`
    select ${isWhole(index)} as is_whole, lower('I') = 'i' as folds, pg_try_advisory_lock(${LOCK}) as is_ours,
      (select greatest(reltuples, pg_stat_get_live_tuples(oid)) from pg_class where oid = '${table}'::regclass) as rows`);
  const [state] = found.rows;
  if (state?.is_whole === true) return { state: "kept" };
  if (state === undefined || state.rows < MANY_ROWS || !state.is_ours)
    return { state: "not needed" };
  if (!state.folds) return { state: "refused", reason: "the language of the database" };
  await client.query("create extension if not exists pg_trgm");
  const extension = await client.query<{ schema: string }>(
    "select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'",
  );
  await client.query(triggers(index));
  await copy(client, index);
  // There may be one whose making was broken off.
  await client.query(`drop index concurrently if exists ${trigramsOf(index)}`);
  await client.query(
    `create index concurrently ${trigramsOf(index)} on ${name} using gin (${column} ${extension.rows[0]?.schema}.gin_trgm_ops) with (gin_pending_list_limit = ${PENDING_KB})`,
  );
  await client.query(`analyze ${name}`);
  return { state: "kept" };
}

/** From here on triggers follow what is added or changed: copied is what was there before. */
async function copy(client: pg.Client, { name, table, column }: TrigramIndex): Promise<void> {
  const first = "00000000-0000-0000-0000-000000000000";
  let last: { readonly workspace_id: string; readonly id: string } | undefined = {
    workspace_id: first,
    id: first,
  };
  while (last !== undefined) {
    const piece: pg.QueryResult<NonNullable<typeof last>> = await client.query(
      `with piece as (select workspace_id, id, ${column} from ${table} where (workspace_id, id) > ($1, $2) order by workspace_id, id limit ${PIECE}),
         copied as (insert into ${name} select * from piece on conflict do nothing)
       select workspace_id, id from piece order by workspace_id desc, id desc limit 1`,
      [last.workspace_id, last.id],
    );
    [last] = piece.rows;
  }
}
