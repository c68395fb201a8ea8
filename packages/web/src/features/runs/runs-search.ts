// What the list of runs is narrowed to stands in the address, so that it can be kept and sent.

export const RUN_WINDOWS = {
  "1h": 3600,
  "24h": 86_400,
  "7d": 604_800,
  "30d": 2_592_000,
} as const;
export type RunWindow = keyof typeof RUN_WINDOWS;

export const WINDOW_WORDS = [
  ["1h", "1 h"],
  ["24h", "24 h"],
  ["7d", "7 days"],
  ["30d", "30 days"],
] as const;

/** `all`: the list is not narrowed, and the chart shows as far back as it can. */
export type RunsWindow = RunWindow | "all";

export const RUNS_WINDOW_WORDS = [...WINDOW_WORDS, ["all", "All"]] as const;

/** How far back a chart reaches. */
export const secondsOf = (window: RunsWindow = "24h"): number =>
  RUN_WINDOWS[window === "all" ? "30d" : window];

/** When the window began; nothing where there is no end to it. */
export const sinceOf = (window: RunsWindow, now: number): { readonly since?: string } =>
  window === "all" ? {} : { since: new Date(now - secondsOf(window) * 1000).toISOString() };

/** A type, because it is one of the kinds that a query can hold. */
export type RunsSearch = {
  readonly states?: readonly string[];
  readonly text?: string;
  readonly tags?: readonly string[];
  readonly flow?: string;
  readonly deployment?: string;
  readonly pool?: string;
  readonly window?: RunsWindow;
  /** A stretch of time that was picked, instead of a window. */
  readonly from?: string;
  readonly to?: string;
  readonly page?: string;
  readonly chart?: "bars" | "scatter";
};

/** Leaves out what is not understood. */
export function readRunsSearch(search: URLSearchParams): RunsSearch {
  const window = search.get("window");
  return {
    ...lists(search, ["states", "tags"]),
    ...texts(search, ["text", "flow", "deployment", "pool", "from", "to", "page"]),
    ...(search.get("chart") === "scatter" ? { chart: "scatter" as const } : {}),
    ...(isWindow(window) ? { window } : {}),
  };
}

const isWindow = (text: string | null): text is RunsWindow =>
  text !== null && (text === "all" || text in RUN_WINDOWS);

function texts(search: URLSearchParams, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

function lists(search: URLSearchParams, names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = search.getAll(name);
      return values.length === 0 ? [] : [[name, values]];
    }),
  );
}
