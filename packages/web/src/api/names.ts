// What lists show instead of ids.

import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { uptime } from "./uptime.ts";

/** The names of flows, by id, in one request for a whole table. */
export const flowNamesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["flows", "names", ids],
    enabled: ids.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const flows = await api.flows.list({ flows: { id: { any_: [...ids] } } }, { signal });
      return new Map(flows.map(({ id, name }) => [id, name]));
    },
  });

/** The names of runs, by id, in one request for a whole table. */
export const runNames = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["flow-runs", "names", ids],
    enabled: ids.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const runs = await api.flowRuns.list({ flow_runs: { id: { any_: [...ids] } } }, { signal });
      return new Map(runs.map(({ id, name }) => [id, name]));
    },
  });

/** The names of task runs, by id, in one request for a whole table. */
export const taskRunNames = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["task-runs", "names", ids],
    enabled: ids.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const runs = await api.taskRuns.list({ task_runs: { id: { any_: [...ids] } } }, { signal });
      return new Map(runs.map(({ id, name }) => [id, name]));
    },
  });

/** Names and tags of all monitors, for those who choose among them. */
export const monitorNames = queryOptions({
  queryKey: ["monitors", "names"],
  staleTime: 30_000,
  queryFn: async ({ signal }) => {
    const monitors = await uptime.monitors.list({ limit: 5000 }, { signal });
    return monitors
      .map(({ id, name, tags }) => ({ id, name, tags }))
      .toSorted((a, b) => a.name.localeCompare(b.name));
  },
});
