// A run to be made, and the row that it becomes.

import type { FlowRunPolicy, Labels, StateCreate } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import type { FlowRunRow } from "../../db/tables/flow-runs.table.ts";
import { MAX_PARAMETERS_BYTES, parametersTooLarge } from "../../parameters/merge.ts";
import type { ReusedResults } from "../../telemetry/journal/reused-results.store.ts";
import { runKey, runName } from "../../texts/run-texts.ts";
import { deadlineOf } from "../orchestration/deadlines.ts";
import { NEW_TIMES, timesAfter } from "../orchestration/derive-run.ts";
import {
  type RunState,
  receiveState,
  storedState,
  withDetails,
} from "../orchestration/run-state.ts";
import type { SeenDeployment } from "./flow-run-insert.store.ts";
import { randomRunName } from "./run-names.ts";
import { fullPolicy } from "./run-policy.rules.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** A run to be made, with all that its caller has decided. What is left out is empty or made up. */
export interface NewFlowRun {
  readonly flow_id: string;
  readonly state: StateCreate;
  readonly labels: Labels;
  readonly name?: string | null | undefined;
  readonly deployment_id?: string | null;
  readonly deployment_version?: string | null;
  /** Where the deployment was read outside the transaction: what it was like. */
  readonly seen?: SeenDeployment;
  readonly work_queue_id?: string | null;
  readonly flow_version?: string | null | undefined;
  readonly parameters?: JsonObject | null | undefined;
  readonly idempotency_key?: string | null | undefined;
  readonly context?: JsonObject | null | undefined;
  readonly empirical_policy?: FlowRunPolicy | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly parent_task_run_id?: string | null | undefined;
  readonly infrastructure_document_id?: string | null | undefined;
  readonly job_variables?: JsonObject | null | undefined;
  readonly priority?: number | null | undefined;
  readonly concurrency_key?: string | null;
  readonly created_by?: {
    readonly id: string | null;
    readonly type: string;
    readonly display_value: string | null;
  } | null;
  /** Results of an earlier run that the new one begins with. */
  readonly reused?: ReusedResults | null;
}

/**
 * The labels of a run: those of what it came from, its origin, and its own, of which the later win.
 */
export function runLabels(
  { dialect }: Pick<OrchestratorContext, "dialect">,
  {
    flow,
    deployment,
    given,
  }: {
    readonly flow: { readonly id: string; readonly labels: string };
    readonly deployment: { readonly id: string; readonly labels: string } | null;
    readonly given: Labels;
  },
): Labels {
  const { prefix } = dialect;
  return {
    ...(readJson((deployment ?? flow).labels) as Labels),
    [`${prefix}.flow.id`]: flow.id,
    ...(deployment !== null && { [`${prefix}.deployment.id`]: deployment.id }),
    ...given,
  };
}

/**
 * The row of a run that has just entered its first state. Every column is named: spreading one
 * object into another so large is slow.
 */
export function firstRow(
  ctx: OrchestratorContext,
  given: NewFlowRun,
  now: string,
): { readonly row: FlowRunRow; readonly state: RunState } {
  const id = ctx.ids.uuid7();
  const policy = fullPolicy(given.empirical_policy);
  const parentTaskRunId = given.parent_task_run_id ?? null;
  const received = receiveState(given.state, { ids: ctx.ids, now });
  const state = withDetails(received, { flow_run_id: id, task_run_id: parentTaskRunId });
  const times = timesAfter(NEW_TIMES, { from: null, next: state, isCounted: true });
  const createdBy = given.created_by ?? null;
  const row: FlowRunRow = {
    id,
    created: now,
    updated: now,
    name: given.name ? runName(given.name) : randomRunName(),
    flow_id: given.flow_id,
    deployment_id: given.deployment_id ?? null,
    deployment_version: given.deployment_version ?? null,
    work_queue_id: given.work_queue_id ?? null,
    flow_version: storedVersion(given.flow_version),
    parameters: parametersJson(given.parameters ?? {}),
    idempotency_key: given.idempotency_key ? runKey(given.idempotency_key) : null,
    context: writeJson(given.context ?? {}),
    empirical_policy: writeJson(policy),
    retry_type: policy.retry_type ?? null,
    tags: JSON.stringify([...new Set(given.tags ?? [])]),
    labels: writeJson(given.labels),
    parent_task_run_id: parentTaskRunId,
    state_id: state.id,
    state_type: state.type,
    state_name: state.name,
    state_timestamp: times.state_timestamp,
    state: storedState(state),
    run_count: times.run_count,
    expected_start_time: times.expected_start_time,
    next_scheduled_start_time: times.next_scheduled_start_time,
    start_time: times.start_time,
    effective_start_time: times.start_time ?? times.expected_start_time,
    end_time: times.end_time,
    total_run_time: times.total_run_time,
    auto_scheduled: false,
    infrastructure_document_id: given.infrastructure_document_id ?? null,
    infrastructure_pid: null,
    created_by: createdBy === null ? null : JSON.stringify(createdBy),
    created_by_id: createdBy?.id ?? null,
    created_by_type: createdBy?.type ?? null,
    job_variables: writeJson(jobVariables(given)),
    priority: given.priority ?? 0,
    concurrency_key: given.concurrency_key ?? null,
    deadline: deadlineOf(ctx, state),
  };
  return { row, state };
}

export const storedVersion = (version: string | null | undefined): string | null =>
  version == null ? null : runKey(version);

/**
 * Null that was said of a run with a key is kept, as the established server keeps it; of other runs
 * it says nothing.
 */
function jobVariables({ job_variables, idempotency_key }: NewFlowRun): JsonObject | null {
  if (job_variables === null && idempotency_key) return null;
  return job_variables ?? {};
}

export function parametersJson(parameters: JsonObject): string {
  const json = writeJson(parameters);
  if (!parametersTooLarge(json)) return json;
  throw new InvalidRequestError([
    {
      type: "value_error",
      loc: ["body", "parameters"],
      msg: `Value error, parameters take more than ${MAX_PARAMETERS_BYTES} bytes`,
    },
  ]);
}
