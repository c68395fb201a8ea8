// A page far behind the first is found by counting off all rows before it. Where the rows of every stretch of time are counted as they come and go,
// the counting begins at a milestone: the stretch in which the page begins.

import type { Filter, ListDefinition, Milestones, Relations } from "./definition.ts";
import type { Bind } from "./operators.ts";
import { directionOf } from "./tag-index.ts";
import { asksOfRelated } from "./tallies.ts";

/** Up to here, counting costs less than looking for a milestone. */
export const FAR = 1000;
/** To add up a stretch costs as much as to count off so many rows. Where rows are few and far between, they are counted. */
const ROWS_PER_STRETCH = 16;

/** Behind the beginning of any time: where rows without one are counted, and the end of a stretch. */
const BEYOND = "~";

interface Asked {
  readonly filter?: Filter | null | undefined;
  readonly related?: Filter;
  readonly relations?: Relations;
  readonly sort: string;
  readonly offset: number;
}

/** What is asked of the time that the list is sorted by; both ends are inclusive. */
interface Range {
  readonly after: string | null;
  readonly before: string | null;
}

/** Where the counting may begin: in one of these stretches. */
export interface Milestone {
  readonly kept: Milestones;
  readonly direction: "asc" | "desc";
  readonly range: Range;
  readonly offset: number;
}

/** Null where the page is near, or only rows can tell where it begins. */
export function milestoneOf(
  { milestones: kept, sorts }: ListDefinition,
  { sort, offset, ...asked }: Asked,
): Milestone | null {
  if (kept === undefined || offset < FAR) return null;
  const direction = directionOf(sorts[sort] ?? [], kept.column);
  const range = rangeOf(kept, asked);
  return direction === null || range === null ? null : { kept, direction, range, offset };
}

/** Which of the rows that are selected are on a page, as SQL. */
interface Part {
  readonly limit: string;
  readonly offset: string;
}

/** The same from somewhere on: `preamble` begins the query, and `condition` is added to its others. */
interface PartFrom extends Part {
  readonly preamble: string;
  readonly condition: string;
}

export const fromTheFirst = (part: Part): PartFrom => ({ preamble: "", condition: "", ...part });

/** The milestone is found in the query itself, so that it is right when the rows are read. Where none is, neither is a row. */
export function rowsFrom(
  milestone: Milestone,
  { limit, offset }: Part,
  { table, bind, workspace }: { table: string; bind: Bind; workspace: string },
): PartFrom {
  const { kept, direction } = milestone;
  const near = nearEnd(milestone, bind);
  const counted = `from "${kept.table}" where workspace_id = ${workspace}`;
  const within = near.stretches.map((condition) => ` and ${condition}`).join("");
  const most = bind(Math.ceil(milestone.offset / ROWS_PER_STRETCH));
  const stretches = `select stretch, sum(${kept.count}) as rows ${counted}${within} group by stretch order by stretch ${direction} limit ${most}`;
  const sums = `select stretch, rows, sum(rows) over (order by stretch ${direction}) as through from (${stretches}) stretches`;
  const found = `select stretch, through - rows as passed from (${sums}) sums where through > ${offset} order by stretch ${direction} limit 1`;
  const outside =
    near.rows.length === 0
      ? ""
      : ` + (select count(*) from ${table} where workspace_id = ${workspace} and ${near.rows.join(" and ")})`;
  // Rows without a time come last, and no stretch leads on to them.
  const isCut =
    direction === "asc" && near.includesTimeless
      ? `exists (select 1 ${counted} and stretch = '${BEYOND}')`
      : `stretch = '${BEYOND}'`;
  const [isAhead, edge] = direction === "asc" ? [">=", "stretch"] : ["<", `stretch || '${BEYOND}'`];
  return {
    preamble: `with milestone as materialized (select ${edge} as edge, ${offset} - passed${outside} as rest from (${found}) found where not ${isCut}) `,
    condition: ` and ${table}."${kept.column}" ${isAhead} (select edge from milestone)`,
    limit: `coalesce((select cast(${limit} as bigint) from milestone), 0)`,
    offset: `coalesce((select cast(rest as bigint) from milestone), 0)`,
  };
}

/** How the list begins: in which stretches, and which rows of the first one are not in the list. */
function nearEnd(
  { kept, range, direction }: Milestone,
  bind: Bind,
): {
  readonly stretches: string[];
  readonly rows: string[];
  readonly includesTimeless: boolean;
} {
  const includesTimeless = range.after === null && range.before === null;
  const timed = includesTimeless ? [] : [`stretch < '${BEYOND}'`];
  const bound = direction === "asc" ? range.after : range.before;
  if (bound === null) return { stretches: timed, rows: [], includesTimeless };
  const stretch = bound.slice(0, kept.length);
  const column = `"${kept.column}"`;
  const [from, outside] =
    direction === "asc"
      ? [
          `stretch >= ${bind(stretch)}`,
          [`${column} >= ${bind(stretch)}`, `${column} < ${bind(bound)}`],
        ]
      : [
          `stretch <= ${bind(stretch)}`,
          [`${column} > ${bind(bound)}`, `${column} < ${bind(stretch + BEYOND)}`],
        ];
  return { stretches: [...timed, from], rows: outside, includesTimeless };
}

/** The range of times that is asked for; null where anything else is. */
function rangeOf(
  { column }: Milestones,
  { filter, related = {}, relations = {} }: Omit<Asked, "sort" | "offset">,
): Range | null {
  if (asksOfRelated(relations, related)) return null;
  const { [column]: wanted, operator: _, ...others } = filter ?? {};
  if (Object.values(others).some((other) => other != null)) return null;
  const { after_, before_, operator, ...more } = (wanted ?? {}) as Filter;
  if (operator === "or_" || Object.values(more).some((other) => other != null)) return null;
  return { after: textOf(after_), before: textOf(before_) };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
