// What the stream of events is narrowed to stands in the address.
import type { EventFilter } from "@orchestrator/contract";
import { RUN_WINDOWS, type RunWindow } from "../runs/runs-search.ts";

export type EventsSearch = {
  /** The beginning of the name; a `*` at its end is the same. */
  readonly name?: string;
  /** The id of a resource, or its beginning with a `*` behind it. */
  readonly resource?: string;
  readonly text?: string;
  readonly window?: RunWindow;
  /** A stretch of time in the place of the window, as a bar was picked. */
  readonly since?: string;
  readonly until?: string;
  /** The event that is open. */
  readonly event?: string;
};

const TEXTS = ["name", "resource", "text", "since", "until", "event"] as const;

export function readEventsSearch(search: URLSearchParams): EventsSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = search.get(name);
    return value === null ? [] : [[name, value]];
  });
  const window = search.get("window");
  return {
    ...(Object.fromEntries(texts) as EventsSearch),
    ...(window !== null && window in RUN_WINDOWS ? { window: window as RunWindow } : {}),
  };
}

export const searchWindowOf = ({ window }: EventsSearch): RunWindow => window ?? "24h";

/** From when to when, by the clock of whoever looks. */
export function timesOf(search: EventsSearch, now = Date.now()) {
  const { since, until } = search;
  return {
    since: since ?? new Date(now - RUN_WINDOWS[searchWindowOf(search)] * 1000).toISOString(),
    ...(until !== undefined && { until }),
  };
}

/** Which events, whenever they are. */
export function eventFilterOf({ name, resource, text }: EventsSearch): EventFilter {
  return {
    ...(name && { event: { prefix: [name.replace(/\*+$/, "")] } }),
    ...(resource && { any_resource: { id_prefix: [resource.replace(/\*+$/, "")] } }),
    ...(text && { text: { query: text } }),
  };
}
