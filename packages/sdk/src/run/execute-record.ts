import type { FlowRun } from "@orchestrator/contract";
import { describeError } from "../errors.ts";
import type { Session } from "../report/session.ts";
import { checkParameters, execute } from "./call-flow.ts";
import { claimOf, infoOf } from "./executed-run.ts";
import { failUnbegun } from "./fail-unbegun.ts";
import { type FlowDefinition, policyOf } from "./flow-run.ts";
import { nameOfRun } from "./run-name.ts";

export interface RecordExecution {
  /** A run that was claimed for this process. */
  readonly record: FlowRun;
  /** Of this process, where the record may be under a later one. @default the one that the record is under */
  readonly claimId?: string | null;
  readonly parent: AbortSignal | null;
}

/** Executes a run that the server has: one of a deployment, or one that is tried again. */
export async function executeRecord(
  session: Session,
  definition: FlowDefinition,
  { record, claimId = claimOf(record), parent }: RecordExecution,
): Promise<unknown> {
  const given = await checkParameters(definition, record.parameters).catch(
    async (error: unknown) => {
      await failUnbegun(session, { flowRunId: record.id, claimId }, describeError(error));
      throw error;
    },
  );
  const named = await tellFacts(session, definition, { record, given });
  return execute({
    definition,
    info: infoOf(definition, named, record.parameters),
    args: [given],
    session,
    settings: session.settings,
    record: named,
    claimId,
    parent,
  });
}

/** What the flow says about its runs and their deployment does not know. */
async function tellFacts(
  session: Session,
  definition: FlowDefinition,
  { record, given }: { readonly record: FlowRun; readonly given: unknown },
): Promise<FlowRun> {
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
  if (Object.keys(changes).length > 0) await session.client.flowRuns.update(record.id, changes);
  return name === undefined ? record : { ...record, name };
}
