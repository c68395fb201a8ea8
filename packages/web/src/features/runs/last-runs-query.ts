import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { SHOWN } from "../../charts/last-runs.tsx";

/**
 * The latest runs of several deployments or flows in one request, by the id of what they are runs
 * of.
 */
export const lastRunsOf = (of: "deployment" | "flow", ids: readonly string[]) =>
  queryOptions({
    queryKey: ["flow-runs", "last", of, ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) =>
      api.dashboard.readLastRuns({ of, ids: [...ids], limit: SHOWN }, { signal }),
  });
