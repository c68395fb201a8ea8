import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

export const runOf = (id: string) =>
  queryOptions({
    queryKey: ["flow-runs", "one", id],
    queryFn: ({ signal }) => api.flowRuns.read(id, { signal }),
  });

/** Where the run comes from: the names of its flow and deployment. */
export const originOf = (run: {
  readonly flow_id: string;
  readonly deployment_id: string | null;
}) =>
  queryOptions({
    queryKey: ["flows", "origin", run.flow_id, run.deployment_id],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const [flow, deployment] = await Promise.all([
        api.flows.read(run.flow_id, { signal }),
        run.deployment_id === null
          ? null
          : api.deployments.read(run.deployment_id, { signal }).catch(() => null),
      ]);
      return { flow, deployment };
    },
  });

export const explanationOf = (id: string, state: string | null) =>
  queryOptions({
    queryKey: ["flow-runs", "explain", id, state],
    queryFn: ({ signal }) => api.flowRuns.explain(id, { signal }),
  });

export const graphOf = (id: string) =>
  queryOptions({
    queryKey: ["task-runs", "graph", id],
    queryFn: ({ signal }) => api.flowRuns.graph(id, {}, { signal }),
  });

export const statesOf = (id: string) =>
  queryOptions({
    queryKey: ["flow-runs", "states", id],
    queryFn: ({ signal }) => api.flowRunStates.list({ flow_run_id: id }, { signal }),
  });

export const artifactsOf = (id: string) =>
  queryOptions({
    queryKey: ["artifacts", "of-run", id],
    queryFn: ({ signal }) =>
      api.artifacts.list({ artifacts: { flow_run_id: { any_: [id] } }, limit: 100 }, { signal }),
  });
