import type { FlowRun } from "@orchestrator/contract";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

const ENOUGH = 200;

/** The latest runs of several deployments or flows in one request, by the id of their owner. */
export const lastRunsOf = (owner: "deployment_id" | "flow_id", ids: readonly string[]) =>
  queryOptions({
    queryKey: ["flow-runs", "last", owner, ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const runs = await api.flowRuns.list(
        {
          flow_runs: {
            [owner]: { any_: [...ids] },
            state: { type: { not_any_: ["SCHEDULED"] } },
          },
          sort: "EXPECTED_START_TIME_DESC",
          limit: ENOUGH,
        },
        { signal },
      );
      const byOwner = new Map<string, FlowRun[]>();
      for (const run of runs) {
        const key = run[owner] ?? "";
        const list = byOwner.get(key);
        if (list) list.push(run);
        else byOwner.set(key, [run]);
      }
      return byOwner;
    },
  });
