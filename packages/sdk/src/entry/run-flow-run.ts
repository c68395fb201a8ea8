// A flow run that a worker has claimed, executed in this process.

import type { FlowRun } from "@orchestrator/contract";
import { CancelledError, errorSummary, RunStoppedError, TerminatedError } from "../errors.ts";
import { openSession, type ReportSession } from "../report/session.ts";
import { executeRecord } from "../run/execute-record.ts";
import { claimOf, type Executor } from "../run/executed-run.ts";
import { failUnbegun, type UnbegunRun } from "../run/fail-unbegun.ts";
import type { FlowDefinition } from "../run/flow-run.ts";
import { logUnreported } from "../run/log-unreported.ts";
import { loadFlow } from "./entrypoint.ts";

export interface RunFlowRunOptions {
  /** @default the deployment's */
  readonly entrypoint?: string | undefined;
  /** The folder that the entrypoint begins in. @default the current one */
  readonly folder?: string | undefined;
  /** The run as it was claimed for this process. @default what the server says */
  readonly record?: FlowRun | undefined;
  readonly executor?: Executor | undefined;
}

/** How the run ended, for whoever has started the process. */
export type RunOutcome = "completed" | "failed" | "left";

/** Executes a run by its id: finds its flow, and takes the run from where it is to its end. */
export async function runFlowRun(
  flowRunId: string,
  options: RunFlowRunOptions = {},
): Promise<RunOutcome> {
  const session = openSession();
  const record = options.record ?? (await session.client.flowRuns.read(flowRunId));
  const claimId = claimGivenFor(flowRunId) ?? claimOf(record);
  // Before the run is told anything, such as its name: that is not asked for in the name of the
  // claim.
  if (claimId !== claimOf(record)) return "left";
  const definition = await findFlow(session, { ...options, flowRunId, claimId });
  const control = new AbortController();
  const onSignal = (): void => void stopForSignal(session, flowRunId, control);
  process.once("SIGTERM", onSignal);
  process.once("SIGINT", onSignal);
  try {
    const { executor = {} } = options;
    await executeRecord(session, definition, { record, claimId, executor, parent: control.signal });
    return "completed";
  } catch (error) {
    if (error instanceof RunStoppedError) return "left";
    logUnreported(record.name, error);
    return "failed";
  } finally {
    process.removeListener("SIGTERM", onSignal);
    process.removeListener("SIGINT", onSignal);
    await session.flush(session.settings.deliverySeconds * 1000);
  }
}

/**
 * The claim that this process was started for. One that starts late finds the run under another's
 * claim, and must not take that for its own; the claim says nothing about other runs, such as one
 * that is named on the command line.
 */
function claimGivenFor(flowRunId: string): string | null {
  const { ORCHESTRATOR_FLOW_RUN_ID, ORCHESTRATOR_CLAIM_ID = "" } = process.env;
  return ORCHESTRATOR_FLOW_RUN_ID === flowRunId && ORCHESTRATOR_CLAIM_ID !== ""
    ? ORCHESTRATOR_CLAIM_ID
    : null;
}

/** A process is told to go because its run is cancelled, or because its machine goes down. */
async function stopForSignal(
  { client }: ReportSession,
  flowRunId: string,
  control: AbortController,
): Promise<void> {
  const record = await client.flowRuns.read(flowRunId, { retries: 0 }).catch(() => null);
  const isCancelled = record?.state_type === "CANCELLING" || record?.state_type === "CANCELLED";
  control.abort(
    isCancelled
      ? new CancelledError("The run was cancelled")
      : new TerminatedError("The process was told to end"),
  );
}

async function findFlow(
  session: ReportSession,
  { entrypoint, folder, ...run }: RunFlowRunOptions & UnbegunRun,
): Promise<FlowDefinition> {
  try {
    const where = entrypoint ?? (await entrypointOf(session, run.flowRunId));
    return await loadFlow(where, folder ?? process.cwd());
  } catch (error) {
    await failUnbegun(session, run, `The flow could not be loaded: ${errorSummary(error)}`);
    throw error;
  }
}

async function entrypointOf({ client }: ReportSession, flowRunId: string): Promise<string> {
  const { deployment_id } = await client.flowRuns.read(flowRunId);
  if (deployment_id === null)
    throw new Error("It belongs to no deployment, and no entrypoint is given");
  const { entrypoint } = await client.deployments.read(deployment_id);
  if (entrypoint === null) throw new Error("Its deployment names no entrypoint");
  return entrypoint;
}
