// Conditions on a name or an id: one of some texts, or one that begins in a certain way.

import { eventSearchSql } from "@orchestrator/kernel/events";
import { arraySql, type Queries, recordText } from "@orchestrator/kernel/storage";
import { prefixRangesOf, type TextRange } from "./events-filter.rules.ts";

type Dialect = Queries["dialect"];
type List = readonly string[] | null | undefined;

/**
 * What a text must be: one of a list, or within one of some ranges; anything when both are null.
 */
export interface TextCondition {
  readonly list: readonly string[] | null;
  readonly ranges: readonly TextRange[] | null;
}

export interface Binding {
  readonly dialect: Dialect;
  readonly bind: (value: unknown) => string;
}

/** Where texts are found that begin in a certain way; there is an index for each. */
export type EventTextColumn = "events.event" | "events.resource_id" | "event_related.resource_id";

/** More texts than this are not looked up one by one. */
const MAX_FOUND = 200;

/**
 * A prefix becomes the list of the texts that begin with it, where they are few: so an index finds
 * their events of a time, however many there are of other times.
 */
export async function textConditionOf(
  queries: Queries,
  { list, prefixes }: { readonly list: List; readonly prefixes: List },
  sources: readonly EventTextColumn[],
): Promise<TextCondition> {
  const beginnings = prefixes ?? [];
  if (list && list.length > 0) {
    const begins = (text: string) => beginnings.some((prefix) => text.startsWith(prefix));
    return { list: beginnings.length === 0 ? list : list.filter(begins), ranges: null };
  }
  const ranges = beginnings.length === 0 ? null : prefixRangesOf(beginnings);
  if (ranges === null) return { list: null, ranges };
  const found = new Set<string>();
  for (const source of sources) {
    for (const text of await findTexts(queries, source, ranges)) found.add(text);
    if (found.size > MAX_FOUND) return { list: null, ranges };
  }
  return { list: [...found], ranges: null };
}

/** The texts within the ranges, from one to the next in the index; a few too many at most. */
async function findTexts(
  queries: Queries,
  source: EventTextColumn,
  ranges: readonly TextRange[],
): Promise<string[]> {
  const { dialect, workspaceId } = queries;
  const [table, column] = source.split(".");
  const values = [workspaceId, JSON.stringify(ranges), MAX_FOUND + 1];
  const least = (condition: string): string =>
    `(select min(t.${column}) from ${table} t where t.workspace_id = ${dialect.parameter(1)} and ${condition})`;
  const sql = `with recursive known (text, high) as (
      select ${least(`t.${column} >= range.low and t.${column} < range.high`)}, range.high
      from ${eventSearchSql(dialect).pairs(dialect.parameter(2), "range", ["low", "high"])}
      union all
      select ${least(`t.${column} > known.text and t.${column} < known.high`)}, known.high from known where known.text is not null
    ) ${arraySql(
      dialect,
      `select ${recordText(dialect, { fields: { text: "text" }, table: "known" })} as record from known where known.text is not null limit ${dialect.parameter(3)}`,
    )}`;
  const row = await queries.select<{ json: string }>({ sql, values });
  return (JSON.parse(row?.json ?? "[]") as { readonly text: string }[]).map(({ text }) => text);
}

export function textConditions(column: string, wanted: TextCondition, binding: Binding): string[] {
  if (wanted.list !== null) return [isOneOf(column, wanted.list, binding)];
  return wanted.ranges === null ? [] : [beginsWith(column, wanted.ranges, binding)];
}

export function isOneOf(
  column: string,
  list: readonly string[],
  { dialect, bind }: Binding,
): string {
  const [only, ...others] = list;
  if (only !== undefined && others.length === 0) return `${column} = ${bind(only)}`;
  return dialect.isOneOf(column, "text", bind(dialect.list(list)));
}

export function beginsWith(
  column: string,
  ranges: readonly TextRange[],
  { dialect, bind }: Binding,
): string {
  const rows = eventSearchSql(dialect).pairs(bind(JSON.stringify(ranges)), "range", [
    "low",
    "high",
  ]);
  return `exists (select 1 from ${rows} where ${column} >= range.low and ${column} < range.high)`;
}

export function isOneOfPairs(
  [id, role]: readonly [id: string, role: string],
  pairs: readonly (readonly [id: string, role: string])[],
  { dialect, bind }: Binding,
): string {
  const json = JSON.stringify(
    pairs.map(([wantedId, wantedRole]) => ({ id: wantedId, role: wantedRole })),
  );
  const rows = eventSearchSql(dialect).pairs(bind(json), "pair", ["id", "role"]);
  return `exists (select 1 from ${rows} where pair.id = ${id} and pair.role = ${role})`;
}
