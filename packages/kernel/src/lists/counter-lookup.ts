// Where few rows have the values that are asked for, they are better looked up than waited for in
// the order of the list. The engine inside this process keeps count of some tables by what is
// mostly asked: it is asked first.

import type { Queries } from "../storage/database.ts";
import { type ConditionContext, filterCondition } from "./conditions.ts";
import { covers } from "./counters.ts";
import type { Attributes, Filter, Filterable, RowCounter } from "./definition.ts";
import { WORKSPACE_PARAMETER } from "./list-sql.ts";

/** Of more rows than these a page is full sooner when they are read in the order of the list. */
const MANY_ROWS = 20_000;

/** Few rows are counted together with those that a filter asks for. */
export interface Few {
  readonly tally: RowCounter;
  /** What it asks of what is counted. */
  readonly asked: Filter;
}

/** Null where there may be many, or only the rows themselves can tell. */
export async function findFew(
  queries: Queries,
  { tally }: Filterable,
  filter: Filter | null | undefined,
): Promise<Few | null> {
  const asked = tally === undefined ? null : askedOf(tally, filter ?? {});
  if (tally === undefined || asked === null || queries.dialect.isRemote) return null;
  const { dialect, workspaceId } = queries;
  const values: unknown[] = [workspaceId];
  const few = { tally, asked };
  const context: ConditionContext = {
    dialect,
    bind: (value) => dialect.parameter(values.push(value)),
    workspace: dialect.parameter(WORKSPACE_PARAMETER),
    tagLookups: new Map(),
    letterLookups: new Map(),
    valueLookups: new Map(),
  };
  // Whatever is asked of it, it may not restrict anything.
  if (filterCondition(tally.filter, { filter: asked, alias: tally.table }, context) === null)
    return null;
  values.length = 1;
  const kinds = kindsOf(few, context);
  const sql = `select coalesce(sum(${tally.count}), 0) as rows from "${tally.table}" where workspace_id = ${context.workspace} and ${tally.isWhole} and ${tally.found} in (${kinds})`;
  const counted = await queries.select<{ rows: number }>({ sql, values });
  return counted !== undefined && counted.rows <= MANY_ROWS ? few : null;
}

/**
 * Condition: the row is one of those, as they are when the list is read and not when they were
 * counted.
 */
export function isAmongFew(few: Few, alias: string, context: ConditionContext): string {
  const { dialect } = context;
  const { tally, asked } = few;
  const own = hasAlternatives(asked)
    ? null
    : filterCondition(finding(tally.filter, tally.found), { filter: asked, alias }, context);
  // Said of the row itself where it can be, an index may hand the rows out in the order of the
  // list.
  if (own !== null) return dialect.isRare(own);
  return dialect.isAmong(`"${alias}"."${tally.found}"`, kindsOf(few, context));
}

/** The attributes that stand in one column. */
function finding(attributes: Attributes, column: string): Attributes {
  const kept: Record<string, Attributes[string]> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    if ("group" in attribute) kept[name] = { group: finding(attribute.group, column) };
    else if (attribute.column === column) kept[name] = attribute;
  }
  return kept;
}

const hasAlternatives = (filter: Filter): boolean =>
  Object.values(filter).some(
    (value) =>
      value === "or_" ||
      (typeof value === "object" && value !== null && hasAlternatives(value as Filter)),
  );

/** The values of the column that finds rows, where any are counted that the filter asks for. */
function kindsOf({ tally, asked }: Few, context: ConditionContext): string {
  const alias = "counted";
  const condition = filterCondition(tally.filter, { filter: asked, alias }, context);
  return `select ${tally.found} from "${tally.table}" counted where workspace_id = ${context.workspace} and ${tally.isWhole} and ${condition}`;
}

/**
 * What a filter asks of what is counted; null where it asks nothing of it, or more than the count
 * can tell.
 */
function askedOf({ filter: attributes }: RowCounter, filter: Filter): Filter | null {
  if (filter["operator"] === "or_") return null;
  const names = Object.keys(attributes).filter((name) => filter[name] != null);
  const asked = Object.fromEntries(names.map((name) => [name, filter[name]]));
  return names.length > 0 && covers(attributes, asked) ? asked : null;
}
