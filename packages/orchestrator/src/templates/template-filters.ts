// Filters that templates of notifications are written with. They never throw: the engine would crash on it.

import type { TemplateFilter } from "./filter-arguments.ts";
import { NUMBER_FILTERS, textOf } from "./humanize-numbers.ts";
import { timeFilters } from "./humanize-times.ts";
import { JSON_FILTERS } from "./python-json.ts";
import { TEXT_FILTERS } from "./text-filters.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Where something can be looked at; empty where nothing is known about that. */
function linkOf(value: unknown, name: string): string {
  const found: unknown =
    value instanceof Map
      ? value.get(name)
      : (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof found === "string" ? found : "";
}

const LINK_FILTERS: Readonly<Record<string, TemplateFilter>> = {
  ui_url: (value) => linkOf(value, "ui_url"),
  ui_resource_events_url: (value) => linkOf(value, "ui_events_url"),
  /** The id in the link to a run. */
  flow_run_id: (value) => UUID.exec(typeof value === "string" ? value : "")?.[0] ?? "",
};

type EngineFilter = (value: unknown, ...rest: readonly unknown[]) => string;

/** The filters as the engine calls them: what is given by name comes last, all together. */
export function templateFilters(now: () => number): Readonly<Record<string, EngineFilter>> {
  const all = {
    ...LINK_FILTERS,
    ...TEXT_FILTERS,
    ...JSON_FILTERS,
    ...NUMBER_FILTERS,
    ...timeFilters(now),
  };
  return Object.fromEntries(
    Object.entries(all).map(([name, filter]): [string, EngineFilter] => [
      name,
      (value, ...rest) => {
        const last = rest.at(-1);
        const named = last instanceof Map ? last : null;
        const placed = named === null ? rest : rest.slice(0, -1);
        try {
          return filter(value, (key, place) => (named?.has(key) ? named.get(key) : placed[place]));
        } catch {
          // A time that no calendar has, for example.
          return textOf(value);
        }
      },
    ]),
  );
}
