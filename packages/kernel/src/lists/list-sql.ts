import type { Dialect } from "../storage/dialect.ts";
import { recordText } from "../storage/record-sql.ts";
import type { ListDefinition, OrderTerm } from "./definition.ts";

/** The values that every list query begins with, in this order. */
export const WORKSPACE_PARAMETER = 1;
const NOW_PARAMETER = 2;

/** What no request changes in the SQL of a list: put together once for each engine. */
export interface ListSql {
  /** A record as JSON. */
  readonly record: string;
  /** Whether a field depends on the moment of the request. */
  readonly usesNow: boolean;
  /** Sort key → its order clause. */
  readonly orders: ReadonlyMap<string, string>;
}

const known = new WeakMap<ListDefinition, Map<Dialect, ListSql>>();

export function listSql(list: ListDefinition, dialect: Dialect): ListSql {
  const byDialect = known.get(list) ?? new Map<Dialect, ListSql>();
  known.set(list, byDialect);
  const rendered = byDialect.get(dialect) ?? render(list, dialect);
  byDialect.set(dialect, rendered);
  return rendered;
}

function render(list: ListDefinition, dialect: Dialect): ListSql {
  const now = dialect.parameter(NOW_PARAMETER);
  const record = recordText(dialect, { fields: list.fields, table: list.table, now });
  const orders = Object.keys(list.sorts).map((sort) => [sort, orderBy(list, sort)] as const);
  return { record, usesNow: record.includes(now), orders: new Map(orders) };
}

/**
 * Rows that compare as equal follow their ids in the direction of the list, so that one index
 * serves both ways.
 */
function orderBy({ table, sorts }: ListDefinition, sort: string): string {
  const terms = sorts[sort] ?? [];
  const hasId = terms.some((term) => term.startsWith("id "));
  const last = terms.at(-1)?.endsWith(" desc") ? "desc" : "asc";
  const order: readonly OrderTerm[] = hasId ? terms : [...terms, `id ${last}`];
  return order.map((term) => orderTerm(table, term)).join(", ");
}

function orderTerm(table: string, term: OrderTerm): string {
  const [column, direction] = term.split(" ");
  if (column === "id") return `"${table}"."id" ${direction}`;
  // Said out loud, because the engines differ on it: what has no value counts as the greatest.
  return `"${table}"."${column}" ${direction} nulls ${direction === "asc" ? "last" : "first"}`;
}
