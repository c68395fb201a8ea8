import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from "kysely";

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
}

/** What a field of a record is on the wire; decides how the database writes it into JSON. */
export type FieldKind = "id" | "text" | "time" | "json" | "tags" | "flag" | "integer" | "real";
export type Fields = Readonly<Record<string, FieldKind>>;

/**
 * Where the two engines differ, as named capabilities. Features ask for these by name and never for
 * the engine.
 */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly types: ColumnTypes;
  /** A text expression that holds a record as a JSON object, with the fields in order. */
  readonly recordJson: (fields: Fields, table: string) => string;
  /** How the SQL refers to the n-th value, counted from 1. */
  readonly parameter: (n: number) => string;
  /** A list as one parameter, so that the SQL is the same for any number of values. */
  readonly list: (values: readonly unknown[]) => unknown;
  /** Condition: `column` is one of the values of a list parameter. */
  readonly isOneOf: (column: string, kind: FieldKind, parameter: string) => string;
  /** Case-insensitive substring match; the parameter arrives escaped by `escapeLike`. */
  readonly contains: (column: string, parameter: string) => string;
  /** Conditions over a `tags` column and a list parameter. */
  readonly hasAllTags: (column: string, parameter: string) => string;
  readonly hasAnyTag: (column: string, parameter: string) => string;
  readonly hasNoTags: (column: string) => string;
  /** Condition: `column` begins with one of the values of a list parameter, in any case. */
  readonly startsWithOneOf: (column: string, parameter: string) => string;
  /** All values of a column in the order of the rows, with commas between them. */
  readonly joined: (column: string) => string;
  /** Several writers can be under way, so a row that a transaction depends on must be locked. */
  readonly locksRows: boolean;
  /** The moment the statement runs, on the clock that all replicas share. */
  readonly now: string;
  readonly nowPlusSeconds: (parameter: string) => string;
  /** Writers commit one after another, so positions become visible in the order they were handed out. */
  readonly commitsInOrder: boolean;
  /** Builds and compiles statements; it cannot run them. */
  readonly builder: Kysely<unknown>;
}

const quote = (name: string): string => `"${name}"`;
const column = (table: string, name: string): string => `${quote(table)}.${quote(name)}`;

function recordJsonWith(call: string, value: (expression: string, kind: FieldKind) => string) {
  return (fields: Fields, table: string): string => {
    const pairs = Object.entries(fields).map(
      ([name, kind]) => `'${name}', ${value(column(table, name), kind)}`,
    );
    return `${call}(${pairs.join(", ")})`;
  };
}

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
  },
  recordJson: recordJsonWith("json_object", (expression, kind) => {
    if (kind === "json" || kind === "tags") return `json(${expression})`;
    if (kind === "flag")
      return `json(case ${expression} when 1 then 'true' when 0 then 'false' else 'null' end)`;
    return expression;
  }),
  parameter: (n) => `?${n}`,
  list: (values) => JSON.stringify(values),
  isOneOf: (name, _kind, parameter) => `${name} in (select value from json_each(${parameter}))`,
  contains: (name, parameter) => `${name} like ${parameter} escape '\\'`,
  hasAllTags: (name, parameter) =>
    `not exists (select 1 from json_each(${parameter}) wanted where wanted.value not in (select value from json_each(${name})))`,
  hasAnyTag: (name, parameter) =>
    `exists (select 1 from json_each(${name}) tag where tag.value in (select value from json_each(${parameter})))`,
  hasNoTags: (name) => `json_array_length(${name}) = 0`,
  startsWithOneOf: (name, parameter) =>
    `exists (select 1 from json_each(${parameter}) prefix where lower(substr(${name}, 1, length(prefix.value))) = lower(prefix.value))`,
  joined: (name) => `group_concat(${name}, ',')`,
  locksRows: false,
  now: `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`,
  nowPlusSeconds: (parameter) =>
    `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', ${parameter} || ' seconds')`,
  commitsInOrder: true,
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
  },
  recordJson: (fields, table) =>
    `${recordJsonWith("json_build_object", (expression) => expression)(fields, table)}::text`,
  parameter: (n) => `$${n}`,
  list: (values) => values,
  isOneOf: (name, kind, parameter) => `${name} = any(${parameter}::${POSTGRES_TYPE[kind]}[])`,
  contains: (name, parameter) => `${name} ilike ${parameter} escape '\\'`,
  hasAllTags: (name, parameter) => `${name} @> to_jsonb(${parameter}::text[])`,
  hasAnyTag: (name, parameter) => `${name} ?| ${parameter}::text[]`,
  hasNoTags: (name) => `${name} = '[]'::jsonb`,
  startsWithOneOf: (name, parameter) =>
    `exists (select 1 from unnest(${parameter}::text[]) prefix where lower(left(${name}, length(prefix))) = lower(prefix collate "C"))`,
  joined: (name) => `string_agg(${name}, ',')`,
  locksRows: true,
  now: `to_char(clock_timestamp() at time zone 'utc', ${POSTGRES_TIME})`,
  nowPlusSeconds: (parameter) =>
    `to_char((clock_timestamp() + ${parameter}::double precision * interval '1 second') at time zone 'utc', ${POSTGRES_TIME})`,
  commitsInOrder: false,
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

/** Makes user text literal inside a `contains` pattern. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
