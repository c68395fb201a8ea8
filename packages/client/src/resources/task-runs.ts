import type {
  HistoryInterval,
  OrchestrationResult,
  SetState,
  Static,
  TaskRun,
  TaskRunCount,
  TaskRunCreate,
  TaskRunHistory,
  TaskRunList,
  TaskRunPages,
  TaskRunUpdate,
} from "@orchestrator/contract";
import { del, each, get, keyed, patch, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import { withTaskRunId, withTransitionId } from "./keys.ts";
import type { PageOf } from "./page.ts";
import { subscribeToTasks } from "./task-subscription.ts";

type List = OptionalDefaults<Static<typeof TaskRunList>>;

export const taskRuns = {
  /** Creates a task run, or finds the one that has the keys. */
  create: post<(run: TaskRunCreate) => TaskRun>("/task_runs/", keyed(withTaskRunId)),
  read: get<(id: string) => TaskRun>("/task_runs/{id}"),
  update: patch<(id: string, changes: TaskRunUpdate) => void>("/task_runs/{id}"),
  delete: del<(id: string) => void>("/task_runs/{id}"),
  /** Proposes a state; the answer says what became of it. */
  setState: post<(id: string, proposal: Static<typeof SetState>) => OrchestrationResult>(
    "/task_runs/{id}/set_state",
    keyed<Static<typeof SetState>>(withTransitionId),
  ),
  list: query<(filter?: List) => TaskRun[]>("/task_runs/filter"),
  each: each<(filter?: List) => TaskRun>("/task_runs/filter"),
  paginate:
    query<(filter?: OptionalDefaults<Static<typeof TaskRunPages>>) => PageOf<TaskRun>>(
      "/task_runs/paginate",
    ),
  count: query<(filter?: Static<typeof TaskRunCount>) => number>("/task_runs/count"),
  /** How many runs were in which state, interval by interval. */
  history:
    query<(filter: Static<typeof TaskRunHistory>) => HistoryInterval[]>("/task_runs/history"),
  subscribe: subscribeToTasks,
};
