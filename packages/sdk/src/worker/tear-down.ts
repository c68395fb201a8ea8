// After a worker that was killed: its commands are ended, and the server hears what became of their
// runs at once instead of when they were silent for too long. Flows that still run tell of
// themselves and are left alone.

import type { StateType } from "@orchestrator/contract";
import { errorSummary } from "../errors.ts";
import { hasStatus } from "../report/connection.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import { proposeState } from "../run/propose.ts";
import { sleepOrAbort } from "../time.ts";
import { hasFlowRunEnded } from "./job-ending.ts";
import { isSameProcess, type JobRecord } from "./job-records.ts";
import { isGroupAlive, signalGroup } from "./process-group.ts";
import type { WorkerScope } from "./worker-scope.ts";

const PATIENCE_SECONDS = 86_400;
const GRACE_MS = 5000;
const LOOK_MS = 50;
const GONE = 404;

const AFTER: Partial<Record<StateType, StateType>> = {
  PENDING: "SCHEDULED",
  CANCELLING: "CANCELLED",
};

export async function tearDownInfrastructure(scope: WorkerScope): Promise<void> {
  for (const note of scope.notes.leftBehind()) {
    if (scope.stopping.aborted) return;
    if (isOutOfReach(scope, note)) continue;
    let isDown = true;
    if (!note.is_self_reporting || !(await mayLive(scope, note))) {
      isDown = await takeDown(scope, note);
      await tellServer(scope, note);
    }
    if (isDown) scope.notes.remove(note);
  }
}

/** What runs elsewhere is for a worker of its type: no other can look for it, nor end it. */
const isOutOfReach = ({ runner }: WorkerScope, note: JobRecord): boolean =>
  note.process === null && note.identifier !== null && note.type !== runner.type;

/** Of what is elsewhere and has begun nobody here can say that it is gone. */
async function mayLive({ runner }: WorkerScope, note: JobRecord): Promise<boolean> {
  const { process: leader, identifier } = note;
  if (leader !== null) return isSameProcess(leader);
  if (identifier === null) return false;
  return runner.hasBegun?.(identifier).catch(() => true) ?? true;
}

/** Whether nothing of it is left. */
async function takeDown({ runner, tell }: WorkerScope, note: JobRecord): Promise<boolean> {
  if (note.process !== null) {
    if (isSameProcess(note.process)) await endGroup(note.process.pid);
  } else if (note.identifier !== null) {
    try {
      await runner.takeDown?.(note.identifier);
    } catch (error) {
      tell(`${note.identifier} could not be taken down: ${errorSummary(error)}`);
      return false;
    }
  }
  return true;
}

async function endGroup(leader: number): Promise<void> {
  signalGroup(leader, "SIGTERM");
  for (let waited = 0; waited < GRACE_MS && isGroupAlive(leader); waited += LOOK_MS) {
    await sleepOrAbort(LOOK_MS);
  }
  signalGroup(leader, "SIGKILL");
}

async function tellServer(
  { session, tell, stopping }: WorkerScope,
  { flow_run_id: flowRunId, claim_id }: JobRecord,
): Promise<void> {
  const patience = { seconds: PATIENCE_SECONDS, signal: stopping };
  const read = () => session.client.flowRuns.read(flowRunId, { retries: 0 });
  await session.deliverLeft();
  const run = await retryUntilAnswered(read, patience).catch((error: unknown) => {
    if (hasStatus(error, GONE)) return null;
    throw error;
  });
  const isOurs = run !== null && (run.state?.state_details.claim_id ?? null) === claim_id;
  if (run === null || !isOurs || hasFlowRunEnded(run)) return;
  const message = "The worker that had it is gone";
  // What was only claimed was not begun with, and can be anybody's.
  const type = AFTER[run.state_type ?? "RUNNING"] ?? "CRASHED";
  const state = { type, message, state_details: { claim_id } };
  await proposeState(session.client, { flowRunId, state, patienceSeconds: PATIENCE_SECONDS });
  tell(`Cleared up behind an earlier worker: ${run.name} is ${type}`);
}
