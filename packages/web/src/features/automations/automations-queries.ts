import type { Automation } from "@orchestrator/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, exactApi } from "../../api/client.ts";
import { resourceId } from "../events/event-labels.ts";

const MOST = 200;
const RECENT = 20;
const THROTTLE_MS = 10_000;
/** What a server calls its own things depends on the dialect it speaks. */
const DIALECTS = ["orchestrator", "prefect"] as const;
const FIRED = DIALECTS.map((own) => `${own}.automation.triggered`);
const THROTTLED = DIALECTS.map((own) => `${own}.automation.throttled`);
const ACTED = DIALECTS.map((own) => `${own}.automation.action.`);

const resourcesOf = (id: string): string[] => DIALECTS.map((own) => `${own}.automation.${id}`);

/** The first by their names, of all or of those whose names hold the text. */
export const automationsNamed = (text: string) =>
  queryOptions({
    queryKey: ["automations", "named", text],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const page = { sort: "NAME_ASC", limit: MOST } as const;
      if (text === "") return api.automations.list(page, { signal });
      const asked = { kind: "automations", text, limit: MOST } as const;
      const ids = (await api.names.find(asked, { signal })).map(({ id }) => id);
      if (ids.length === 0) return [];
      return api.automations.list({ ...page, automations: { id: { any_: ids } } }, { signal });
    },
  });

/** When each of them fired last, in one request. */
export const lastFirings = (automations: readonly Automation[] | undefined) =>
  queryOptions({
    queryKey: ["automations", "last-firings", automations?.map(({ id }) => id)],
    enabled: automations !== undefined && automations.length > 0,
    queryFn: async ({ signal }) => {
      const { events } = await api.events.list(
        {
          filter: {
            event: { name: FIRED },
            resource: {
              id: automations?.flatMap(({ id }) => resourcesOf(id)) ?? [],
              distinct: true,
            },
            order: "DESC",
          },
          limit: MOST,
        },
        { signal },
      );
      const times = events.map(
        ({ resource, occurred }) => [resourceId(resource).split(".").at(-1), occurred] as const,
      );
      return new Map(times);
    },
  });

export const automationOf = (id: string) =>
  queryOptions({
    queryKey: ["automations", "one", id],
    queryFn: ({ signal }) => exactApi.automations.read(id, { signal }),
  });

/** To be edited: as it is now, never as it was when it was looked at. */
export const editedAutomation = (id: string) =>
  queryOptions({
    ...automationOf(id),
    queryKey: ["automations", "edited", id],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const traceOf = (id: string) =>
  queryOptions({
    queryKey: ["automations", "trace", id],
    queryFn: ({ signal }) => api.automations.trace(id, { signal }),
    // Nobody tells of more matches, or that it may fire again.
    refetchInterval: ({ state }) =>
      state.data?.throttle?.is_active === true ? THROTTLE_MS : false,
  });

/** What it did: firings, and what became of each action. */
export const doingsOf = (id: string) =>
  queryOptions({
    queryKey: ["automations", "doings", id],
    queryFn: async ({ signal }) => {
      const filter = {
        event: { prefix: [...ACTED, ...FIRED, ...THROTTLED] },
        resource: { id: resourcesOf(id) },
      };
      return (await api.events.list({ filter, limit: RECENT }, { signal })).events;
    },
  });

/** Names of events that have come lately, most frequent first. */
export const recentEventNamesQuery = queryOptions({
  queryKey: ["event-names"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const since = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const counts = await api.events.countBy(
      "event",
      { filter: { occurred: { since } } },
      { signal },
    );
    return counts.map(({ value }) => value);
  },
});
