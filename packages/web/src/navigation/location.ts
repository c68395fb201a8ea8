// The address as state: pages are found by its path, and what a page is narrowed to stands in its
// query. Pages know nothing of the workspace in front of it.

import { startTransition, useSyncExternalStore } from "react";
import { inWorkspace, plainPath } from "../api/workspace.ts";

const listeners = new Set<() => void>();
let current = location.href;

function changed(): void {
  current = location.href;
  for (const listener of listeners) listener();
}

addEventListener("popstate", changed);

export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", inWorkspace(to));
  else {
    history.pushState(null, "", inWorkspace(to));
    scrollTo(0, 0);
  }
  startTransition(changed);
}

/** The whole address, as it is now, but for the workspace. */
export function useAddress(): URL {
  const href = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  const url = new URL(href);
  url.pathname = plainPath(url.pathname);
  return url;
}

/** Plain values of a query: texts, and lists of them. What is empty is left out. */
export type SearchValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export function pathWith(path: string, values: SearchValues): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const text of typeof value === "string" ? [value] : (value ?? []))
      if (text !== "") search.append(name, text);
  const query = search.toString();
  return query === "" ? path : `${path}?${query}`;
}

/** The query as a page reads it, and a way to change some of it without a step in the history. */
export function useSearch<Search extends SearchValues>(
  read: (search: URLSearchParams) => Search,
): readonly [Search, (change: Partial<Search>) => void] {
  const { pathname, searchParams } = useAddress();
  const search = read(searchParams);
  const change = (some: Partial<Search>) =>
    navigate(pathWith(pathname, { ...search, ...some }), { replace: true });
  return [search, change];
}
