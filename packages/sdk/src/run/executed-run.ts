// A flow run that this process executes, with all that belongs to it while it does.

import { setMaxListeners } from "node:events";
import type { ExecutorClaim, FlowRun } from "@orchestrator/contract";
import { CancelledError, RunStoppedError } from "../errors.ts";
import { captureConsole } from "../logging/console-capture.ts";
import { scopeLogger } from "../logging/logger.ts";
import type { RunState } from "../options/options.ts";
import type { ReportSession } from "../report/session.ts";
import { storageFrom } from "../results/block-storage.ts";
import { localStorage } from "../results/result-storage.ts";
import { removeOldJournals } from "../results/run-journal.ts";
import { type InheritedResults, RunResults, type SharedJournal } from "../results/run-results.ts";
import { type CallPlace, placeOfCall } from "../results/values.ts";
import type { FlowRunInfo, RunScope } from "../scope/context.ts";
import type { FlowScope } from "../scope/flow-scope.ts";
import { TaskPool } from "../scope/pool.ts";
import type { SdkSettings } from "../settings.ts";
import type { FlowDefinition, Parameters } from "./flow-run.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { watchCancellation } from "./watch-cancellation.ts";

/** The key of a run's own result in its journal. */
export const RETURN = "return";
/** A run with this label stores its own result, for the program that started it. */
export const KEEP_RESULT = "orchestrator.keep-result";

/** What the server says of a run that begins with results of another one. */
const RERUN = "RERUN";
const TASK_CONCURRENCY = 16;

/** What a run need not know of the process that executes it. */
export interface Executor {
  /** Under which others find it. */
  readonly infrastructurePid?: string;
  /** Is called when the server has accepted the end of the run. */
  readonly onEnded?: (state: RunState) => void;
}

export interface ExecutedRun {
  readonly definition: FlowDefinition;
  readonly info: FlowRunInfo;
  /** What the body is called with. */
  readonly args: readonly unknown[];
  readonly session: ReportSession | null;
  readonly settings: SdkSettings;
  /** Which claim of a worker the execution belongs to. */
  readonly claimId: string | null;
  readonly executor: Executor;
  /** Null where nothing is stored for another execution. */
  readonly results: RunResults | null;
  /** Whether the server may have results of the run before its first attempt. */
  readonly hasEarlierResults: boolean;
  /** Where the run stores its own result for its parent or starter; null where none asks for it. */
  readonly returnPlace: CallPlace | null;
  readonly signal: AbortSignal;
  readonly scopeFor: (attempt: number) => RunScope;
  /** Ends it with a reason. */
  readonly stop: (reason: Error) => void;
  /** Gives back what the execution held. */
  readonly close: (isCompleted: boolean) => void;
}

export interface FlowExecution {
  readonly definition: FlowDefinition;
  readonly info: FlowRunInfo;
  readonly args: readonly unknown[];
  readonly session: ReportSession | null;
  readonly settings: SdkSettings;
  /** Null when no server knows of the run. */
  readonly record: FlowRun | null;
  /** @default the one that the record is under */
  readonly claimId?: string | null;
  readonly executor?: Executor;
  /** Whose end ends this as well. */
  readonly parent: AbortSignal | null;
  /** The run that this one is within. */
  readonly outer?: FlowScope;
  /** Hears that the execution has begun, and how to end it. */
  readonly onBegun?: (begun: BegunExecution) => void;
  /** What the outer run's journal calls the results of this one, of which it is a rerun's. */
  readonly prefix?: string;
}

export type BegunExecution = Pick<ExecutedRun, "info" | "session" | "stop">;

let hasCleanedUp = false;

export function beginExecution(execution: FlowExecution): ExecutedRun {
  const { definition, info, args, session, settings, record, parent, outer } = execution;
  const claimId = execution.claimId ?? claimOf(record);
  const claim = outer?.claim ?? executorClaim(info.id, claimId);
  const { options } = definition;
  const control = new AbortController();
  // Every task that runs listens.
  setMaxListeners(0, control.signal);
  const onParent = (): void => control.abort(parent?.reason);
  if (parent?.aborted === true) onParent();
  parent?.addEventListener("abort", onParent, { once: true });

  const isResultKept = options.keepResults ?? true;
  const isReturnKept = outer !== undefined || record?.labels[KEEP_RESULT] === "true";
  const isContinued = (record?.run_count ?? 0) > 0;
  const leave = (reason: Error): void => control.abort(reason);
  const results = isResultKept
    ? new RunResults({
        home: settings.home,
        flowRunId: info.id,
        session,
        shared: sharedJournal(execution, { claim, leave }),
        inherited: inheritedResults(execution),
        isContinued,
        warn: (text) => scopeLogger(scopeFor(1)).warn(text),
      })
    : null;
  if (isResultKept && !hasCleanedUp) {
    hasCleanedUp = true;
    removeOldJournals(settings.home);
  }
  const endCapture = (options.captureConsole ?? true) ? captureConsole() : null;
  const pauses = new Set<string>();
  const heartbeat = session === null ? null : startHeartbeat(session, info);
  const watch =
    session === null || record === null
      ? null
      : watchCancellation(session, info.id, {
          claimId,
          onTaken: () => control.abort(new RunStoppedError("The run was offered to others")),
          onCancelling: () => control.abort(new CancelledError("The run was cancelled")),
          onEnded: (state) => {
            // It may be that the time of a pause is over, which is a failure of what waits there.
            if (state === "FAILED" && pauses.size > 0) return;
            control.abort(new RunStoppedError(`The run was put to ${state} by somebody else`));
          },
        });
  const related = relatedOf(info, record);
  const scopeFor = (attempt: number): RunScope => {
    const flow: FlowScope = {
      settings,
      session,
      claim,
      isRepeated: isContinued || attempt > 1,
      results,
      storage: storageFrom(options.resultStorage ?? localStorage(`${settings.home}/results`)),
      related,
      origins: new WeakMap(),
      pending: new Set(),
      unseenFailures: new Set(),
      pauses,
      waits: new Map(),
      running: new Set(),
      look: async () => {
        // A run within another carries no claim, and is taken with it.
        await outer?.look();
        await watch?.look();
      },
      isResultKept,
    };
    return {
      flow,
      flowRun: { ...info, runCount: info.runCount + attempt - 1 },
      taskRun: null,
      callCounts: new Map(),
      callPath: "",
      pool: new TaskPool(options.taskConcurrency ?? TASK_CONCURRENCY),
      signal: control.signal,
    };
  };

  return {
    definition,
    info,
    args,
    session,
    settings,
    claimId,
    executor: execution.executor ?? {},
    results,
    hasEarlierResults: isContinued || isRerun(record),
    returnPlace: isReturnKept ? placeOfCall(RETURN, args) : null,
    signal: control.signal,
    scopeFor,
    stop: (reason) => control.abort(reason),
    close(isCompleted) {
      parent?.removeEventListener("abort", onParent);
      watch?.stop();
      heartbeat?.cancel();
      endCapture?.();
      if (isCompleted) results?.remove();
      else results?.close();
    },
  };
}

function inheritedResults({ outer, prefix }: FlowExecution): InheritedResults | null {
  const results = outer?.results ?? null;
  return results === null || prefix === undefined ? null : { results, prefix };
}

/** Any worker may go on with the runs of deployments, and with the runs within them. */
function sharedJournal(
  { session, info, outer }: FlowExecution,
  executor: Pick<SharedJournal, "claim" | "leave">,
): SharedJournal | null {
  const isTakenOver =
    outer === undefined ? info.deploymentId !== null : outer.results?.shared != null;
  return session === null || !isTakenOver ? null : { session, ...executor };
}

const isRerun = (record: FlowRun | null): boolean => record?.created_by?.type === RERUN;

function executorClaim(flow_run_id: string, claim_id: string | null): ExecutorClaim | null {
  return claim_id === null ? null : { flow_run_id, claim_id };
}

export function claimOf(record: FlowRun | null): string | null {
  return record?.state?.state_details.claim_id ?? null;
}

/** What events about the run's tasks name besides them. */
function relatedOf(info: FlowRunInfo, record: FlowRun | null): Record<string, string>[] {
  const resource = (kind: string, id: string, role: string, name?: string) => ({
    "orchestrator.resource.id": `orchestrator.${kind}.${id}`,
    "orchestrator.resource.role": role,
    ...(name !== undefined && { "orchestrator.resource.name": name }),
  });
  return [
    resource("flow-run", info.id, "flow-run", info.name),
    ...(record === null ? [] : [resource("flow", record.flow_id, "flow", info.flowName)]),
    ...(info.deploymentId === null
      ? []
      : [resource("deployment", info.deploymentId, "deployment")]),
    ...info.tags.map((tag) => resource("tag", tag, "tag")),
  ];
}

export function infoOf(
  definition: FlowDefinition,
  record: FlowRun,
  parameters: Parameters,
): FlowRunInfo {
  const { id, name, tags, run_count, deployment_id: deploymentId, empirical_policy } = record;
  // A run that goes on after a pause has been counted already.
  const runCount = run_count + (empirical_policy.resuming === true ? 0 : 1);
  return { id, name, flowName: definition.name, parameters, tags, runCount, deploymentId };
}
