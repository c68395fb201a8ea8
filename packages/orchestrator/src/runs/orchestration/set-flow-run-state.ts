// One proposed state of a flow run, from the rules to the rows: the state, the run's columns, slots
// and the event are written in one transaction.

import type {
  FlowRunPolicy,
  Labels,
  OrchestrationResult,
  StateCreate,
  StateType,
} from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { announceState } from "../../polling/work-topics.rules.ts";
import { applyRules, orchestrationResult, overtaken, type RulesOutcome } from "./apply-rules.ts";
import { deadlineOf } from "./deadlines.ts";
import { afterLast, timesAfter } from "./derive-run.ts";
import { leftStateJson } from "./earlier-transitions.ts";
import { emitFlowRunEvent } from "./flow-run-event.ts";
import { FLOW_RUN_POLICY, MINIMAL_FLOW_RUN_POLICY } from "./flow-run-policy.ts";
import { enterFlowRunState, type LockedFlowRun, lockFlowRun } from "./flow-run-states.store.ts";
import {
  draftPolicy,
  type FlowRunRule,
  type FlowRunTransition,
  type PolicyDraft,
} from "./flow-run-transition.ts";
import { withLabels } from "./labels.rules.ts";
import { mirrorToParent } from "./mirror-subflow.ts";
import { lockScheduleOf } from "./overlap.store.ts";
import { relatedOf } from "./related-resources.ts";
import { storeResultArtifact } from "./result-artifact.ts";
import { isTerminal, type RunState, receiveState, storedState, withDetails } from "./run-state.ts";
import { lockTaskRun } from "./task-run-states.store.ts";

/** Each is null where nothing is known, and the run keeps what it has. */
export interface ExecutorFacts {
  readonly infrastructurePid?: string | null;
  readonly silenceSeconds?: number | null;
  /** Added to those of the run. */
  readonly labels?: Labels;
}

export interface StateProposal {
  readonly id: string;
  readonly state: StateCreate;
  readonly force?: boolean | null | undefined;
  readonly clientVersion?: readonly number[] | null;
  /** Only while the run is still in this state; otherwise nothing happens. */
  readonly ifStateId?: string;
  /**
   * Only while the server is to act on the run at this time: it may have been heard of meanwhile.
   */
  readonly ifDeadline?: string;
  /** What is known of the executor that proposes it. */
  readonly executor?: ExecutorFacts;
  /** Another list of rules than the proposal would have; for the server's own proposals. */
  readonly rules?: readonly FlowRunRule[];
}

/** Proposes a state in a transaction of its own. */
export async function setFlowRunState(
  ctx: OrchestratorContext,
  scope: Pick<Scope, "workspaceId">,
  proposal: StateProposal,
): Promise<OrchestrationResult> {
  return ctx.db.write(scope.workspaceId, (tx) => proposeFlowRunState(ctx, tx, proposal));
}

/** Proposes a state inside another change. */
export async function proposeFlowRunState(
  ctx: OrchestratorContext,
  tx: Transaction,
  { id, state, force, clientVersion = null, rules, executor = {}, ...expected }: StateProposal,
): Promise<OrchestrationResult> {
  const policyRules = rules ?? (force ? MINIMAL_FLOW_RUN_POLICY : FLOW_RUN_POLICY);
  const isClaim = state.type === "PENDING" && policyRules === FLOW_RUN_POLICY;
  // Locked in this order; waiting for both at once saves a round trip.
  const [schedule, run] = await Promise.all([
    isClaim ? lockScheduleOf(tx, id) : null,
    lockFlowRun(tx, id),
  ]);
  if (run === null) throw new AppError("not_found", `Flow run ${id} not found`);
  // Locked before the limits, in the same order as by a change of the task run itself.
  if (run.parent_task_run_id !== null) await lockTaskRun(tx, run.parent_task_run_id);
  const now = ctx.clock.now();
  const initial = run.state === null ? null : (readJson(run.state) as RunState);
  const { ifStateId, ifDeadline } = expected;
  if (ifStateId !== undefined && initial?.id !== ifStateId) return overtaken(initial);
  if (ifDeadline !== undefined && run.deadline !== ifDeadline) return overtaken(initial);
  const policy = draftPolicy(readJson(run.empirical_policy) as FlowRunPolicy);
  const outcome = await applyRules<LockedFlowRun, FlowRunTransition>(policyRules, {
    ctx,
    tx,
    now,
    run,
    initial,
    policy,
    schedule,
    clientVersion,
    proposed: receiveState(state, { ids: ctx.ids, now }),
  });
  if (outcome.state === null) {
    await outcome.windUp();
    return orchestrationResult(outcome, outcome.answer ?? initial);
  }
  const { windUp } = outcome;
  const entered = settled(outcome.state, run);
  const accepted = {
    run,
    initial,
    policy,
    proposed: state.type,
    state: entered,
    windUp,
    now,
    executor,
  };
  return orchestrationResult(outcome, await commit(ctx, tx, accepted));
}

interface Accepted extends Pick<RulesOutcome, "windUp"> {
  readonly run: LockedFlowRun;
  readonly initial: RunState | null;
  readonly policy: ReturnType<typeof draftPolicy>;
  readonly proposed: StateType;
  readonly state: RunState;
  readonly now: string;
  readonly executor: ExecutorFacts;
}

/**
 * Writes a state that the rules have let through, with all that follows from it, and tells what was
 * written.
 */
async function commit(
  ctx: OrchestratorContext,
  tx: Transaction,
  { run, initial, policy, proposed, state, windUp, now, executor }: Accepted,
): Promise<RunState> {
  // So that it is at hand for the event: once something has been changed, all has to be read in the
  // transaction.
  await relatedOf(ctx, tx.committed, run);
  const owner = { flow_run_id: run.id, task_run_id: null };
  const committed = await storeResultArtifact(ctx, tx, { state, owner });
  const wasResuming = policy.current().resuming === true;
  const times = timesAfter(run, { from: run.state_type, next: committed, isCounted: !wasResuming });
  settlePolicy(policy, proposed, committed);
  await windUp();
  const { infrastructurePid, labels } = executor;
  const silence_seconds = executor.silenceSeconds ?? run.silence_seconds;
  const retry_type = policy.current().retry_type ?? null;
  // Every column is named: spreading objects into each other is slow.
  enterFlowRunState(tx, run, {
    id: run.id,
    updated: now,
    state_id: committed.id,
    state_type: committed.type,
    state_name: committed.name,
    state_timestamp: committed.timestamp,
    state: storedState(committed),
    run_count: times.run_count,
    expected_start_time: times.expected_start_time,
    next_scheduled_start_time: times.next_scheduled_start_time,
    start_time: times.start_time,
    end_time: times.end_time,
    total_run_time: times.total_run_time,
    effective_start_time: times.start_time ?? times.expected_start_time,
    empirical_policy: policy.isChanged() ? writeJson(policy.current()) : run.empirical_policy,
    retry_type,
    deadline: deadlineOf(ctx, committed, {
      isTriedInProcess: retry_type === "in_process",
      silenceSeconds: silence_seconds,
    }),
    infrastructure_pid: infrastructurePid ?? run.infrastructure_pid,
    silence_seconds,
    labels: labels === undefined ? run.labels : withLabels(run.labels, labels),
    earlier_transitions: leftStateJson(run.earlier_transitions, initial),
  });
  await emitFlowRunEvent(ctx, tx, { run, runCount: times.run_count, initial, committed });
  announceState(tx, run, committed.type);
  if (run.parent_task_run_id !== null) await mirrorToParent(ctx, tx, { run, committed });
  return committed;
}

/** The state as it is committed: with a time of its own, and the ids of what it belongs to. */
function settled(state: RunState, run: LockedFlowRun): RunState {
  const timestamp = afterLast(state.timestamp, run.state_timestamp);
  const details = { flow_run_id: run.id, task_run_id: run.parent_task_run_id };
  return withDetails({ ...state, timestamp }, details);
}

/** What the policy no longer says once the run is in a state. */
function settlePolicy(policy: PolicyDraft, proposed: StateType, { type }: RunState): void {
  const { resuming, retry_type } = policy.current();
  if (resuming === true && (type === "RUNNING" || isTerminal(type)))
    policy.change({ resuming: false });
  // Only a run that has failed is tried again by its own process; whoever schedules it anew does
  // not wait for that.
  if (retry_type === "in_process" && type === "SCHEDULED" && proposed !== "FAILED")
    policy.change({ retry_type: null });
}
