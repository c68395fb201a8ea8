// A page of rows that hold some words, read from the stretches of time in which there may be such
// rows.

import type { Queries } from "../storage/database.ts";
import { findTextRanges, type TextRanges } from "../text-blocks/text-ranges.ts";
import { AFTER_ALL_TIMES, BEFORE_ALL_TIMES, type BlockRange } from "../text-blocks/text-source.ts";
import { parseTextSearch } from "../text-search/text-search.ts";
import { filtersRelated } from "./counters.ts";
import type { Filter, ListDefinition, Relations } from "./definition.ts";
import { directionOf } from "./tag-index.ts";

interface RangePageQuery {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter;
  readonly relations?: Relations;
  readonly gone?: (() => AbortSignal) | undefined;
  readonly sort: string;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Where the rows of a list may be; null where it asks for no words, for other conditions that find
 * its rows sooner, or in another order.
 */
export function searchedRanges(
  queries: Queries,
  list: ListDefinition,
  { filter, related = {}, relations = {}, gone, sort, limit, offset }: RangePageQuery,
): TextRanges | null {
  const { textBlocks, sorts } = list;
  if (textBlocks === undefined || filter == null || filter["operator"] === "or_") return null;
  const { source, attribute } = textBlocks;
  const { query } = (filter[attribute] ?? {}) as Filter;
  const direction = directionOf(sorts[sort] ?? [], source.time);
  const within = stretchOf(filter[source.time]);
  if (typeof query !== "string" || direction === null || within === null) return null;
  if (isNarrow(list, filter) || filtersRelated(relations, related)) return null;
  const search = parseTextSearch(query);
  const isAscending = direction === "asc";
  const rows = limit + offset;
  return findTextRanges(queries, { source, search, within, isAscending, rows, gone });
}

/** An index finds the few rows with a value. */
const isNarrow = ({ filter: attributes }: ListDefinition, filter: Filter): boolean =>
  Object.entries(attributes).some(
    ([name, attribute]) =>
      "isNarrow" in attribute && (filter[name] as Filter | null | undefined)?.["any_"] != null,
  );

function stretchOf(wanted: unknown): BlockRange | null {
  const { after_, before_, operator } = (wanted ?? {}) as Filter;
  if (operator === "or_") return null;
  const since = typeof after_ === "string" ? after_ : BEFORE_ALL_TIMES;
  return { since, until: typeof before_ === "string" ? before_ : AFTER_ALL_TIMES };
}

/** The same filter, of rows of one stretch. */
export const withinRange = (
  filter: Filter | null | undefined,
  time: string,
  { since, until }: BlockRange,
): Filter => ({ ...filter, [time]: { after_: since, before_: until } });

interface Wanted {
  readonly limit: number;
  readonly offset: number;
}

/** A part of a page: JSON arrays of rows, and how many they are. */
export interface RangePagePart<Json> {
  readonly json: Json;
  readonly rows: number;
}

interface StretchReader<Json> {
  /** How many rows there are in a stretch, as far as `most`. */
  readonly count: (stretch: BlockRange, most: number) => Promise<number>;
  readonly read: (stretch: BlockRange, wanted: Wanted) => Promise<RangePagePart<Json> | undefined>;
}

/** Reads stretch by stretch until the page is full. */
export async function readRanges<Json extends string | Uint8Array>(
  stretches: TextRanges,
  { limit, offset }: Wanted,
  { count, read }: StretchReader<Json>,
): Promise<Json | undefined> {
  const parts: Json[] = [];
  let [missing, passed] = [limit, offset];
  for await (const stretch of stretches.each()) {
    if (passed > 0) {
      const counted = await count(stretch, passed);
      if (counted < passed) {
        passed -= counted;
        continue;
      }
    }
    const part = await read(stretch, { limit: missing, offset: passed });
    passed = 0;
    if (part !== undefined && part.rows > 0) {
      parts.push(part.json);
      missing -= part.rows;
    }
    if (missing <= 0) break;
  }
  return joined(parts);
}

/** Several JSON arrays as one. */
function joined<Json extends string | Uint8Array>(parts: readonly Json[]): Json | undefined {
  const [first] = parts;
  if (parts.length <= 1 || first === undefined) return first;
  const texts = parts.filter((part) => typeof part === "string");
  if (texts.length > 0) return `[${texts.map((text) => text.slice(1, -1)).join(",")}]` as Json;
  const bytes = parts.flatMap((part) => [COMMA, (part as Uint8Array).subarray(1, -1)]);
  return Buffer.concat([OPEN, ...bytes.slice(1), CLOSE]) as Uint8Array as Json;
}

const [OPEN, COMMA, CLOSE] = ["[", ",", "]"].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];
