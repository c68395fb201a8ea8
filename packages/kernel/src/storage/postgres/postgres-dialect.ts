import { PostgresAdapter, PostgresQueryCompiler, type RawBuilder, sql } from "kysely";
import type { Dialect, FieldKind } from "../dialect.ts";
import { type JsonWriter, literal, quoteName, recordJson, rowSql } from "../record-json.ts";
import { statementBuilder } from "../statement-builder.ts";
import { isLike, postgresContains } from "./postgres-like.ts";
import { postgresTagIndex } from "./postgres-tags.ts";
import { postgresTrigramCandidates, postgresTrigramIndex } from "./postgres-trigrams.ts";

const TIME_FORMAT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
/**
 * What the values of a list parameter are cast to; `collate` of a column type has no place there.
 */
const BOUND_TYPE: Record<FieldKind, string> = {
  id: "uuid",
  text: "text",
  time: "text",
  json: "text",
  tags: "text",
  flag: "boolean",
  integer: "bigint",
  real: "double precision",
};

type Value = RawBuilder<unknown>;
const plain = (value: Value): Value => sql`${value}::text`;
const quoted = (value: Value): Value => sql`'"' || ${value}::text || '"'`;

/**
 * Not by functions for JSON, which look up the type of every argument anew for each row. Numbers
 * are finite: others are refused.
 */
const JSON_OF: Readonly<Record<FieldKind, (value: Value) => Value>> = {
  id: quoted,
  time: quoted,
  text: (value) => sql`to_json(${value}::text)::text`,
  json: plain,
  tags: plain,
  flag: plain,
  integer: plain,
  real: plain,
};

const WRITER: JsonWriter = {
  piece: (before, kind, value) =>
    sql`coalesce(${literal(before)} || ${JSON_OF[kind](value)}, ${literal(`${before}null`)})`,
  joined: concatenated,
};

/**
 * In halves of halves: one behind the other, all that was put together before would be copied again
 * with every piece.
 */
function concatenated(pieces: readonly RawBuilder<string>[]): RawBuilder<string> {
  const half = pieces.length >> 1;
  if (half === 0) return pieces[0] ?? literal("");
  return sql`(${concatenated(pieces.slice(0, half))} || ${concatenated(pieces.slice(half))})`;
}

const later = (time: RawBuilder<unknown>, seconds: number): RawBuilder<string> =>
  sql`to_char((${time} + ${seconds}::double precision * interval '1 second') at time zone 'utc', ${sql.raw(TIME_FORMAT)})`;

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
    checkedAtCommit: "",
    tagIndex: postgresTagIndex,
    letterIndex: postgresTrigramIndex,
  },
  recordJson: (fields, table, now) =>
    recordJson(fields, rowSql(postgresDialect, table, now), WRITER),
  parameter: (n) => `$${n}`,
  list: (values) => values,
  valuesOf: (parameter, alias) => `unnest(${parameter}::text[]) ${alias} (value)`,
  isOneOf: (name, kind, parameter) => `${name} = any(${parameter}::${BOUND_TYPE[kind]}[])`,
  holding: postgresContains,
  letterCandidates: postgresTrigramCandidates,
  letterKey: "id",
  matches: isLike,
  patternOf: (text) => `%${text.replaceAll("\\", "\\\\")}%`,
  hasAllTags: (name, parameter) => `${name} @> to_jsonb(${parameter}::text[])`,
  hasAnyTag: (name, parameter) => `${name} ?| ${parameter}::text[]`,
  hasNoTags: (name) => `${name} = '[]'::jsonb`,
  startsWithOneOf: (name, parameter) =>
    `exists (select 1 from unnest(${parameter}::text[]) prefix where lower(left(${name}, length(prefix))) = lower(prefix collate "C"))`,
  isCommon: (condition) => condition,
  likely: (condition) => condition,
  isRare: (condition) => condition,
  // Of what it knows nothing of, it expects every second row to meet it.
  isFrequent: (condition) => `coalesce(${condition}, false)`,
  // Joined, as `in` would be, the lists are gone through for each row as long as the tables were
  // never counted.
  isAmong: (column, select) => `${column} = any(array(${select}))`,
  rowsFrom: (fields, json, beside = {}) => {
    const { types } = postgresDialect;
    const columns = Object.entries(fields).map(
      ([name, kind]) => `${quoteName(name)} ${types[kind]}`,
    );
    const objects = sql`json_to_recordset(${json}::json) as (${sql.raw(columns.join(", "))})`;
    // Not looked into, so that escapes are kept which no text could hold.
    const arrays = Object.values(beside).map((array) => sql`json_array_elements(${array}::json)`);
    const names = [...Object.keys(fields), ...Object.keys(beside)].map(quoteName).join(", ");
    return sql`(select ${sql.raw(names)} from rows from (${sql.join([objects, ...arrays])}) as item (${sql.raw(names)}))`;
  },
  jsonAt: (name, ...path) => `(${name} #> '{${path.join(",")}}')::text`,
  textAt: (object, name) => `(${object}::json ->> '${name}')`,
  joined: (name) => `string_agg(${name}, ',')`,
  asBytes: (text) => text,
  plansByValue: true,
  buildsBeforeSorting: false,
  buildsPassedOver: true,
  locksRows: true,
  now: `to_char(clock_timestamp() at time zone 'utc', ${TIME_FORMAT})`,
  nowPlusSeconds: (seconds) => later(sql`clock_timestamp()`, seconds),
  plusSeconds: (time, seconds) => later(sql`(${time})::timestamptz`, seconds),
  secondsBetween: (from, to) =>
    // As text first: a value that is bound would otherwise have to be a time everywhere in the
    // query.
    sql`extract(epoch from (${to})::text::timestamptz - (${from})::text::timestamptz)::double precision`,
  micros: (time) => `(extract(epoch from (${time})::text::timestamptz) * 1000000)::bigint`,
  greatest: (...expressions) => sql`greatest(${sql.join(expressions)})`,
  commitsInOrder: false,
  isRemote: true,
  builder: statementBuilder({ Adapter: PostgresAdapter, QueryCompiler: PostgresQueryCompiler }),
};
