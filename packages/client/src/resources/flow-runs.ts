import type {
  Deleted,
  Explanation,
  FlowRun,
  FlowRunBulkDelete,
  FlowRunBulkSetState,
  FlowRunCount,
  FlowRunCreate,
  FlowRunGraph,
  FlowRunHistory,
  FlowRunInput,
  FlowRunInputCreate,
  FlowRunInputList,
  FlowRunList,
  FlowRunPages,
  FlowRunRerun,
  FlowRunResume,
  FlowRunStateResults,
  FlowRunSuspend,
  FlowRunUpdate,
  FlowRunWait,
  FlowRunWaitCreate,
  GraphQuery,
  HistoryInterval,
  JournalWrite,
  JsonValue,
  Labels,
  OrchestrationResult,
  SetFlowRunState,
  Static,
  StoredJournalEntry,
  TaskRunDependencies,
} from "@orchestrator/contract";
import { del, each, get, getWith, keyed, patch, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import { withIdempotencyKey, withTransitionId } from "./keys.ts";
import type { PageOf } from "./page.ts";

type List = OptionalDefaults<Static<typeof FlowRunList>>;
type Count = Static<typeof FlowRunCount>;

export const flowRuns = {
  /** Creates a run of a flow; one of a deployment comes from `deployments.createFlowRun`. */
  create: post<(run: FlowRunCreate) => FlowRun>(
    "/flow_runs/",
    keyed<FlowRunCreate>(withIdempotencyKey),
  ),
  read: get<(id: string) => FlowRun>("/flow_runs/{id}"),
  update: patch<(id: string, changes: FlowRunUpdate) => void>("/flow_runs/{id}"),
  addLabels: patch<(id: string, labels: Labels) => void>("/flow_runs/{id}/labels"),
  delete: del<(id: string) => void>("/flow_runs/{id}"),
  /** Deletes the first of those that match. */
  deleteMany:
    post<(filter?: Static<typeof FlowRunBulkDelete>) => Static<typeof Deleted>>(
      "/flow_runs/bulk_delete",
    ),
  /** Proposes a state; the answer says what became of it. */
  setState: post<(id: string, proposal: Static<typeof SetFlowRunState>) => OrchestrationResult>(
    "/flow_runs/{id}/set_state",
    keyed<Static<typeof SetFlowRunState>>(withTransitionId),
  ),
  /** Proposes a state for the first of those that match. */
  setStateOfMany: post<
    (filter: Static<typeof FlowRunBulkSetState>) => Static<typeof FlowRunStateResults>
  >("/flow_runs/bulk_set_state"),
  /** Lets a paused run go on, with the input it waits for. */
  resume:
    post<(id: string, answer?: Static<typeof FlowRunResume>) => OrchestrationResult>(
      "/flow_runs/{id}/resume",
    ),
  /** Creates a run that goes on behind results of this one, which stays as it is. */
  rerun: post<(id: string, rerun?: FlowRunRerun) => FlowRun>(
    "/flow_runs/{id}/rerun",
    keyed<FlowRunRerun>(withIdempotencyKey),
  ),
  list: query<(filter?: List) => FlowRun[]>("/flow_runs/filter"),
  each: each<(filter?: List) => FlowRun>("/flow_runs/filter"),
  paginate:
    query<(filter?: OptionalDefaults<Static<typeof FlowRunPages>>) => PageOf<FlowRun>>(
      "/flow_runs/paginate",
    ),
  count: query<(filter?: Count) => number>("/flow_runs/count"),
  /** How many runs were in which state, interval by interval. */
  history:
    query<(filter: Static<typeof FlowRunHistory>) => HistoryInterval[]>("/flow_runs/history"),
  /** How many seconds runs are late on average; null where there are none. */
  lateness: query<(filter?: Count) => number | null>("/flow_runs/lateness"),
  /** Why a run does not go on. */
  explain: get<(id: string) => Explanation>("/flow_runs/{id}/explain"),
  graph: getWith<(id: string, query?: Static<typeof GraphQuery>) => FlowRunGraph>(
    "/flow_runs/{id}/graph-v2",
  ),
  dependencies: get<(id: string) => TaskRunDependencies[]>("/flow_runs/{id}/graph"),
  createInput: post<(id: string, input: FlowRunInputCreate) => void>("/flow_runs/{id}/input"),
  listInputs: query<
    (id: string, filter: OptionalDefaults<FlowRunInputList>) => Static<typeof FlowRunInput>[]
  >("/flow_runs/{id}/input/filter"),
  readInput: get<(id: string, key: string) => JsonValue>("/flow_runs/{id}/input/{key}"),
  deleteInput: del<(id: string, key: string) => void>("/flow_runs/{id}/input/{key}"),
  /**
   * Results of the calls that the run has finished: a `StoredJournalEntry` as JSON on each line.
   */
  readJournal: get<(id: string) => ReadableStream<Uint8Array>>("/flow_runs/{id}/journal", {
    streams: true,
  }),
  writeJournal: post<(id: string, results: JournalWrite) => void>("/flow_runs/{id}/journal"),
  /** What the flow of the run has returned; 404 where that is not stored. */
  readResult: get<(id: string) => StoredJournalEntry>("/flow_runs/{id}/result"),
  /** Waits for an event or a time, or reads what has become of that. */
  wait: post<(id: string, wait: FlowRunWaitCreate) => FlowRunWait>("/flow_runs/{id}/waits"),
  /** What the run waits for. */
  listWaits: get<(id: string) => FlowRunWait[]>("/flow_runs/{id}/waits"),
  /** Ends the execution of a run until one of its waits has ended. */
  suspend:
    post<(id: string, waits: FlowRunSuspend) => OrchestrationResult>("/flow_runs/{id}/suspend"),
  /** All log lines of the run as CSV, as they arrive. */
  downloadLogs: get<(id: string) => ReadableStream<Uint8Array>>("/flow_runs/{id}/logs/download", {
    streams: true,
  }),
};
