import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { rowsTagged, sqliteTagIndex, type TagIndex } from "./sqlite/sqlite-tags.ts";

/** How a column is declared. Everything else about a column is the same on both engines. */
export interface ColumnTypes {
  readonly id: string;
  readonly text: string;
  readonly time: string;
  /** JSON kept as it was written: never looked into by the database, only handed out. */
  readonly json: string;
  /** JSON array of strings that lists search. */
  readonly tags: string;
  readonly flag: string;
  readonly integer: string;
  readonly real: string;
  /** Primary key that counts up and never hands out a number twice. */
  readonly position: string;
  /**
   * What makes the rows of a table with a column `tags` found by their tags, where there are very many rows; where it
   * can, in the order of a column.
   */
  readonly tagIndex: (table: string, index: string, order: string) => string;
}

/** What a field of a record is on the wire; decides how the database writes it into JSON. */
export type FieldKind = "id" | "text" | "time" | "json" | "tags" | "flag" | "integer" | "real";
/**
 * A field that no column holds: an expression over the row, written with `$` for the row and `:now` for the moment
 * of the request.
 */
export interface ComputedField {
  readonly kind: FieldKind;
  readonly expression: (dialect: Dialect) => string;
}
export type Fields = Readonly<Record<string, FieldKind | ComputedField>>;

/**
 * Where the two engines differ, as named capabilities. Features ask for these by name and never for
 * the engine.
 */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly types: ColumnTypes;
  /** A text expression that holds a record as a JSON object, with the fields in order; `:now` is left in it as it is. */
  readonly recordJson: (fields: Fields, table: string) => string;
  /** How the SQL refers to the n-th value, counted from 1. */
  readonly parameter: (n: number) => string;
  /** A list as one parameter, so that the SQL is the same for any number of values. */
  readonly list: (values: readonly unknown[]) => unknown;
  /** Condition: `column` is one of the values of a list parameter. */
  readonly isOneOf: (column: string, kind: FieldKind, parameter: string) => string;
  /** Case-insensitive substring match; what is bound to the parameter is made of the text by `contained`. */
  readonly contains: (column: string, parameter: string) => string;
  readonly contained: (text: string) => string;
  /** Conditions over a `tags` column and a list parameter. */
  readonly hasAllTags: (column: string, parameter: string, index?: TagIndex) => string;
  readonly hasAnyTag: (column: string, parameter: string, index?: TagIndex) => string;
  readonly hasNoTags: (column: string) => string;
  /** Condition: `column` begins with one of the values of a list parameter, in any case. */
  readonly startsWithOneOf: (column: string, parameter: string) => string;
  /** The same condition, with the hint that nearly every row meets it: it finds nothing, others do. */
  readonly isCommon: (condition: string) => string;
  /** The same condition, with the hint that hardly any row meets it. */
  readonly isRare: (condition: string) => string;
  /** Whether a column is in a list that is worked out once, before anything else, however little is known of its length. */
  readonly isAmong: (column: string, select: string) => string;
  /** A JSON array of objects, one parameter, as rows with a column for each field: any number of rows in one statement. */
  readonly rowsFrom: (
    fields: Readonly<Record<string, FieldKind>>,
    json: string,
  ) => RawBuilder<unknown>;
  /** A query for one text that holds JSON, as a JSON value within a record. */
  readonly asJson: (query: string) => string;
  /** The JSON text of what stands at a path inside a JSON column; null where nothing does. */
  readonly jsonAt: (column: string, ...path: readonly string[]) => string;
  /** All values of a column in the order of the rows, with commas between them. */
  readonly joined: (column: string) => string;
  /** A text as its bytes in UTF-8; as text where the engine's driver makes a string of it in any case. */
  readonly asBytes: (text: string) => string;
  /** What a query selects is computed for every row that is sorted, also for those beyond its limit. */
  readonly buildsBeforeSorting: boolean;
  /** A tag index is a table of its own: whether to use it is decided by the query, not by the database. */
  readonly keepsTagsApart: boolean;
  /** Several writers can be under way, so a row that a transaction depends on must be locked. */
  readonly locksRows: boolean;
  /** The moment the statement runs, on the clock that all replicas share. */
  readonly now: string;
  readonly nowPlusSeconds: (parameter: string) => string;
  /** The seconds from one time to another, as a number with a fraction. */
  readonly secondsBetween: (from: string, to: string) => string;
  /** A time as whole microseconds since 1970. */
  readonly micros: (time: string) => string;
  /** The greatest of some numbers. */
  readonly greatest: (...expressions: readonly string[]) => string;
  /** Writers commit one after another, so positions become visible in the order they were handed out. */
  readonly commitsInOrder: boolean;
  /** All changes are made by this process, so that its nudges tell of each, and before whoever made it knows that it was made. */
  readonly tellsEveryChange: boolean;
  /** Every statement is a round trip to another process. Where it is not, a long query holds up this one. */
  readonly isRemote: boolean;
  /** Builds and compiles statements; it cannot run them. */
  readonly builder: Kysely<unknown>;
}

const quote = (name: string): string => `"${name}"`;
const column = (table: string, name: string): string => `${quote(table)}.${quote(name)}`;

/** The fields of a record, each with the expression of its value. */
function* expressionsOf(fields: Fields, table: string, dialect: Dialect) {
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === "string") yield { name, kind: field, value: column(table, name) };
    else {
      const expression = field.expression(dialect).replaceAll("$", quote(table));
      yield { name, kind: field.kind, value: `(${expression})` };
    }
  }
}

/**
 * JSON in pieces that are put one behind the other: what is JSON already goes in as it is, where `json_object` would
 * read it and write it again.
 */
function sqliteRecordJson(fields: Fields, table: string): string {
  const pieces: string[] = [];
  let before = "{";
  for (const { name, kind, value } of expressionsOf(fields, table, sqliteDialect)) {
    pieces.push(`'${before}"${name}":'`, SQLITE_JSON[kind](value));
    before = ",";
  }
  return `concat(${pieces.join(", ")}, '}')`;
}

const orNull = (value: string): string => `coalesce(${value}, 'null')`;
const quoted = (value: string): string => `coalesce('"' || ${value} || '"', 'null')`;

const SQLITE_JSON: Readonly<Record<FieldKind, (value: string) => string>> = {
  id: quoted,
  time: quoted,
  text: (value) => `json_quote(${value})`,
  json: orNull,
  tags: orNull,
  flag: (value) => `case ${value} when 1 then 'true' when 0 then 'false' else 'null' end`,
  integer: orNull,
  real: (value) => `json_quote(${value})`,
};

export const sqliteDialect: Dialect = {
  name: "sqlite",
  types: {
    id: "text",
    text: "text",
    time: "text",
    json: "text",
    tags: "text",
    // Kept as 0 and 1; the name tells the connection to hand it out as a boolean.
    flag: "boolean",
    integer: "integer",
    real: "real",
    position: "integer primary key autoincrement",
    tagIndex: sqliteTagIndex,
  },
  recordJson: sqliteRecordJson,
  parameter: (n) => `?${n}`,
  list: (values) => JSON.stringify(values),
  isOneOf: (name, kind, parameter) => {
    const condition = `${name} in (select value from json_each(${parameter}))`;
    // Without the hint, rows are rather read in the order of the list until enough of them match.
    return kind === "id" ? `unlikely(${condition})` : condition;
  },
  // Not `like`: it compares character by character anew from every place of the text.
  contains: (name, parameter) => `instr(lower(${name}), lower(${parameter})) > 0`,
  contained: (text) => text,
  hasAllTags: (name, parameter, index) =>
    index === undefined
      ? `not exists (select 1 from json_each(${parameter}) wanted where wanted.value not in (select value from json_each(${name})))`
      : `${index.id} in (${rowsTagged(index, parameter)} group by row_id having count(*) = (select count(distinct value) from json_each(${parameter})))`,
  hasAnyTag: (name, parameter, index) =>
    index === undefined
      ? `exists (select 1 from json_each(${name}) tag where tag.value in (select value from json_each(${parameter})))`
      : `${index.id} in (${rowsTagged(index, parameter)})`,
  hasNoTags: (name) => `json_array_length(${name}) = 0`,
  startsWithOneOf: (name, parameter) =>
    `exists (select 1 from json_each(${parameter}) prefix where lower(substr(${name}, 1, length(prefix.value))) = lower(prefix.value))`,
  isCommon: (condition) => `likely(${condition})`,
  isRare: (condition) => `unlikely(${condition})`,
  isAmong: (column, select) => `unlikely(${column} in (${select}))`,
  rowsFrom: (fields, json) => {
    const columns = Object.entries(fields).map(([name, kind]) => {
      const isJson = kind === "json" || kind === "tags";
      const value = isJson ? `nullif(value -> '$.${name}', 'null')` : `value ->> '$.${name}'`;
      return `${value} as ${quote(name)}`;
    });
    return sql`(select ${sql.raw(columns.join(", "))} from json_each(${json}))`;
  },
  asJson: (query) => `(${query})`,
  jsonAt: (name, ...path) => `(${name} -> '$.${path.join(".")}')`,
  joined: (name) => `group_concat(${name}, ',')`,
  asBytes: (text) => `cast(${text} as blob)`,
  buildsBeforeSorting: true,
  keepsTagsApart: true,
  locksRows: false,
  now: `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`,
  nowPlusSeconds: (parameter) =>
    `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', ${parameter} || ' seconds')`,
  secondsBetween: (from, to) => `(unixepoch(${to}, 'subsec') - unixepoch(${from}, 'subsec'))`,
  micros: (time) => `(unixepoch(substr(${time}, 1, 19)) * 1000000 + substr(${time}, 21, 6))`,
  greatest: (...expressions) => `max(${expressions.join(", ")})`,
  commitsInOrder: true,
  tellsEveryChange: true,
  isRemote: false,
  builder: new Kysely<unknown>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error("The builder does not introspect");
      },
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
};

const POSTGRES_TIME = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
const POSTGRES_TYPE: Record<FieldKind, string> = {
  id: "uuid",
  text: "text",
  time: "text",
  json: "text",
  tags: "text",
  flag: "boolean",
  integer: "bigint",
  real: "double precision",
};

export const postgresDialect: Dialect = {
  name: "postgres",
  types: {
    id: "uuid",
    text: 'text collate "C"',
    time: 'text collate "C"',
    json: "json",
    tags: "jsonb",
    flag: "boolean",
    integer: "bigint",
    real: "double precision",
    position: "bigint generated always as identity primary key",
    tagIndex: (table, index) => `create index ${index} on ${table} using gin (tags);`,
  },
  recordJson: (fields, table) => {
    const pairs = [...expressionsOf(fields, table, postgresDialect)];
    return `json_build_object(${pairs.map(({ name, value }) => `'${name}', ${value}`).join(", ")})::text`;
  },
  parameter: (n) => `$${n}`,
  list: (values) => values,
  isOneOf: (name, kind, parameter) => `${name} = any(${parameter}::${POSTGRES_TYPE[kind]}[])`,
  contains: (name, parameter) => `${name} ilike ${parameter} escape '\\'`,
  contained: (text) => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`,
  hasAllTags: (name, parameter) => `${name} @> to_jsonb(${parameter}::text[])`,
  hasAnyTag: (name, parameter) => `${name} ?| ${parameter}::text[]`,
  hasNoTags: (name) => `${name} = '[]'::jsonb`,
  startsWithOneOf: (name, parameter) =>
    `exists (select 1 from unnest(${parameter}::text[]) prefix where lower(left(${name}, length(prefix))) = lower(prefix collate "C"))`,
  isCommon: (condition) => condition,
  isRare: (condition) => condition,
  // Joined, as `in` would be, the lists are gone through for each row as long as the tables were never counted.
  isAmong: (column, select) => `${column} = any(array(${select}))`,
  rowsFrom: (fields, json) => {
    const { types } = postgresDialect;
    const names = Object.keys(fields).map(quote);
    const columns = Object.entries(fields).map(([name, kind]) => `${quote(name)} ${types[kind]}`);
    return sql`(select ${sql.raw(names.join(", "))} from json_to_recordset(${json}::json) as item (${sql.raw(columns.join(", "))}))`;
  },
  asJson: (query) => `(${query})::json`,
  jsonAt: (name, ...path) => `(${name} #> '{${path.join(",")}}')::text`,
  joined: (name) => `string_agg(${name}, ',')`,
  asBytes: (text) => text,
  buildsBeforeSorting: false,
  keepsTagsApart: false,
  locksRows: true,
  now: `to_char(clock_timestamp() at time zone 'utc', ${POSTGRES_TIME})`,
  nowPlusSeconds: (parameter) =>
    `to_char((clock_timestamp() + ${parameter}::double precision * interval '1 second') at time zone 'utc', ${POSTGRES_TIME})`,
  secondsBetween: (from, to) =>
    // As text first: a value that is bound would otherwise have to be a time everywhere in the query.
    `extract(epoch from (${to})::text::timestamptz - (${from})::text::timestamptz)::double precision`,
  micros: (time) => `(extract(epoch from (${time})::text::timestamptz) * 1000000)::bigint`,
  greatest: (...expressions) => `greatest(${expressions.join(", ")})`,
  commitsInOrder: false,
  tellsEveryChange: false,
  isRemote: true,
  builder: new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error("The builder does not introspect");
      },
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};
