import type { FlowRunPages, Static } from "@orchestrator/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { pageOf } from "../../navigation/paged-search.ts";
import { type RunsSearch, secondsOf } from "./runs-search.ts";

type Conditions = Pick<Static<typeof FlowRunPages>, "flow_runs" | "work_pools">;

const PAGE_SIZE = 50;
const BARS = 60;
/**
 * Runs that are due in a moment are listed with those that were; clocks of browsers and servers
 * differ.
 */
const SOON_MS = 5 * 60_000;

/**
 * What the address says, as the server is asked for it. Runs that wait for their time are there
 * only if asked for.
 */
export function runConditionsOf(search: RunsSearch, now: number): Conditions {
  const { flow_runs, ...others } = whicheverTime(search);
  return { flow_runs: { ...flow_runs, ...timeOf(search, now) }, ...others };
}

function whicheverTime({ states, text, tags, flow, deployment, pool }: RunsSearch): Conditions {
  return {
    flow_runs: {
      ...stateOf(states),
      ...(text ? { name: { like_: text } } : {}),
      ...(tags?.length ? { tags: { all_: [...tags] } } : {}),
      ...(flow ? { flow_id: { any_: [flow] } } : {}),
      ...(deployment ? { deployment_id: { any_: [deployment] } } : {}),
    } as NonNullable<Conditions["flow_runs"]>,
    ...(pool ? { work_pools: { name: { any_: [pool] } } } : {}),
  };
}

/** Late runs are scheduled ones by a name of their own; with the type, an index leads to them. */
function stateOf(states: readonly string[] = []) {
  const types = states.filter((state) => state !== "LATE");
  if (types.length > 0) return { state: { type: { any_: types } } };
  return states.length > 0 ? { state: LATE } : {};
}

const LATE = { type: { any_: ["SCHEDULED" as const] }, name: { any_: ["Late"] } };

const isUpcoming = ({ states }: RunsSearch): boolean => states?.includes("SCHEDULED") === true;

function timeOf(search: RunsSearch, now: number) {
  const { from, to, window } = search;
  if (from && to) return { expected_start_time: { after_: from, before_: to } };
  if (isUpcoming(search)) return {};
  const before_ = new Date(now + SOON_MS).toISOString();
  if (window === undefined || window === "all") return { expected_start_time: { before_ } };
  const after_ = new Date(now - secondsOf(window) * 1000).toISOString();
  return { expected_start_time: { after_, before_ } };
}

/** The stretch of time that a chart shows. */
export function chartOf({ from, to, window }: RunsSearch, now: number) {
  const end = to ? Date.parse(to) : now;
  const start = from ? Date.parse(from) : now - secondsOf(window) * 1000;
  return { start, end: Math.max(end, start + 1000) };
}

export const runsPage = (search: RunsSearch) =>
  queryOptions({
    queryKey: ["flow-runs", "page", search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.flowRuns.paginate(
        {
          ...runConditionsOf(search, Date.now()),
          sort: isUpcoming(search) ? "EXPECTED_START_TIME_ASC" : "EXPECTED_START_TIME_DESC",
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
      const { start, end } = chartOf(search, Date.now());
      return api.flowRuns.history(
        {
          // The server need not look at each run where no more than states are asked for.
          ...whicheverTime(search),
          history_start: new Date(start).toISOString(),
          history_end: new Date(end).toISOString(),
          history_interval_seconds: Math.max(1, (end - start) / 1000 / BARS),
        },
        { signal },
      );
    },
  });

/** As many runs are points of a chart. */
export const MOST_POINTS = 1000;

/** The newest of them. */
export const runPoints = (search: RunsSearch) =>
  queryOptions({
    queryKey: ["flow-runs", "points", search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.dashboard.listFlowRunPoints(
        {
          ...runConditionsOf({ ...search, window: search.window ?? "24h" }, Date.now()),
          sort: "EXPECTED_START_TIME_DESC",
          limit: MOST_POINTS,
        },
        { signal },
      ),
  });
