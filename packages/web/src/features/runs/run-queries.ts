import type { FlowRunPages, Static } from "@orchestrator/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { pageOf } from "../../app/paged-search.ts";
import { type RunsSearch, WINDOWS } from "./runs-search.ts";

type Conditions = Pick<Static<typeof FlowRunPages>, "flow_runs" | "work_pools">;

const PAGE_SIZE = 50;
const BARS = 60;

/** What the address says, as the server is asked for it. */
export function conditionsOf(search: RunsSearch, now: number): Conditions {
  const { states, text, tags, flow, deployment, pool, window } = search;
  const isState = (state: string) => state !== "LATE";
  const types = states?.filter(isState);
  return {
    flow_runs: {
      ...(types?.length ? { state: { type: { any_: types } } } : {}),
      ...(states?.includes("LATE") && !types?.length
        ? { state: { name: { any_: ["Late"] } } }
        : {}),
      ...(text ? { name: { like_: text } } : {}),
      ...(tags ? { tags: { all_: [...tags] } } : {}),
      ...(flow ? { flow_id: { any_: [flow] } } : {}),
      ...(deployment ? { deployment_id: { any_: [deployment] } } : {}),
      ...(window
        ? { expected_start_time: { after_: new Date(now - WINDOWS[window] * 1000).toISOString() } }
        : {}),
    } as NonNullable<Conditions["flow_runs"]>,
    ...(pool ? { work_pools: { name: { any_: [pool] } } } : {}),
  };
}

export const runsPage = (search: RunsSearch) =>
  queryOptions({
    queryKey: ["flow-runs", "page", search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.flowRuns.paginate(
        {
          ...conditionsOf(search, Date.now()),
          sort: "EXPECTED_START_TIME_DESC",
          limit: PAGE_SIZE,
          page: pageOf(search),
        },
        { signal },
      ),
  });

export const runsHistory = (search: RunsSearch) =>
  queryOptions({
    queryKey: ["flow-runs", "history", search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const now = Date.now();
      const seconds = WINDOWS[search.window ?? "24h"];
      return api.flowRuns.history(
        {
          ...conditionsOf({ ...search, window: search.window ?? "24h" }, now),
          history_start: new Date(now - seconds * 1000).toISOString(),
          history_end: new Date(now).toISOString(),
          history_interval_seconds: seconds / BARS,
        },
        { signal },
      );
    },
  });

/** At most a thousand runs as points of a chart. */
export const runPoints = (search: RunsSearch) =>
  queryOptions({
    queryKey: ["flow-runs", "points", search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.dashboard.listFlowRunPoints(
        {
          ...conditionsOf({ ...search, window: search.window ?? "24h" }, Date.now()),
          sort: "EXPECTED_START_TIME_DESC",
          limit: 1000,
        },
        { signal },
      ),
  });

/** The names of flows, by id, in one request for a whole table. */
export const flowNames = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["flows", "names", ids],
    enabled: ids.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const flows = await api.flows.list({ flows: { id: { any_: [...ids] } } }, { signal });
      return new Map(flows.map(({ id, name }) => [id, name]));
    },
  });
