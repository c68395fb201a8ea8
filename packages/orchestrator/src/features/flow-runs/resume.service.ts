import type { JsonObject, OrchestrationResult } from "@orchestrator/contract";
import { readJson, type Scope, type Transaction, writeJson } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { orchestrationResult } from "../../orchestration/apply-rules.ts";
import { holdFlowRun } from "../../orchestration/flow-run-states.store.ts";
import type { RunState } from "../../orchestration/run-state.ts";
import { proposeFlowRunState } from "../../orchestration/set-flow-run-state.ts";
import { type Hydration, hydrateParameters } from "../../parameters/hydrate.ts";
import { validateParameters } from "../../parameters/json-schema.ts";
import { sentences } from "../../parameters/problems.ts";
import { variableValues } from "../../parameters/variable-values.store.ts";
import { findInput, insertInput, removeInput } from "./flow-run-inputs.store.ts";
import { notFound } from "./flow-runs.service.ts";

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
  // Working out placeholders may load templates, which a write must not wait for.
  const given = await hydrateParameters(request.runInput ?? {}, {
    variables: variableValues(ctx.db.in(scope.workspaceId)),
  });
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const run = await holdFlowRun(tx, id);
    if (run === null) throw notFound(id);
    const state = run.state === null ? null : (readJson(run.state) as RunState);
    if (state?.type !== "PAUSED") return refusal("ABORT", "Only a paused run can be resumed", null);
    const problem = await problemOf(tx, { id, state, given });
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
      // A run that is tried again asks anew under the same keys, and is to read what it was answered last.
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

/** What is wrong with the input, judged by the schema that the paused run left; null when it will do. */
async function problemOf(
  tx: Transaction,
  {
    id,
    state,
    given,
  }: { readonly id: string; readonly state: RunState; readonly given: Hydration },
): Promise<string | null> {
  const keyset = state.state_details.run_input_keyset;
  if (keyset === null || Object.keys(keyset).length === 0) return null;
  if (given.problems.length > 0) return sentences(given.problems, "run_input").join("; ");
  const { schema: key, response } = keyset;
  if (key === undefined || response === undefined)
    return "The run does not say under which keys the schema of its input and the response are kept";
  const stored = await findInput(tx, { flow_run_id: id, key });
  const schema = stored === null ? null : parsedObject(stored);
  if (schema === null) return "The schema of the input that the run waits for is missing";
  const { schemaProblem, problems } = validateParameters(schema, given.value);
  if (schemaProblem !== null)
    return `The schema of the input is not valid: ${schemaProblem.message}`;
  return problems.length === 0 ? null : sentences(problems, "run_input").join("; ");
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
