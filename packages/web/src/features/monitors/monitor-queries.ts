import type { MonitorOverview, MonitorsOverview } from "@orchestrator/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { uptime } from "../../api/uptime.ts";
import { pageOf } from "../../navigation/paged-search.ts";
import type { MonitorsSearch } from "./monitors-search.ts";

export const PAGE_SIZE = 50;
/** However many monitors are shown and however often they run, a page asks no more often. */
const LEAST_MS = 10_000;
/** A timer of the browser cannot wait for a month. */
const MOST_MS = 3_600_000;
/** The result is stored a moment after it was due. */
const GRACE_MS = 1500;

/** Whoever has just added a monitor waits for its first result. */
const FIRST_MS = 2000;

/** Results tell no event: what is shown is asked for again once the next of them is due. */
function untilNextCheck(
  monitors: readonly MonitorOverview[] | undefined,
  leastMs = LEAST_MS,
): number | false {
  const now = Date.now();
  const due = (monitors ?? [])
    .filter(({ enabled }) => enabled)
    // One that is not planned yet will be in a moment.
    .map(({ next_check }) => (next_check === null ? now : Date.parse(next_check)));
  return due.length > 0 && Math.max(leastMs, Math.min(...due, now + MOST_MS) + GRACE_MS - now);
}

export const monitorsPage = (search: MonitorsSearch) =>
  queryOptions({
    queryKey: ["monitors", "overview", search],
    placeholderData: keepPreviousData,
    refetchInterval: ({
      state,
    }: {
      readonly state: { readonly data?: MonitorsOverview | undefined };
    }) => untilNextCheck(state.data?.monitors),
    queryFn: ({ signal }) =>
      uptime.monitors.overview(
        {
          ...(search.states && { state: [...search.states] }),
          ...(search.tags && { tag: [...search.tags] }),
          ...(search.text && { q: search.text }),
          limit: PAGE_SIZE,
          offset: (pageOf(search) - 1) * PAGE_SIZE,
        },
        { signal },
      ),
  });

/** One monitor with its last results; null where there is none. */
export const monitorById = (id: string) =>
  queryOptions({
    queryKey: ["monitors", "one", id],
    refetchInterval: ({
      state,
    }: {
      readonly state: { readonly data?: MonitorOverview | null | undefined };
    }) =>
      state.data
        ? untilNextCheck([state.data], state.data.last_check === null ? FIRST_MS : LEAST_MS)
        : false,
    queryFn: async ({ signal }) => {
      const { monitors } = await uptime.monitors.overview({ id: [id], limit: 1 }, { signal });
      return monitors[0] ?? null;
    },
  });

export const monitorTags = queryOptions({
  queryKey: ["monitors", "tags"],
  staleTime: 60_000,
  queryFn: ({ signal }) => uptime.monitors.listTags({ signal }),
});
