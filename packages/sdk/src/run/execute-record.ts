import type { FlowRun } from "@orchestrator/contract";
import { errorSummary, NoServerError } from "../errors.ts";
import { nameOfRun } from "../options/run-name.ts";
import { retryUntilAnswered } from "../report/retry-budget.ts";
import type { ReportSession } from "../report/session.ts";
import { checkParameters, executeFlow } from "./call-flow.ts";
import { claimOf, type Executor, infoOf } from "./executed-run.ts";
import { failUnbegun } from "./fail-unbegun.ts";
import { type FlowDefinition, policyOf } from "./flow-run.ts";

export interface RecordExecution {
  /** A run that was claimed for this process. */
  readonly record: FlowRun;
  /**
   * Of this process, where the record may be under a later one. @default the one that the record is
   * under
   */
  readonly claimId?: string | null;
  readonly executor?: Executor;
  readonly parent: AbortSignal | null;
}

/** Executes a run that the server has: one of a deployment, or one that is tried again. */
export async function executeRecord(
  session: ReportSession,
  definition: FlowDefinition,
  { record, claimId = claimOf(record), executor = {}, parent }: RecordExecution,
): Promise<unknown> {
  const { given, named } = await prepare(session, definition, { record, parent }).catch(
    async (error: unknown) => {
      // Without a server, or told to go, it is left to whoever claims it next.
      const isLeft = error instanceof NoServerError || parent?.aborted === true;
      if (!isLeft)
        await failUnbegun(session, { flowRunId: record.id, claimId }, errorSummary(error));
      throw error;
    },
  );
  return executeFlow({
    definition,
    info: infoOf(definition, named, record.parameters),
    args: [given],
    session,
    settings: session.settings,
    record: named,
    claimId,
    executor,
    parent,
  });
}

interface Prepared {
  readonly given: unknown;
  readonly named: FlowRun;
}

/**
 * Checks the parameters, and tells what the flow says about its runs and their deployment does not
 * know.
 */
async function prepare(
  session: ReportSession,
  definition: FlowDefinition,
  { record, parent }: RecordExecution,
): Promise<Prepared> {
  const given = await checkParameters(definition, record.parameters);
  const { runName, version, retries = 0 } = definition.options;
  const isFirst = record.run_count === 0;
  const name = isFirst && runName !== undefined ? nameOfRun(runName, [given]) : undefined;
  const changes = {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { flow_version: version }),
    ...(retries > 0 && {
      empirical_policy: { ...record.empirical_policy, ...policyOf(definition) },
    }),
  };
  if (Object.keys(changes).length > 0) {
    const tell = () => session.client.flowRuns.update(record.id, changes, { retries: 0 });
    const signal = parent ?? undefined;
    await retryUntilAnswered(tell, { seconds: session.settings.deliverySeconds, signal });
  }
  return { given, named: name === undefined ? record : { ...record, name } };
}
