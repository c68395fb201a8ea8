import type { JsonObject, OrchestrationResult } from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { sentences } from "@orchestrator/json-schema/problems";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { type Hydration, hydrateParameters } from "../../parameters/hydrate.ts";
import { validateValue } from "../../parameters/validate.ts";
import { variableValues } from "../../workspace/variables/variable-values.store.ts";
import { orchestrationResult } from "../orchestration/apply-rules.ts";
import { lockFlowRun } from "../orchestration/flow-run-states.store.ts";
import type { RunState } from "../orchestration/run-state.ts";
import { proposeFlowRunState } from "../orchestration/set-flow-run-state.ts";
import { findInput, insertInput, removeInput } from "./flow-run-inputs.store.ts";
import { notFound } from "./flow-runs.service.ts";
import { findFlowRun } from "./flow-runs.store.ts";

/** Lets a paused run go on, with the input it waits for where it asked for one. */
export async function resumeFlowRun(
  ctx: OrchestratorContext,
  scope: Scope,
  request: {
    readonly id: string;
    readonly runInput: JsonObject | null;
    readonly clientVersion: readonly number[] | null;
  },
): Promise<OrchestrationResult> {
  const { id, clientVersion } = request;
  // Working out placeholders may take a thread, which a write must not wait for.
  const given = await hydrateParameters(request.runInput ?? {}, {
    compute: ctx.compute.for(scope),
    variables: variableValues(ctx.db.in(scope.workspaceId)),
  });
  const judged = await judgeInput(ctx, scope, { id, given });
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const run = await lockFlowRun(tx, id);
    if (run === null) throw notFound(id);
    const state = run.state === null ? null : (readJson(run.state) as RunState);
    if (state?.type !== "PAUSED") return refusal("ABORT", "Only a paused run can be resumed", null);
    const problem = await problemOf(tx, { id, state, judged });
    if (problem !== null) return refusal("REJECT", problem, state);
    const result = await proposeFlowRunState(ctx, tx, {
      id,
      state:
        state.state_details.pause_reschedule === true
          ? { type: "SCHEDULED", name: "Resuming" }
          : { type: "RUNNING" },
      clientVersion,
    });
    const keyset = state.state_details.run_input_keyset;
    const key = keyset?.response;
    if (key !== undefined && result.status === "ACCEPT") {
      const now = ctx.clock.now();
      const row = {
        id: ctx.ids.uuid7(),
        created: now,
        updated: now,
        flow_run_id: id,
        sender: null,
      };
      // A run that is tried again asks anew under the same keys, and is to read what it was
      // answered last.
      await removeInput(tx, { flow_run_id: id, key });
      await insertInput(tx, { ...row, key, value: writeJson(given.value) });
    }
    return result;
  });
}

function refusal(
  status: "ABORT" | "REJECT",
  reason: string,
  state: RunState | null,
): OrchestrationResult {
  return orchestrationResult({ status, reason, delaySeconds: 0 }, state);
}

/** The input by a schema, and what is wrong with it; null when it will do. */
interface JudgedInput {
  readonly schema: string | null;
  readonly problem: string | null;
}

/**
 * By the schema that the paused run left. Validation may take a thread, which a write must not wait
 * for.
 */
async function judgeInput(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, given }: { readonly id: string; readonly given: Hydration },
): Promise<JudgedInput> {
  const queries = ctx.db.in(scope.workspaceId);
  const run = await findFlowRun(queries, { id, now: ctx.clock.now() });
  if (run === null) throw notFound(id);
  const { state } = readJson(run) as { readonly state: RunState | null };
  const key = state?.state_details.run_input_keyset?.schema;
  const schema = key === undefined ? null : await findInput(queries, { flow_run_id: id, key });
  const parsed = schema === null ? null : parsedObject(schema);
  if (given.problems.length > 0)
    return { schema, problem: sentences(given.problems, "run_input").join("; ") };
  if (parsed === null) return { schema, problem: MISSING_SCHEMA };
  const { schemaProblem, problems, refusal } = await validateValue(ctx.compute.for(scope), {
    schema: parsed,
    values: given.value,
    words: ctx.dialect.problemWords,
  });
  if (schemaProblem !== null)
    return { schema, problem: `The schema of the input is not valid: ${schemaProblem.message}` };
  if (refusal !== null) return { schema, problem: `Reason: ${refusal}` };
  const problem = problems.length === 0 ? null : sentences(problems, "run_input").join("; ");
  return { schema, problem };
}

const MISSING_SCHEMA = "The schema of the input that the run waits for is missing";

/** What is wrong with the input for the state that the run is in now. */
async function problemOf(
  tx: Transaction,
  {
    id,
    state,
    judged,
  }: { readonly id: string; readonly state: RunState; readonly judged: JudgedInput },
): Promise<string | null> {
  const keyset = state.state_details.run_input_keyset;
  if (keyset === null || Object.keys(keyset).length === 0) return null;
  const { schema: key, response } = keyset;
  if (key === undefined || response === undefined)
    return "The run does not say under which keys the schema of its input and the response are kept";
  const schema = await findInput(tx, { flow_run_id: id, key });
  return schema === judged.schema
    ? judged.problem
    : "The run has asked for another input in the meantime; resume it again";
}

function parsedObject(json: string): JsonObject | null {
  try {
    const value: unknown = readJson(json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
