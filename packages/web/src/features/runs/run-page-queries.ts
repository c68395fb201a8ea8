import { ApiError } from "@orchestrator/client";
import type { FlowRun } from "@orchestrator/contract";
import { queryOptions } from "@tanstack/react-query";
import { api, exactApi } from "../../api/client.ts";

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ["flow-runs", "one", id],
    queryFn: ({ signal }) => exactApi.flowRuns.read(id, { signal }),
  });

/**
 * Where the run comes from: its flow and deployment, and the run that a subflow is part of by the
 * task that stands for it there.
 */
export const runOriginQuery = ({
  flow_id,
  deployment_id,
  parent_task_run_id,
}: Pick<FlowRun, "flow_id" | "deployment_id" | "parent_task_run_id">) =>
  queryOptions({
    queryKey: ["names", "origin", flow_id, deployment_id, parent_task_run_id],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const names = await api.names.read(
        {
          flows: [flow_id],
          deployments: idsOf(deployment_id),
          task_runs: idsOf(parent_task_run_id),
        },
        { signal },
      );
      const called = (id: string | null) => names.find((one) => one.id === id);
      return {
        flow: called(flow_id)?.name,
        deployment: called(deployment_id)?.name,
        parent: called(parent_task_run_id),
      };
    },
  });

/** So many of them are shown, the latest first. */
export const MAX_RERUNS = 5;

export const rerunsOf = (id: string) =>
  queryOptions({
    queryKey: ["flow-runs", "reruns", id],
    queryFn: ({ signal }) =>
      api.flowRuns.list(
        {
          flow_runs: { created_by: { id_: [id] } },
          sort: "EXPECTED_START_TIME_DESC",
          limit: MAX_RERUNS + 1,
        },
        { signal },
      ),
  });

const idsOf = (id: string | null): string[] => (id === null ? [] : [id]);

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

const TOO_LARGE = 413;

/** With their data, unless that is too much for one page. */
export const artifactsOf = (id: string) =>
  queryOptions({
    queryKey: ["artifacts", "of-run", id],
    queryFn: async ({ signal }) => {
      const wanted = { artifacts: { flow_run_id: { any_: [id] } }, limit: 100 };
      try {
        return { rows: await api.artifacts.list(wanted, { signal }), hasData: true };
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== TOO_LARGE) throw error;
        const rows = await api.artifacts.list({ ...wanted, include_data: false }, { signal });
        return { rows, hasData: false };
      }
    },
  });
