// A page far behind the first is found by counting off all rows before it. Where the rows of every stretch of time are counted as they come and go,
// the counting begins at a milestone: the stretch in which the page begins.

import type { Dialect } from "../storage/dialect.ts";
import type { Filter, ListDefinition, Milestones, Relations } from "./definition.ts";
import type { Bind } from "./operators.ts";
import { directionOf } from "./tag-index.ts";
import { asksOfRelated } from "./tallies.ts";

/** Up to here, counting costs less than looking for a milestone. */
export const FAR = 1000;
/** To add up a stretch costs as much as to count off so many rows. Where rows are few and far between, they are counted. */
const ROWS_PER_STRETCH = { sqlite: 16, postgres: 64 };

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

interface From {
  readonly table: string;
  readonly bind: Bind;
  readonly workspace: string;
  readonly dialect: Dialect;
}

/** The milestone is found in the query itself, so that it is right when the rows are read. Where none is, neither is a row. */
export function rowsFrom(milestone: Milestone, { limit, offset }: Part, from: From): PartFrom {
  const { kept, direction } = milestone;
  const { table, bind, workspace, dialect } = from;
  const near = nearEnd(milestone, bind);
  const within = near.stretches.map((condition) => ` and ${condition}`).join("");
  const isOwn = `where workspace_id = ${workspace}`;
  const most = bind(Math.ceil(milestone.offset / ROWS_PER_STRETCH[dialect.name]));
  // What is kept is read in its order up to the page, however much more there is.
  const stretches = `select stretch, sum(${kept.count}) as rows from "${kept.table}" ${isOwn}${within} group by stretch order by stretch ${direction} limit ${most}`;
  const sums = `select stretch, rows, sum(rows) over (order by stretch ${direction}) as through from (${stretches}) stretches`;
  const noted = dialect.isRemote
    ? `noted as materialized (select stretch, sum(${kept.count}) as rows from "${kept.noted}" ${isOwn}${within} group by stretch), `
    : "";
  const [isAhead, isPassed, edge] =
    direction === "asc" ? [">=", "<", "stretch"] : ["<", ">", `stretch || '${BEYOND}'`];
  const noting = (isCounted: string): string =>
    dialect.isRemote
      ? ` + coalesce((select sum(noted.rows) from noted where noted.stretch ${isCounted} sums.stretch), 0)`
      : "";
  const found = `select stretch, through - rows${noting(isPassed)} as passed from (${sums}) sums where through${noting(`${isPassed}=`)} > ${offset} order by stretch ${direction} limit 1`;
  // From the first stretch on, the rows of it that are not in the list are not passed over: the query leaves them out.
  const outside =
    near.rows.length === 0
      ? ""
      : ` + case when passed = 0 then 0 else (select count(*) from ${table} ${isOwn} and ${near.rows.join(" and ")}) end`;
  // Rows without a time come last, and no stretch leads on to them.
  const isCut =
    direction === "asc" && near.includesTimeless
      ? [kept.table, ...(dialect.isRemote ? [kept.noted] : [])]
          .map((one) => `exists (select 1 from "${one}" ${isOwn} and stretch = '${BEYOND}')`)
          .join(" or ")
      : `stretch = '${BEYOND}'`;
  const begun = `select ${edge} as edge, ${offset} - passed${outside} as rest from (${found}) found where not (${isCut})`;
  return {
    // Less than nothing is left where the page begins in a stretch of which all is only noted.
    preamble: `with ${noted}begun as materialized (${begun}), milestone as materialized (select * from begun where rest >= 0) `,
    condition: ` and ${table}."${kept.column}" ${isAhead} (select edge from milestone)`,
    limit: `coalesce((select cast(${limit} as bigint) from milestone), 0)`,
    offset: `coalesce((select cast(rest as bigint) from milestone), 0)`,
  };
}

/** In which stretches the list is, and which rows of the one that it begins in the middle of are not in it. */
function nearEnd(
  { kept, range, direction }: Milestone,
  bind: Bind,
): {
  readonly stretches: string[];
  readonly rows: string[];
  readonly includesTimeless: boolean;
} {
  const { after, before } = range;
  const includesTimeless = after === null && before === null;
  const stretchOf = (time: string): string => bind(time.slice(0, kept.length));
  const stretches = includesTimeless ? [] : [`stretch < '${BEYOND}'`];
  if (after !== null) stretches.push(`stretch >= ${stretchOf(after)}`);
  if (before !== null) stretches.push(`stretch <= ${stretchOf(before)}`);
  const column = `"${kept.column}"`;
  const bound = direction === "asc" ? after : before;
  if (bound === null) return { stretches, rows: [], includesTimeless };
  const rows =
    direction === "asc"
      ? [`${column} >= ${stretchOf(bound)}`, `${column} < ${bind(bound)}`]
      : [`${column} > ${bind(bound)}`, `${column} < ${bind(bound.slice(0, kept.length) + BEYOND)}`];
  return { stretches, rows, includesTimeless };
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
