// What a query looks for inside the JSON of events, in the words of each engine. The row of the event is called `e`.

import { type TextSearch, termInJson, textSearchCondition } from "../lists/text-search.ts";
import type { Dialect } from "../storage/dialect.ts";
import { RESOURCE_PREFIXES } from "./resource-labels.ts";

interface Occurs {
  readonly pattern: (term: string) => string;
  readonly condition: (text: string, parameter: string) => string;
}

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
   * Condition: the labels are as wanted, `{"<name>": {"is": [patterns], "not": [patterns]}}`. Patterns that have to be
   * looked for in every place of a value are under `search` with the same two lists, and are not asked of values
   * longer than `longest`, which are neither one nor the other.
   */
  readonly hasLabels: (labels: string, parameter: string) => string;
  /** Condition: one of the texts of an event meets the given one, or its payload, which is JSON, the other. */
  readonly someText: (
    holds: (text: string) => string,
    isInJson: (json: string) => string,
  ) => string;
  /** How terms are found whose letters the engine does not know in both cases; null where it knows all of them. */
  readonly occurs: Occurs | null;
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
  someText: (holds, isInJson) =>
    `(${holds("e.event")} or ${isInJson("(e.body -> '$.payload')")}
      or exists (select 1 from json_each(e.body, '$.resource') label where ${holds("label.value")})
      or exists (select 1 from json_each(e.body, '$.related') item, json_each(item.value) label where ${holds("label.value")}))`,
  occurs: {
    pattern: eitherCase,
    condition: (text, parameter) => `${text} glob ${parameter}`,
  },
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
  someText: (holds, isInJson) =>
    `(${holds("e.event")} or ${isInJson("(e.body -> 'payload')::text")}
      or exists (select 1 from json_each_text(e.body -> 'resource') label where ${holds("label.value")})
      or exists (select 1 from json_array_elements(e.body -> 'related') item (value), json_each_text(item.value) label where ${holds("label.value")}))`,
  occurs: null,
};

const ENGINES: Readonly<Record<Dialect["name"], EventSearchSql>> = { sqlite, postgres };

export function eventSearchSql({ name }: Dialect): EventSearchSql {
  return ENGINES[name];
}

/** The condition that the texts of an event are as a search asks, or null when it asks for nothing. */
export function textCondition(
  dialect: Dialect,
  search: TextSearch,
  bind: (value: unknown) => string,
): string | null {
  const { someText, occurs } = eventSearchSql(dialect);
  const holding = (term: string): ((text: string) => string) => {
    if (occurs !== null && !IS_ASCII.test(term)) {
      const parameter = bind(occurs.pattern(term));
      return (text) => occurs.condition(text, parameter);
    }
    const parameter = bind(dialect.contained(term));
    return (text) => dialect.contains(text, parameter);
  };
  return textSearchCondition(search, (term) => {
    const holds = holding(term);
    const escaped = termInJson(term);
    if (escaped === term) return someText(holds, holds);
    const isEscaped = holding(escaped);
    return someText(holds, (json) => `(${holds(json)} or ${isEscaped(json)})`);
  });
}

const IS_ASCII = /^\p{ASCII}*$/u;

/** A pattern for GLOB in which every letter stands for itself in both cases. */
function eitherCase(term: string): string {
  const characters = Array.from(term, (character) => {
    const forms = [character, character.toLowerCase(), character.toUpperCase()];
    const single = new Set(forms.filter((form) => Array.from(form).length === 1));
    if (single.size > 1) return `[${[...single].join("")}]`;
    return /[*?[]/.test(character) ? `[${character}]` : character;
  });
  return `*${characters.join("")}*`;
}
