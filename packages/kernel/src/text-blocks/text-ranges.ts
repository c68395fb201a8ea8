// A search for rare words reads only the stretches of time in which the marks of blocks leave it
// possible that a row holds them. It glances at the first rows of the list before: where those fill
// the page, as they do for words that many rows hold, no marks are read.

import type { Queries } from "../storage/database.ts";
import type { Query } from "../storage/statement.ts";
import type { TextSearch } from "../text-search/text-search.ts";
import { type RequiredBits, requiredBits } from "./required-bits.ts";
import { findSkippedRanges } from "./skipped-ranges.ts";
import { BEFORE_ALL_TIMES, type BlockRange, behind, type TextSource } from "./text-source.ts";

/**
 * How many rows are glanced at: some for each that is wanted, and one of few numbers, as each is a
 * statement of its own.
 */
const GLANCES = [500, 2000, 5000];
const GLANCE_FOR_EACH = 10;

export interface SearchedList {
  readonly source: TextSource;
  readonly search: TextSearch;
  /** The times that are asked for. */
  readonly within: BlockRange;
  readonly isAscending: boolean;
  /** How many rows are wanted, the first of the list; null for all of them. */
  readonly rows: number | null;
  readonly gone?: Query["gone"];
}

/**
 * The stretches to be read, in the order of the list, found as they are asked for; whoever reads
 * them again gets the same.
 */
export interface TextRanges {
  readonly each: () => AsyncIterable<BlockRange>;
}

/** Null where marks say nothing of what is searched for. */
export function findTextRanges(queries: Queries, list: SearchedList): TextRanges | null {
  const wanted = requiredBits(list.search, list.source);
  if (wanted === null) return null;
  const found: BlockRange[] = [];
  const finding = stretchesOf(queries, list, wanted);
  return {
    async *each() {
      for (let at = 0; ; at += 1) {
        if (at === found.length) {
          const next = await finding.next();
          if (next.done) return;
          found.push(next.value);
        }
        yield found[at] as BlockRange;
      }
    },
  };
}

async function* stretchesOf(
  queries: Queries,
  { source, within, isAscending, rows, gone }: SearchedList,
  wanted: RequiredBits,
): AsyncGenerator<BlockRange> {
  const { since, until } = within;
  let rest = within;
  if (rows !== null) {
    const end = await timeOfRow(queries, source, { within, isAscending, rows });
    if (end === null) {
      yield within;
      return;
    }
    // Rows of one moment are read together.
    yield isAscending ? { since, until: end } : { since: behind(end), until };
    rest = isAscending ? { since: behind(end), until } : { since, until: end };
  }
  const skipped = await findSkippedRanges(queries, source, { wanted, within: rest, gone });
  const left = stretchesBetween(skipped, rest);
  yield* isAscending ? left : left.toReversed();
}

/** What is left of a stretch, in the order of time. */
function stretchesBetween(
  skipped: readonly BlockRange[],
  { since, until }: BlockRange,
): BlockRange[] {
  const left: BlockRange[] = [];
  let from = since;
  for (const { since: start, until: end } of skipped) {
    if (start !== BEFORE_ALL_TIMES && start >= from) left.push({ since: from, until: start });
    from = behind(end);
  }
  if (from <= until) left.push({ since: from, until });
  return left;
}

/** The time of the first row that is not glanced at; null where there is none. */
async function timeOfRow(
  queries: Queries,
  { table, time }: TextSource,
  { within, isAscending, rows }: Pick<SearchedList, "within" | "isAscending"> & { rows: number },
): Promise<string | null> {
  const { dialect, workspaceId } = queries;
  const [workspace, since, until] = [1, 2, 3].map(dialect.parameter);
  const glance = GLANCES.find((most) => most >= rows * GLANCE_FOR_EACH) ?? GLANCES.at(-1);
  const sql = `select "${time}" as at from "${table}" where workspace_id = ${workspace} and "${time}" >= ${since} and "${time}" <= ${until}
    order by "${time}" ${isAscending ? "asc" : "desc"} limit 1 offset ${glance}`;
  const values = [workspaceId, within.since, within.until];
  return (await queries.select<{ at: string }>({ sql, values }))?.at ?? null;
}
