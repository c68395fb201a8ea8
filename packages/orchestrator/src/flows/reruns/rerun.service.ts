// A fork of a run: a new run of the same deployment that begins with results of the earlier one.

import type {
  DeploymentFlowRunCreate,
  FlowRunPolicy,
  FlowRunRerun,
  JsonObject,
  Labels,
} from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { InvalidRequestError, normaliseUuid } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { CreatedFlowRun } from "../../runs/flow-runs/create-flow-run.service.ts";
import { type ReusedResults, sizeOfResults } from "../../telemetry/journal/reused-results.store.ts";
import { createDeploymentRun } from "../deployments/create-run.service.ts";
import { findOriginalRun, findTaskTimes, type OriginalRun } from "./rerun-source.store.ts";

/** `created_by.type` of a run that reruns another one, whose id is `created_by.id`. */
const RERUN = "RERUN";

/** Other writes wait while results are copied. */
const MAX_ENTRIES = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
const END_OF_TIME = "9999-12-31T23:59:59.999999Z";

export async function rerunFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, body }: { readonly id: string; readonly body: FlowRunRerun },
): Promise<CreatedFlowRun> {
  const queries = ctx.db.in(scope.workspaceId);
  const original = await findOriginalRun(queries, id);
  if (original === null) throw new AppError("not_found", `Flow run ${id} not found`);
  const { deployment_id } = original;
  if (deployment_id === null) throw notExecutable(original);
  const fork = await readFork(queries, original, body.from ?? "failed");
  const size = fork.reused === null ? null : await sizeOfResults(queries, fork.reused);
  if (size !== null && (size.entries > MAX_ENTRIES || size.bytes > MAX_BYTES)) {
    throw new AppError(
      "conflict",
      `${original.name} has ${size.entries} results of ${size.bytes} bytes; at most ${MAX_ENTRIES} of ${MAX_BYTES} bytes can be reused: rerun it from its start`,
    );
  }
  return createDeploymentRun(ctx, scope, {
    id: deployment_id,
    body: {
      ...bodyOf(original, body),
      labels: ownLabels(original, ctx.dialect.prefix),
      state: { type: "SCHEDULED", message: messageOf(original, fork, size?.entries ?? 0) },
    },
    createdBy: { id, type: RERUN, display_value: original.name },
    reused: fork.reused,
  });
}

interface Fork {
  readonly from: string;
  /** Null where the new run begins at its start. */
  readonly reused: ReusedResults | null;
}

async function readFork(queries: Queries, { id, name }: OriginalRun, from: string): Promise<Fork> {
  const results = (before: string): ReusedResults => ({ flow_run_id: id, before });
  if (from === "start") return { from: "its start", reused: null };
  if (from === "failed") return { from: "its last result", reused: results(END_OF_TIME) };
  const taskRunId = normaliseUuid(from);
  if (taskRunId === undefined)
    throw unknownFrom("`from` is `failed`, `start` or the id of a task run", from);
  const times = await findTaskTimes(queries, { id: taskRunId, flow_run_id: id });
  if (times === null) throw unknownFrom(`${name} has no task run ${taskRunId}`, from);
  // A reused result has no start. A task run that never began has everything behind it.
  const before = times.start_time ?? times.end_time ?? END_OF_TIME;
  return { from: `its task run ${times.name}`, reused: results(before) };
}

function unknownFrom(problem: string, input: string): InvalidRequestError {
  const msg = `Value error, ${problem}`;
  return new InvalidRequestError([{ type: "value_error", loc: ["body", "from"], msg, input }]);
}

function notExecutable({ name, parent_task_run_id }: OriginalRun): AppError {
  const advice =
    parent_task_run_id === null
      ? "call its flow again, or deploy it"
      : "rerun the run that it is a subflow of";
  return new AppError(
    "conflict",
    `${name} belongs to no deployment, so that no worker would execute a rerun of it: ${advice}`,
  );
}

function messageOf({ name }: OriginalRun, { from }: Fork, count: number): string {
  const reused = count === 1 ? "1 result is" : `${count} results are`;
  return `Rerun of ${name} from ${from}: ${reused} reused`;
}

/** What the caller leaves out is as it was; pauses and retries begin anew. */
function bodyOf(original: OriginalRun, given: FlowRunRerun): DeploymentFlowRunCreate {
  const { retries = null, retry_delay = null } = readJson(
    original.empirical_policy,
  ) as FlowRunPolicy;
  return {
    name: given.name ?? null,
    parameters: { ...(readJson(original.parameters) as JsonObject), ...given.parameters },
    tags: JSON.parse(original.tags) as string[],
    job_variables: readJson(original.job_variables ?? "{}") as JsonObject,
    empirical_policy: { retries, retry_delay },
    priority: original.priority,
    idempotency_key: given.idempotency_key ?? null,
  };
}

/** Labels of the server follow from the deployment, as it is by now. */
function ownLabels({ labels }: OriginalRun, prefix: string): Labels {
  const given = Object.entries(readJson(labels) as Labels);
  return Object.fromEntries(given.filter(([key]) => !key.startsWith(`${prefix}.`)));
}
