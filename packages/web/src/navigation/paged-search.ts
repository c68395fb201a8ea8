/** What most lists are narrowed by: a text, and which page is shown. */
export type PagedSearch = { readonly text?: string; readonly page?: string };

export function readPagedSearch(search: URLSearchParams): PagedSearch {
  const [text, page] = [search.get("text"), search.get("page")];
  return { ...(text !== null && { text }), ...(page !== null && { page }) };
}

/** The page asked for, from 1. */
export const pageOf = ({ page }: { readonly page?: string }): number =>
  Math.max(1, Math.trunc(Number(page)) || 1);
