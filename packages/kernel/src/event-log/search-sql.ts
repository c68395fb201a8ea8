// What a query looks for inside the JSON of events, in the words of each engine. The row of the
// event is called `e`.

import type { Dialect } from "../storage/dialect.ts";
import { type TextSearch, termInJson, textSearchCondition } from "../text-search/text-search.ts";
import { RESOURCE_PREFIXES } from "./resource-labels.ts";

/** Condition: a text is as wanted. */
type IsMet = (text: string) => string;

export interface EventSearchSql {
  /** The labels of the resource that the event is about, as a JSON object. */
  readonly resource: string;
  /** One of those labels, by its name without the prefix. */
  readonly resourceLabel: (name: string) => string;
  /** The related resources as rows called `item`; their labels are `item.value`. */
  readonly related: string;
  /** A label of the row `item`, by its name without the prefix. */
  readonly relatedLabel: (name: string) => string;
  /** A JSON array of objects with two texts each, one parameter, as rows. */
  readonly pairs: (parameter: string, alias: string, names: readonly [string, string]) => string;
  /** A pattern with `*` and `?` as the engine writes it. */
  readonly pattern: (pattern: string) => string;
  /**
   * Condition: the labels are as wanted, `{"<name>": {"is": [patterns], "not": [patterns]}}`.
   * Patterns that have to be looked for in every place of a value are under `search` with the same
   * two lists, and are not asked of values longer than `longest`, which are neither one nor the
   * other.
   */
  readonly hasLabels: (labels: string, parameter: string) => string;
  /** All of the event as one text, JSON. */
  readonly body: string;
  /** Condition: a label meets the given one, or the payload, which is JSON, the other. */
  readonly someValue: (holds: IsMet, isInJson: IsMet) => string;
}

const eitherPrefix = (name: string, read: (key: string) => string): string =>
  `coalesce(${RESOURCE_PREFIXES.map((prefix) => read(`${prefix}.${name}`)).join(", ")})`;

const sqlite: EventSearchSql = {
  resource: "(e.body -> '$.resource')",
  resourceLabel: (name) => eitherPrefix(name, (key) => `e.body ->> '$.resource."${key}"'`),
  related: "json_each(e.body, '$.related') item",
  relatedLabel: (name) => eitherPrefix(name, (key) => `item.value ->> '$."${key}"'`),
  pairs: (parameter, alias, [first, second]) =>
    `(select value ->> '$.${first}' as "${first}", value ->> '$.${second}' as "${second}" from json_each(${parameter})) ${alias}`,
  pattern: (pattern) => pattern.replaceAll("[", "[[]"),
  hasLabels: (labels, parameter) =>
    `not exists (select 1 from json_each(${parameter}) wanted where not exists (
      select 1 from json_each(${labels}) label where label.key = wanted.key and (
        exists (select 1 from json_each(wanted.value, '$.is') pattern where label.value glob pattern.value)
        or exists (select 1 from json_each(wanted.value, '$.not') pattern where label.value not glob pattern.value)
        or (length(label.value) <= (wanted.value ->> '$.longest') and (
          exists (select 1 from json_each(wanted.value, '$.search.is') pattern where label.value glob pattern.value)
          or exists (select 1 from json_each(wanted.value, '$.search.not') pattern where label.value not glob pattern.value))))))`,
  body: "e.body",
  someValue: (holds, isInJson) =>
    `(${isInJson("(e.body -> '$.payload')")}
      or exists (select 1 from json_each(e.body, '$.resource') label where ${holds("label.value")})
      or exists (select 1 from json_each(e.body, '$.related') item, json_each(item.value) label where ${holds("label.value")}))`,
};

const postgres: EventSearchSql = {
  resource: "(e.body -> 'resource')",
  resourceLabel: (name) => eitherPrefix(name, (key) => `e.body -> 'resource' ->> '${key}'`),
  related: "json_array_elements(e.body -> 'related') item (value)",
  relatedLabel: (name) => eitherPrefix(name, (key) => `item.value ->> '${key}'`),
  pairs: (parameter, alias, [first, second]) =>
    `json_to_recordset(${parameter}::json) as ${alias} ("${first}" text collate "C", "${second}" text collate "C")`,
  pattern: (pattern) =>
    pattern
      .replaceAll(/[\\%_]/g, "\\$&")
      .replaceAll("*", "%")
      .replaceAll("?", "_"),
  hasLabels: (labels, parameter) =>
    `not exists (select 1 from json_each(${parameter}::json) wanted where not (
      exists (select 1 from json_array_elements_text(wanted.value -> 'is') pattern (value) where (${labels} ->> wanted.key) like pattern.value)
      or exists (select 1 from json_array_elements_text(wanted.value -> 'not') pattern (value) where (${labels} ->> wanted.key) not like pattern.value)
      or (length(${labels} ->> wanted.key) <= (wanted.value ->> 'longest')::integer and (
        exists (select 1 from json_array_elements_text(wanted.value -> 'search' -> 'is') pattern (value) where (${labels} ->> wanted.key) like pattern.value)
        or exists (select 1 from json_array_elements_text(wanted.value -> 'search' -> 'not') pattern (value) where (${labels} ->> wanted.key) not like pattern.value)))))`,
  body: "e.body::text",
  someValue: (holds, isInJson) =>
    `(${isInJson("(e.body -> 'payload')::text")}
      or exists (select 1 from json_each_text(e.body -> 'resource') label where ${holds("label.value")})
      or exists (select 1 from json_array_elements(e.body -> 'related') item (value), json_each_text(item.value) label where ${holds("label.value")}))`,
};

const ENGINES: Readonly<Record<Dialect["name"], EventSearchSql>> = { sqlite, postgres };

export function eventSearchSql({ name }: Dialect): EventSearchSql {
  return ENGINES[name];
}

/**
 * The condition that the texts of an event are as a search asks, or null when it asks for nothing.
 */
export function textCondition(
  dialect: Dialect,
  search: TextSearch,
  bind: (value: unknown) => string,
): string | null {
  const { body, someValue } = eventSearchSql(dialect);
  return textSearchCondition(search, (term) => {
    const holds = dialect.holding(term, bind);
    const escaped = termInJson(term);
    const isEscaped = escaped === term ? null : dialect.holding(escaped, bind);
    const isInJson: IsMet = (json) =>
      isEscaped === null ? holds(json) : `(${holds(json)} or ${isEscaped(json)})`;
    const isInValue = someValue(holds, isInJson);
    // To take the values out of JSON costs ten times as much as to see that the term is nowhere in
    // it.
    const isThere = LOOKS_THE_SAME.test(term) ? `(${holds(body)} and ${isInValue})` : isInValue;
    // The id of the resource is the value of one of its labels.
    return `(${holds("e.event")} or ${holds("e.resource_id")} or ${isThere})`;
  });
}

/**
 * A term that stands in the JSON of an event as it does in its values: such as is never escaped by
 * whoever writes events, which is us. Nor is it put together by an engine that leaves out the
 * spaces between values.
 */
const LOOKS_THE_SAME = /^[^\p{Cc}\p{Cs}"\\,:{}[\]]+$/u;
