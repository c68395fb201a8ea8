import type { Queries } from "../storage/database.ts";
import type { Dialect } from "../storage/dialect.ts";
import { arraySql, recordText } from "../storage/record-sql.ts";
import type { Query } from "../storage/statement.ts";
import type { RequiredBits } from "./required-bits.ts";
import type { BlockRange, TextSource } from "./text-source.ts";

/** Each is one statement more to read what lies between; more are not worth it. */
const MOST_SKIPPED = 128;
/** To pass over fewer rows than those of so many blocks costs less than a statement more. */
const LEAST_BLOCKS = 2;

type Bind = (value: unknown) => string;

/** Condition: a bit of the column `marks` is set. */
const HAS_BIT: Readonly<Record<Dialect["name"], (bit: number, bind: Bind) => string>> = {
  // SQLite has no numbers of bytes, but finds a byte among those that have the bit.
  sqlite: (bit, bind) =>
    `instr(${bind(bytesWith(bit & 7))}, substr(marks, ${bind((bit >> 3) + 1)}, 1)) > 0`,
  postgres: (bit, bind) => `get_bit(marks, ${bind(bit)}) = 1`,
};

const byteLists: Uint8Array[] = [];

function bytesWith(bit: number): Uint8Array {
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  return (byteLists[bit] ??= Uint8Array.from(all.filter((byte) => (byte & (1 << bit)) !== 0)));
}

/** So that a search of other letters is the same statement. */
const BITS_PER_ALTERNATIVE = 8;

function mayHold(wanted: RequiredBits, hasBit: (bit: number) => string): string {
  const isMet = (bits: readonly number[]): string => {
    const padded = Array.from({ length: BITS_PER_ALTERNATIVE }, (_, n) => bits[n] ?? bits[0] ?? 0);
    return `(${padded.map(hasBit).join(" and ")})`;
  };
  return wanted.map((alternatives) => `(${alternatives.map(isMet).join(" or ")})`).join(" and ");
}

interface SkippedRangesQuery {
  readonly wanted: RequiredBits;
  readonly within: BlockRange;
  readonly gone?: Query["gone"];
}

/**
 * Where no row can hold what is wanted, in the order of time: behind `since`, up to and with
 * `until`. Blocks that a late row touches may hold anything, and so may all that is in no block.
 */
export async function findSkippedRanges(
  queries: Queries,
  { name, table }: TextSource,
  { wanted, within, gone }: SkippedRangesQuery,
): Promise<BlockRange[]> {
  const { dialect } = queries;
  const values: unknown[] = [queries.workspaceId, name];
  const bind: Bind = (value) => dialect.parameter(values.push(value));
  const [workspace, source] = [dialect.parameter(1), dialect.parameter(2)];
  const hasBit = HAS_BIT[dialect.name];
  const without = `select since, until from text_blocks
    where workspace_id = ${workspace} and source = ${source} and until >= ${bind(within.since)} and since < ${bind(within.until)}
      and not (${mayHold(wanted, (bit) => hasBit(bit, bind))})`;
  // A late row touches a block if, of the notes that begin up to its end, one ends behind its
  // beginning: the one that ends last tells. All in one order: to ask the notes for each block
  // would take seconds where thousands of late rows have come.
  const beside = `select since, until, max(late_until) over (order by at) as late_until from (
      select since, until, until as at, cast(null as text) as late_until from (${without}) without
      union all select null, null, since, until from late_texts where workspace_id = ${workspace} and source = ${source}) beside`;
  const skipped = `select since, until from (${beside}) known where until is not null and (late_until is null or late_until <= since)`;
  const begun = `select since, until, case when lag(until) over (order by until) = since then 0 else 1 end as begins from (${skipped}) skipped`;
  const numbered = `select since, until, sum(begins) over (order by until) as run from (${begun}) begun`;
  const runs = `select min(since) as since, max(until) as until, count(*) as blocks from (${numbered}) numbered group by run`;
  const record = recordText(dialect, { fields: { since: "text", until: "text" }, table: "runs" });
  const sql = arraySql(
    dialect,
    `select ${record} as record from (${runs}) runs where blocks >= ${LEAST_BLOCKS} order by blocks desc, since limit ${MOST_SKIPPED}`,
  );
  // As many blocks as there are of a large table are many bytes to go through.
  const row = await queries.select<{ json: string }>({ sql, values, sweeps: [table], gone });
  const found = JSON.parse(row?.json ?? "[]") as BlockRange[];
  return found.toSorted((a, b) => (a.since < b.since ? -1 : 1));
}
