// One run, from its claim to its end.

import { hostname } from "node:os";
import type { Deployment, FlowRun, State, StateCreate } from "@orchestrator/contract";
import { errorSummary } from "../errors.ts";
import { hasStatus } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import { startHeartbeat } from "../run/heartbeat.ts";
import { type Proposal, type ProposalResult, proposeState } from "../run/propose.ts";
import { watchCancellation } from "../run/watch-cancellation.ts";
import { type Alarm, msUntil, runAfter, sleepOrAbort } from "../time.ts";
import type { Claimed } from "./claimed.ts";
import {
  awaitsRetry,
  endOfCommand,
  endOfFlow,
  type FinishedJob,
  hasFlowRunEnded,
  type StopReason,
} from "./job-ending.ts";
import { processRecord } from "./job-records.ts";
import { jobOutput } from "./output.ts";
import { prepareJob } from "./prepare-job.ts";
import { pullForRun } from "./pull-for-run.ts";
import { JobError, type JobPlace, type RunningJob, type WorkerJob } from "./runner.ts";
import type { WorkerScope } from "./worker-scope.ts";

const CLAIM_SECONDS = 30;
/** A job that has run is told of however long the server is away. */
const PATIENCE_SECONDS = 7 * 86_400;
const FLUSH_MS = 10_000;
/** A flow that has told its end may have something left to do, such as its hooks. */
const AFTERWARDS_MS = 300_000;
const NOT_THERE = 404;

/** Claims the run and carries it out; does nothing when it went to somebody else. */
export async function executeJob(scope: WorkerScope, record: FlowRun): Promise<void> {
  const verdict = await proposeState(scope.session.client, {
    flowRunId: record.id,
    state: { type: "PENDING" },
    patienceSeconds: CLAIM_SECONDS,
    signal: scope.stopping,
  });
  if (verdict.kind !== "accepted" || verdict.state.type !== "PENDING") return;
  await carryOutClaimed(scope, {
    run: record,
    claim: verdict.state,
    deployment: null,
    pool: null,
  });
}

export const carryOutClaimed = (scope: WorkerScope, claimed: Claimed): Promise<void> =>
  new ClaimedRun(scope, claimed).carryOut();

class ClaimedRun {
  readonly #scope: WorkerScope;
  readonly #run: FlowRun;
  readonly #claimed: Claimed;
  readonly #claimId: string | null;
  /** Fires when the job is to end, or not to begin. */
  readonly #stop = new AbortController();
  #reason: StopReason | null = null;
  #job: RunningJob | null = null;
  #graceSeconds: number;
  #releaseCode: () => void = () => {};
  /** The state that it was left in, as far as is known here. */
  #outcome: string | null = null;

  constructor(scope: WorkerScope, claimed: Claimed) {
    this.#scope = scope;
    this.#run = claimed.run;
    this.#claimed = claimed;
    this.#claimId = claimed.claim.state_details.claim_id ?? null;
    this.#graceSeconds = scope.graceSeconds;
  }

  async carryOut(): Promise<void> {
    const { session, notes, stopping, ending, killing, tell } = this.#scope;
    this.#note(null, false);
    let isFlow = false;
    let isTold = true;
    let leaving: Alarm | null = null;
    const watch = watchCancellation(session, this.#run.id, {
      onCancelling: () => this.#end("cancelled"),
      onEnded: () => {
        if (isFlow) leaving ??= runAfter(AFTERWARDS_MS, () => this.#end("ended elsewhere"));
        else this.#end("ended elsewhere");
      },
    });
    const onEnding = (): void => this.#end("worker stopped");
    const onKilling = (): void => this.#job?.kill();
    ending.addEventListener("abort", onEnding, { once: true });
    killing.addEventListener("abort", onKilling, { once: true });
    try {
      const job = await this.#prepare();
      if (job === null) return;
      // The claim was under way when the worker was stopped.
      if (stopping.aborted) this.#end("worker stopped");
      isFlow = job.isSelfReporting;
      if (isFlow) await this.#runFlow(job);
      else await this.#runCommand(job);
    } catch (error) {
      isTold = !killing.aborted;
      if (isTold) await this.#giveUp(error);
    } finally {
      watch.stop();
      (leaving as Alarm | null)?.cancel();
      ending.removeEventListener("abort", onEnding);
      killing.removeEventListener("abort", onKilling);
      // What could not be told in the end is for the next worker to tell.
      this.#releaseCode();
      if (isTold) notes.remove({ flow_run_id: this.#run.id, claim_id: this.#claimId });
      if (this.#outcome !== null) tell(`${this.#run.name}: ${this.#outcome}`);
    }
  }

  /** What is needed to start it; null when the run was told of already. */
  async #prepare(): Promise<WorkerJob | null> {
    const { session, poolName, runner } = this.#scope;
    const { deployment_id } = this.#run;
    const { claim, deployment: given, pool } = this.#claimed;
    const readDeployment = async (): Promise<Deployment | null> =>
      deployment_id === null || given !== null
        ? given
        : session.client.deployments.read(deployment_id, { retries: 0 });
    const patience = { seconds: PATIENCE_SECONDS, signal: this.#stop.signal };
    try {
      const deployment = await retryUntilAnswered(readDeployment, patience);
      const sources = { run: this.#run, claim, deployment, pool, poolName, runner };
      const job = await retryUntilAnswered(() => prepareJob(sources), patience);
      const grace = job.configuration["grace_seconds"];
      if (typeof grace === "number") this.#graceSeconds = grace;
      const { signal } = this.#stop;
      const pulled = await pullForRun(this.#scope, { run: this.#run, job, signal });
      this.#releaseCode = pulled.release;
      return pulled.job;
    } catch (error) {
      if (this.#reason !== null) await this.#tellStopped();
      else if (hasStatus(error, NOT_THERE))
        await this.#propose({ type: "CANCELLED", message: "Its deployment or pool is gone" });
      else throw error;
      return null;
    }
  }

  /**
   * A command says nothing about itself: the worker does, and tries it again as the run's policy
   * says.
   */
  async #runCommand(job: WorkerJob): Promise<void> {
    const { id, name, flow_id, parameters, tags, run_count, deployment_id } = this.#run;
    const info = { id, name, parameters, tags, deploymentId: deployment_id };
    for (;;) {
      if (this.#reason !== null) return this.#tellStopped();
      const begun = await this.#begin().catch(() => null);
      if (begun?.kind !== "accepted") {
        if (begun === null || begun.kind === "rejected") await this.#tellStopped();
        return;
      }
      const heartbeat = startHeartbeat(this.#scope.session, {
        ...info,
        flowName: flow_id,
        runCount: run_count + 1,
      });
      const finished = await this.#runOnce(job).finally(() => heartbeat.cancel());
      const state = endOfCommand(finished);
      if (state === null || hasFlowRunEnded(await this.#read())) return;
      const verdict = await this.#propose(this.#rescheduledIfWanted(state));
      if (verdict.kind !== "rejected" || !awaitsRetry(verdict.state)) return;
      const waitMs = msUntil(verdict.state.state_details.scheduled_time);
      await sleepOrAbort(waitMs, this.#stop.signal).catch(() => {});
    }
  }

  #begin(): Promise<ProposalResult> {
    const { heartbeatSeconds } = this.#scope.session.settings;
    return this.#propose(
      { type: "RUNNING" },
      {
        signal: this.#stop.signal,
        executor: { heartbeat_interval_seconds: heartbeatSeconds },
      },
    );
  }

  /** A flow tells of its states itself; the worker says only what its process had no time to. */
  async #runFlow(job: WorkerJob): Promise<void> {
    if (this.#reason !== null) return this.#tellStopped();
    const finished = await this.#runOnce(job);
    if (finished.end.endedAs !== undefined) {
      this.#outcome = finished.end.endedAs;
      return;
    }
    let run = await this.#read();
    if (!hasFlowRunEnded(run)) {
      // It may have left its end to whoever comes next.
      await this.#scope.session.deliverLeft();
      run = await this.#read();
    }
    this.#outcome = run.state_name;
    const state = endOfFlow(finished, run, this.#claimId);
    const isCrashed = run.state_type === "CRASHED" || state?.type === "CRASHED";
    if (finished.stopped === "worker stopped" && this.#scope.reschedules && isCrashed)
      await this.#propose(this.#rescheduled());
    else if (state !== null) await this.#propose(state);
  }

  async #runOnce(job: WorkerJob): Promise<FinishedJob> {
    const { session, runner, show } = this.#scope;
    const isShown = job.configuration["stream_output"] !== false && show !== null;
    const output = jobOutput(
      session,
      this.#run,
      isShown ? (text) => show(this.#run.name, text) : null,
    );
    this.#note(null, job.isSelfReporting);
    const running = await runner.start(job, output.onLine, (place) =>
      this.#note(place, job.isSelfReporting),
    );
    this.#job = running;
    this.#tellPlace(running);
    if (this.#reason !== null) running.stop(this.#graceSeconds);
    const end = await running.ended;
    this.#job = null;
    await session.logs.flush(FLUSH_MS);
    return { end, stopped: this.#reason, tail: output.tail() };
  }

  #end(reason: StopReason): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#stop.abort(new Error(`The job is to end: ${reason}`));
    this.#job?.stop(this.#graceSeconds);
  }

  /** Of a run that had not begun when it was to end. */
  async #tellStopped(): Promise<void> {
    const run = await this.#read();
    if (hasFlowRunEnded(run)) return;
    if (run.state_type === "CANCELLING") await this.#propose({ type: "CANCELLED" });
    else if (this.#reason === "worker stopped") await this.#propose(this.#rescheduled(run.state));
  }

  async #giveUp(error: unknown): Promise<void> {
    const message = error instanceof JobError ? error.message : errorSummary(error);
    this.#scope.tell(`${this.#run.name}: ${message}`);
    await this.#propose({ type: "CRASHED", message }).catch(() => {});
  }

  /** Another try that it waited for keeps its time. */
  #rescheduled(before: State | null = null): StateCreate {
    const message = "Its worker was stopped, so it waits for another";
    const time = before !== null && awaitsRetry(before) && before.state_details.scheduled_time;
    return { type: "SCHEDULED", message, ...(time && { state_details: { scheduled_time: time } }) };
  }

  #rescheduledIfWanted(state: StateCreate): StateCreate {
    const isWanted = this.#reason === "worker stopped" && this.#scope.reschedules;
    return isWanted ? this.#rescheduled() : state;
  }

  async #propose(
    state: StateCreate,
    more: Pick<Proposal, "signal" | "executor"> = {},
  ): Promise<ProposalResult> {
    const claim = this.#claimId === null ? {} : { claim_id: this.#claimId };
    const verdict = await proposeState(this.#scope.session.client, {
      flowRunId: this.#run.id,
      state: { ...state, state_details: { ...state.state_details, ...claim } },
      patienceSeconds: PATIENCE_SECONDS,
      signal: this.#scope.killing,
      ...more,
    });
    if (verdict.kind !== "aborted") this.#outcome = verdict.state.name;
    return verdict;
  }

  #read(): Promise<FlowRun> {
    const { session, killing } = this.#scope;
    const read = () => session.client.flowRuns.read(this.#run.id, { retries: 0 });
    return retryUntilAnswered(read, { seconds: PATIENCE_SECONDS, signal: killing });
  }

  #note(place: JobPlace | null, isSelfReporting: boolean): void {
    const pid = place?.pid ?? null;
    this.#scope.notes.write({
      flow_run_id: this.#run.id,
      claim_id: this.#claimId,
      is_self_reporting: isSelfReporting,
      host: hostname(),
      worker: processRecord(process.pid),
      type: this.#scope.runner.type,
      identifier: place?.identifier ?? null,
      process: pid === null ? null : processRecord(pid),
    });
  }

  /** For people and for whoever has to take it down; the job does not wait for it. */
  #tellPlace({ identifier, isReported = false }: RunningJob): void {
    const { session, poolName, workerName, runner, tell } = this.#scope;
    tell(`${this.#run.name}: started as ${identifier}`);
    if (isReported && this.#claimed.pool !== null) return;
    const labels = {
      "orchestrator.worker.name": workerName,
      "orchestrator.worker.type": runner.type,
      "orchestrator.work-pool.name": poolName,
    };
    session.client.flowRuns
      .update(this.#run.id, { infrastructure_pid: identifier, labels })
      .catch((error: unknown) => tell(`${this.#run.name}: ${errorSummary(error)}`));
  }
}
