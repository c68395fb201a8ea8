import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Count } from "../../charts/count-bars.tsx";
import { type EventsSearch, eventFilterOf, timesOf } from "./events-search.ts";

const BARS = 60;
export const EVENT_COUNTS = "event-counts";

/** How many events there were, in stretches that fill the whole time. */
export const eventCounts = (search: EventsSearch) =>
  queryOptions({
    // Not among those that every event refreshes: to count many takes longer than they take to
    // come.
    queryKey: [EVENT_COUNTS, { ...search, event: undefined }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly Count[]> => {
      const now = new Date().toISOString();
      const { since, until = now } = timesOf(search);
      const seconds = Math.max(1, (Date.parse(until) - Date.parse(since)) / 1000);
      const counts = await api.events.countBy(
        "time",
        {
          filter: { ...eventFilterOf(search), occurred: { since, until } },
          time_unit: "second",
          time_interval: Math.max(1, Math.ceil(seconds / BARS)),
        },
        { signal },
      );
      return counts.map(({ start_time, end_time, count }) => ({
        start: start_time,
        end: end_time,
        count,
      }));
    },
  });

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ["event", id],
    queryFn: async ({ signal }) => {
      const { events } = await api.events.list({ filter: { id: { id: [id] } } }, { signal });
      return events[0] ?? null;
    },
  });
