import type {
  CountsById,
  EndedTaskRuns,
  FlowIds,
  FlowRunIds,
  FlowRunPoint,
  FlowRunPointList,
  LastRunsById,
  LastRunsQuery,
  NextRunsByFlow,
  Static,
  TaskRunCount,
  TaskRunDashboard,
  TaskRunInContext,
  TaskRunStateCounts,
  Troubles,
  TroublesQuery,
  WorkPoolGlance,
} from "@orchestrator/contract";
import { get, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type Counts = Static<typeof CountsById>;

/** Figures for pages that show many runs at once. */
export const dashboard = {
  /** Flow runs as points of a chart. */
  listFlowRunPoints:
    query<(filter?: OptionalDefaults<Static<typeof FlowRunPointList>>) => FlowRunPoint[]>(
      "/ui/flow_runs/history",
    ),
  countTaskRunsOfFlowRuns: query<(ids: Static<typeof FlowRunIds>) => Counts>(
    "/ui/flow_runs/count-task-runs",
  ),
  countDeploymentsOfFlows: query<(ids: Static<typeof FlowIds>) => Counts>(
    "/ui/flows/count-deployments",
  ),
  readNextRunsOfFlows:
    query<(ids: Static<typeof FlowIds>) => Static<typeof NextRunsByFlow>>("/ui/flows/next-runs"),
  /** The last runs of several flows or deployments, by their ids. */
  readLastRuns:
    query<(asked: OptionalDefaults<Static<typeof LastRunsQuery>>) => Static<typeof LastRunsById>>(
      "/ui/flow_runs/last",
    ),
  /** What failed lately and what is late, with the names of the flows. */
  readTroubles:
    query<(asked?: OptionalDefaults<Static<typeof TroublesQuery>>) => Troubles>(
      "/ui/flow_runs/troubles",
    ),
  /** Work pools with what is going on in them. */
  listWorkPools: get<() => WorkPoolGlance[]>("/ui/work_pools"),
  listEndedTaskRuns: query<(filter: Static<typeof TaskRunDashboard>) => EndedTaskRuns[]>(
    "/ui/task_runs/dashboard/counts",
  ),
  countTaskRunStates:
    query<(filter?: Static<typeof TaskRunCount>) => TaskRunStateCounts>("/ui/task_runs/count"),
  /** A task run with the name of its flow run. */
  readTaskRun: get<(id: string) => TaskRunInContext>("/ui/task_runs/{id}"),
};
