import { type ListDefinition, listJson } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Queries, RowSql } from "@orchestrator/kernel/storage";

/** What the rows of one answer may hold together. */
export const MAX_PAGE_BYTES = 32_000_000;

/** The same list, of how many bytes each row holds in the given columns. */
export function sizesOf(
  list: ListDefinition,
  columns: Readonly<Record<string, "text" | "json">>,
): ListDefinition {
  const expression = ({ dialect: { types }, text }: RowSql) => {
    const sizes = Object.entries(columns)
      // SQLite tells the length of a column without reading it, but not that of an expression.
      .map(([name, kind]) => (types[kind] === "text" ? `$.${name}` : `cast($.${name} as text)`))
      .map((value) => `coalesce(octet_length(${value}), 0)`)
      .join(" + ");
    return text(sizes);
  };
  return { ...list, fields: { bytes: { kind: "integer", expression } } };
}

/**
 * Refuses a page that would be too large before any of it is read. To end it early would be worse:
 * who pages by offset takes a page with fewer rows than asked for as the last one, or steps over
 * the rest.
 */
export async function assertPageFits(
  queries: Queries,
  sizes: ListDefinition,
  request: Parameters<typeof listJson>[2],
): Promise<void> {
  assertFits(JSON.parse(await listJson(queries, sizes, request)) as { readonly bytes: number }[]);
}

export function assertFits(rows: readonly { readonly bytes: number }[]): void {
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  // A single row has a bound of its own, and there is no asking for less.
  if (rows.length > 1 && bytes > MAX_PAGE_BYTES) throw pageTooLarge();
}

export function pageTooLarge(): AppError {
  return new AppError(
    "too_large",
    `The page would hold more than ${MAX_PAGE_BYTES} bytes: ask for fewer at once with a lower limit`,
  );
}
