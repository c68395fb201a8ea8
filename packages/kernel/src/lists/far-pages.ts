// A page far behind the first is found by counting off all rows before it. Where an engine inside this process keeps count of the
// rows of every stretch of time, the counting begins at a milestone: the stretch in which the page begins.

import type { Queries } from "../storage/database.ts";
import type { Filter, ListDefinition, Milestones, Relations } from "./definition.ts";
import { WORKSPACE_PARAMETER } from "./list-sql.ts";
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

/** Where the counting may begin. */
export interface Milestone {
  readonly kept: Milestones;
  readonly stretch: string;
  readonly direction: "asc" | "desc";
  readonly range: Range;
}

/**
 * The stretch in which a page begins, as of now; null where the page is near, or only rows can tell. It need not be right by the
 * time the page is read: that counts anew what is before it.
 */
export async function findMilestone(
  queries: Queries,
  list: ListDefinition,
  { sort, offset, ...asked }: Asked,
): Promise<Milestone | null> {
  const { milestones: kept, sorts } = list;
  if (kept === undefined || offset < FAR || queries.dialect.isRemote) return null;
  const direction = directionOf(sorts[sort] ?? [], kept.column);
  const range = rangeOf(kept, asked);
  if (direction === null || range === null) return null;
  const { values, bind, workspace } = valuesOf(queries);
  const near = nearEnd({ kept, range, direction }, bind);
  const within = [`workspace_id = ${workspace}`, ...near.stretches].join(" and ");
  const most = Math.ceil(offset / ROWS_PER_STRETCH);
  const stretches = `select stretch, ${kept.count} as rows from "${kept.table}" where ${within} order by stretch ${direction} limit ${bind(most)}`;
  const sums = `select stretch, sum(rows) over (order by stretch ${direction}) as passed from (${stretches})`;
  const sql = `select stretch from (${sums}) where passed > ${bind(offset)} limit 1`;
  const found = await queries.select<{ stretch: string }>({ sql, values });
  if (found === undefined || found.stretch === BEYOND || found.stretch === near.stretch)
    return null;
  return { kept, stretch: found.stretch, direction, range };
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

/** What is still to be passed over is counted in the query itself. If the milestone is behind the page by now, it finds nothing. */
export function rowsFrom(
  milestone: Milestone,
  { limit, offset }: Part,
  { table, bind, workspace }: { table: string; bind: Bind; workspace: string },
): PartFrom {
  const { kept, stretch, direction } = milestone;
  const near = nearEnd(milestone, bind);
  const [isPassed, edge, isAhead] =
    direction === "asc" ? ["<", stretch, ">="] : [">", stretch + BEYOND, "<"];
  const stretches = `from "${kept.table}" where workspace_id = ${workspace}`;
  const passed = `select coalesce(sum(${kept.count}), 0) ${stretches} and ${[`stretch ${isPassed} ${bind(stretch)}`, ...near.stretches].join(" and ")}`;
  const outside =
    near.rows.length === 0
      ? ""
      : ` + (select count(*) from ${table} where workspace_id = ${workspace} and ${near.rows.join(" and ")})`;
  // Rows without a time come last, and no stretch leads on to them.
  const mayEndBeyond = direction === "asc" && near.includesTimeless;
  const isCut = mayEndBeyond ? `exists (select 1 ${stretches} and stretch = '${BEYOND}')` : "0";
  return {
    preamble: `with milestone as materialized (select ${offset} - (${passed})${outside} as rest, ${isCut} as is_cut) `,
    condition: ` and ${table}."${kept.column}" ${isAhead} ${bind(edge)}`,
    limit: `(select case when rest < 0 or is_cut then 0 else ${limit} end from milestone)`,
    offset: `(select max(rest, 0) from milestone)`,
  };
}

/** How the list begins: in which stretches, in the middle of which one, and which rows of that one are not in the list. */
function nearEnd(
  { kept, range, direction }: Omit<Milestone, "stretch">,
  bind: Bind,
): {
  readonly stretches: string[];
  readonly stretch: string | null;
  readonly rows: string[];
  readonly includesTimeless: boolean;
} {
  const includesTimeless = range.after === null && range.before === null;
  const timed = includesTimeless ? [] : [`stretch < '${BEYOND}'`];
  const bound = direction === "asc" ? range.after : range.before;
  if (bound === null) return { stretches: timed, stretch: null, rows: [], includesTimeless };
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
  return { stretches: [...timed, from], stretch, rows: outside, includesTimeless };
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

function valuesOf({ workspaceId, dialect }: Queries) {
  const values: unknown[] = [workspaceId];
  return {
    values,
    bind: (value: unknown): string => dialect.parameter(values.push(value)),
    workspace: dialect.parameter(WORKSPACE_PARAMETER),
  };
}
