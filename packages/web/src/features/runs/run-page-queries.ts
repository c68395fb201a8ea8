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
    queryKey: ["names", "origin", run.flow_id, run.deployment_id],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const deployments = run.deployment_id === null ? [] : [run.deployment_id];
      const names = await api.names.read({ flows: [run.flow_id], deployments }, { signal });
      const nameOf = (id: string | null) => names.find((one) => one.id === id)?.name;
      return { flow: nameOf(run.flow_id), deployment: nameOf(run.deployment_id) };
    },
  });

/** The run that a subflow is part of, by the task that stands for it there. */
export const parentOf = (task: string) =>
  queryOptions({
    queryKey: ["task-runs", "parent", task],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.dashboard.readTaskRun(task, { signal }),
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
