import { type RawBuilder, SqliteAdapter, SqliteQueryCompiler, sql } from "kysely";
import type { Dialect, FieldKind } from "../dialect.ts";
import { type JsonWriter, literal, quoteName, recordJson, rowSql } from "../record-json.ts";
import { statementBuilder } from "../statement-builder.ts";
import { sqliteContains } from "./sqlite-contains.ts";
import { sqliteTagIndex } from "./sqlite-tags.ts";
import { sqliteTrigramCandidates, sqliteTrigramIndex, trigramsOf } from "./sqlite-trigrams.ts";

type Value = RawBuilder<unknown>;
const orNull = (value: Value): Value => sql`coalesce(${value}, 'null')`;
const quoted = (value: Value): Value => sql`json_quote(${value})`;

/** Not by `json_object`, which would read what is JSON already and write it again. */
const JSON_OF: Readonly<Record<FieldKind, (value: Value) => Value>> = {
  id: quoted,
  time: quoted,
  text: quoted,
  json: orNull,
  tags: orNull,
  flag: (value) => sql`case ${value} when 1 then 'true' when 0 then 'false' else 'null' end`,
  integer: orNull,
  real: quoted,
};

const WRITER: JsonWriter = {
  piece: (before, kind, value) => sql`${literal(before)}, ${JSON_OF[kind](value)}`,
  joined: (pieces) => sql`concat(${sql.join(pieces)})`,
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
    checkedAtCommit: "deferrable initially deferred",
    tagIndex: sqliteTagIndex,
    letterIndex: sqliteTrigramIndex,
  },
  recordJson: (fields, table, now) => recordJson(fields, rowSql(sqliteDialect, table, now), WRITER),
  parameter: (n) => `?${n}`,
  list: (values) => JSON.stringify(values),
  valuesOf: (parameter, alias) => `json_each(${parameter}) ${alias}`,
  isOneOf: (name, kind, parameter) => {
    const condition = `${name} in (select value from json_each(${parameter}))`;
    // Without the hint, rows are rather read in the order of the list until enough of them match.
    return kind === "id" ? `unlikely(${condition})` : condition;
  },
  holding: sqliteContains,
  letterCandidates: (index, text, bind) => {
    const trigrams = trigramsOf(text);
    if (trigrams === null) return null;
    return { rows: sqliteTrigramCandidates(index, bind(trigrams)), areAll: "true" };
  },
  letterKey: "rowid",
  matches: (name, parameter) => `${name} like ${parameter}`,
  patternOf: (text) => `%${text}%`,
  hasAllTags: (name, parameter) =>
    `not exists (select 1 from json_each(${parameter}) wanted where wanted.value not in (select value from json_each(${name})))`,
  hasAnyTag: (name, parameter) =>
    `exists (select 1 from json_each(${name}) tag where tag.value in (select value from json_each(${parameter})))`,
  hasNoTags: (name) => `json_array_length(${name}) = 0`,
  startsWithOneOf: (name, parameter) =>
    `exists (select 1 from json_each(${parameter}) prefix where lower(substr(${name}, 1, length(prefix.value))) = lower(prefix.value))`,
  isCommon: (condition) => `likely(${condition})`,
  likely: (condition) => sql`likely(${condition})`,
  isRare: (condition) => `unlikely(${condition})`,
  isFrequent: (condition) => `likely(${condition})`,
  isAmong: (column, select) => `unlikely(${column} in (${select}))`,
  rowsFrom: (fields, json, beside = {}) => {
    const columns = Object.entries(fields).map(([name, kind]) => {
      const isJson = kind === "json" || kind === "tags";
      const value = isJson ? `nullif(value -> '$.${name}', 'null')` : `value ->> '$.${name}'`;
      return sql.raw(`${value} as ${quoteName(name)}`);
    });
    const documents = Object.entries(beside).map(
      ([name, array]) => sql`${array} -> key as ${sql.ref(name)}`,
    );
    return sql`(select ${sql.join([...columns, ...documents])} from json_each(${json}))`;
  },
  jsonAt: (name, ...path) => `(${name} -> '$.${path.join(".")}')`,
  textAt: (object, name) => `(${object} ->> '${name}')`,
  joined: (name) => `group_concat(${name}, ',')`,
  asBytes: (text) => `cast(${text} as blob)`,
  plansByValue: false,
  buildsBeforeSorting: true,
  // Large lists pass over numbers of rows.
  buildsPassedOver: false,
  locksRows: false,
  now: `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`,
  nowPlusSeconds: (seconds) =>
    sql`strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', ${seconds} || ' seconds')`,
  // Its own times end with milliseconds: the last digits stay as they are.
  plusSeconds: (time, seconds) =>
    sql`(strftime('%Y-%m-%dT%H:%M:%f', substr(${time}, 1, 23), ${seconds} || ' seconds') || substr(${time}, 24))`,
  secondsBetween: (from, to) => sql`(unixepoch(${to}, 'subsec') - unixepoch(${from}, 'subsec'))`,
  micros: (time) => `(unixepoch(substr(${time}, 1, 19)) * 1000000 + substr(${time}, 21, 6))`,
  greatest: (...expressions) => sql`max(${sql.join(expressions)})`,
  commitsInOrder: true,
  isRemote: false,
  builder: statementBuilder({ Adapter: SqliteAdapter, QueryCompiler: SqliteQueryCompiler }),
};
