// A flow that is called as a function: a run of its own, or a run within the run that calls it.

import type { FlowRun } from "@orchestrator/contract";
import {
  CancelledError,
  errorSummary,
  NoServerError,
  ParameterError,
  RunStoppedError,
} from "../errors.ts";
import { newId } from "../ids.ts";
import { scopeLogger } from "../logging/logger.ts";
import { checkValue } from "../parameters/parameter-schema.ts";
import { openReportSession, type ReportSession } from "../report/session.ts";
import { RunResults } from "../results/run-results.ts";
import { placeOfCall } from "../results/values.ts";
import { findScope, type RunScope } from "../scope/context.ts";
import { type FlowScope, whileRunning } from "../scope/flow-scope.ts";
import { readSettings } from "../settings.ts";
import { endWithProcess } from "./end-with-process.ts";
import { beginExecution, type FlowExecution, infoOf, RETURN } from "./executed-run.ts";
import {
  childKey,
  createChildRun,
  createOwnRun,
  type FlowDefinition,
  type Parameters,
} from "./flow-run.ts";
import { runFlow } from "./run-flow.ts";

/**
 * The parameters are checked before anything is made: a wrong call is no run. A caller that hears
 * of the begin gets a run also where an earlier execution has finished the call.
 */
export async function callFlow(
  definition: FlowDefinition,
  args: readonly unknown[],
  onBegun?: FlowExecution["onBegun"],
): Promise<unknown> {
  const scope = findScope();
  const callKey = scope?.flowRun == null ? null : childKey(scope, definition);
  const checked = await checkParameters(definition, args[0]);
  const given = args.length === 0 && checked === undefined ? [] : [checked];
  const call = { args: given, ...(onBegun !== undefined && { onBegun }) };
  if (scope?.flowRun == null || callKey === null) return callOnItsOwn(definition, call);
  const run = () => callWithin(scope, definition, { ...call, callKey });
  return whileRunning(scope.flow, `flow ${definition.name}/${callKey}`, run);
}

export async function checkParameters(
  { name, options }: FlowDefinition,
  given: unknown,
): Promise<unknown> {
  if (
    given !== undefined &&
    (typeof given !== "object" || given === null || Array.isArray(given))
  ) {
    throw new ParameterError(`The flow ${name} takes its parameters as one object`);
  }
  if (options.parameters === undefined) return given;
  return checkValue(options.parameters, given ?? {}, `The parameters of ${name}`);
}

type FlowCall = Pick<FlowExecution, "args" | "onBegun">;

async function callOnItsOwn(definition: FlowDefinition, call: FlowCall): Promise<unknown> {
  const { args } = call;
  const parameters = parametersOf(args);
  const session = openReportSession();
  const settings = session?.settings ?? readSettings();
  const common = { definition, ...call, settings, parent: null };
  if (session === null) {
    sayOnceWhyUnreported();
    return executeFlow({ ...common, ...unreported(definition, parameters) });
  }
  const record = await createOwnRun(session, definition, parameters).catch((error: unknown) => {
    if (!(error instanceof NoServerError) || !readSettings().isOfflineAllowed) throw error;
    scopeLogger(null).warn(`No server at ${session.url}: ${definition.name} runs unreported`);
    return null;
  });
  if (record === null) return executeFlow({ ...common, ...unreported(definition, parameters) });
  return executeFlow({ ...common, info: infoOf(definition, record, parameters), session, record });
}

let hasSaidWhy = false;

/** Only where an address says that a server is expected to hear of runs. */
function sayOnceWhyUnreported(): void {
  if (hasSaidWhy || !process.env["ORCHESTRATOR_API_URL"]) return;
  hasSaidWhy = true;
  scopeLogger(null).info(
    "Runs of flows are not reported, as under any test runner: ORCHESTRATOR_REPORT=true reports them",
  );
}

async function callWithin(
  scope: RunScope,
  definition: FlowDefinition,
  { callKey, ...within }: FlowCall & { readonly callKey: string },
): Promise<unknown> {
  const { args, onBegun } = within;
  const { flow, flowRun: parent, signal } = scope;
  if (flow === null || parent === null) return callOnItsOwn(definition, within);
  const { session, settings, results } = flow;
  const call = `flow ${definition.name}/${callKey}`;
  const prefix = `${call}>`;
  const place = placeOfCall(call, args);
  const finished = results?.find(place) ?? null;
  if (finished !== null && onBegun === undefined) return finished.value;
  const parameters = parametersOf(args);
  const common = { definition, ...within, settings, parent: signal, outer: flow, prefix };
  let earlier: { readonly value: unknown } | null = null;
  const goesOn = async (run: FlowRun): Promise<boolean> => {
    if (run.state_type !== "COMPLETED") return true;
    earlier = finished ?? (await findReturned(run, { session, flow, args, prefix }));
    return earlier !== null;
  };
  const { isRepeated } = flow;
  const childCall = { parameters, parent, callKey, isRepeated, goesOn, signal };
  try {
    const value = await (session === null
      ? executeFlow({ ...common, ...unreported(definition, parameters) })
      : createChildRun(session, definition, childCall).then((record) => {
          const info = infoOf(definition, record, parameters);
          if (earlier !== null) {
            onBegun?.({ info, session, stop: () => {} });
            return earlier.value;
          }
          return executeFlow({ ...common, info, session, record });
        }));
    // Elsewhere the run within has its own result in its journal.
    if (results?.shared === null) await results.finish(place, value, null);
    return value;
  } catch (error) {
    const wasEnded = error instanceof RunStoppedError || error instanceof CancelledError;
    if (!wasEnded || signal.aborted) throw error;
    // Who ended the run within may have ended this one as well, or carry both out elsewhere.
    const unseen = await flow.look().then(() => null, errorSummary);
    signal.throwIfAborted();
    const what = `The run of ${definition.name} has ended: ${error.message}`;
    // An end of this one that is told without knowing may overwrite what somebody else has made of
    // it.
    if (unseen !== null) {
      const why = `${what}; the run that called it is left, as the server does not say what it is: ${unseen}`;
      throw new RunStoppedError(why, { cause: error });
    }
    // Otherwise that says nothing about this one, which goes on without the result.
    throw new Error(what, { cause: error });
  }
}

interface EarlierCall {
  readonly session: ReportSession | null;
  readonly flow: FlowScope;
  readonly args: readonly unknown[];
  readonly prefix: string;
}

/** The result of a subflow, which an earlier execution of its parent may not have seen. */
async function findReturned(
  { id: flowRunId }: FlowRun,
  { session, flow, args, prefix }: EarlierCall,
): Promise<{ readonly value: unknown } | null> {
  const { results: outer } = flow;
  const shared = outer?.shared ?? null;
  if (outer === null || shared === null) return null;
  const { home } = flow.settings;
  const warn = (): void => {};
  const inherited = { results: outer, prefix };
  const results = new RunResults({
    home,
    flowRunId,
    session,
    shared,
    inherited,
    isContinued: false,
    warn,
  });
  await results.load();
  const found = results.find(placeOfCall(RETURN, args));
  results.remove();
  return found;
}

export async function executeFlow(execution: FlowExecution): Promise<unknown> {
  const run = beginExecution(execution);
  execution.onBegun?.(run);
  const letGo = execution.parent === null ? endWithProcess(run.stop) : null;
  let isCompleted = false;
  try {
    const { value, isRefused } = await runFlow(run);
    isCompleted = !isRefused;
    return value;
  } finally {
    run.close(isCompleted);
    letGo?.();
  }
}

function unreported(definition: FlowDefinition, parameters: Parameters) {
  const id = newId();
  const info = {
    id,
    name: `${definition.name}-${id.slice(-4)}`,
    flowName: definition.name,
    parameters,
    tags: definition.options.tags ?? [],
    runCount: 1,
    deploymentId: null,
  };
  return { info, session: null, record: null };
}

function parametersOf(args: readonly unknown[]): Parameters {
  const [parameters] = args;
  return (parameters ?? {}) as Parameters;
}
