import type { Dialect } from "../storage/dialect.ts";
import type { ListDefinition } from "./definition.ts";

/** What no request changes in the SQL of a list: put together once for each engine. */
export interface ListSql {
  /** Selects the records as JSON, up to where the conditions follow. */
  readonly select: string;
  /** Sort key → its order clause. */
  readonly orders: ReadonlyMap<string, string>;
  /** Makes one JSON array of the page that `rows` selects. */
  readonly asArray: (rows: string) => string;
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
  const record = dialect.recordJson(list.fields, list.table);
  const orders = Object.keys(list.sorts).map((sort) => [sort, orderBy(list, sort)] as const);
  const array = `select coalesce('[' || ${dialect.joined("record")} || ']', '[]') as json from`;
  return {
    select: `select ${record} as record from "${list.table}" where`,
    orders: new Map(orders),
    asArray: (rows) => `${array} (${rows}) page`,
  };
}

function orderBy({ table, sorts }: ListDefinition, sort: string): string {
  const columns = (sorts[sort] ?? []).map((term) => {
    const [column, direction] = term.split(" ");
    // Said out loud, because the engines differ on it: what has no value counts as the greatest.
    return `"${table}"."${column}" ${direction} nulls ${direction === "asc" ? "last" : "first"}`;
  });
  return [...columns, `"${table}"."id" asc`].join(", ");
}
