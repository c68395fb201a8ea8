// A flow that is started and followed, instead of called and waited for.

import { CancelledError } from "../errors.ts";
import type { RunState } from "../options/options.ts";
import { callFlow } from "../run/call-flow.ts";
import { endingOf } from "../run/ending.ts";
import type { BegunExecution } from "../run/executed-run.ts";
import type { FlowDefinition } from "../run/flow-run.ts";
import { createFuture } from "../run/task-future.ts";
import { findScope } from "../scope/context.ts";
import { type FlowRunHandle, urlOfRun } from "./run-handle.ts";
import { type StartOptions, startDeployment } from "./start-deployment.ts";

export interface FlowStartOptions extends StartOptions {
  /**
   * The deployment of the flow whose worker or program executes the run. @default this process does
   */
  readonly deployment?: string | undefined;
}

/** Starts a run in this process, or one of a deployment of the flow. */
export async function startFlow(
  definition: FlowDefinition,
  parameters: object | undefined,
  { deployment, ...options }: FlowStartOptions = {},
): Promise<FlowRunHandle> {
  if (deployment === undefined) return startHere(definition, parameters, options);
  const name = `${definition.name}/${deployment}`;
  return startDeployment(name, parameters as Record<string, unknown> | undefined, options);
}

const never = new AbortController().signal;

async function startHere(
  definition: FlowDefinition,
  parameters: object | undefined,
  options: StartOptions,
): Promise<FlowRunHandle> {
  const [stranger] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (stranger !== undefined) {
    throw new TypeError(
      `A start of ${definition.name} in this process has no ${stranger}: name a deployment`,
    );
  }
  const flow = findScope()?.flow ?? null;
  let hear: (begun: BegunExecution) => void = () => {};
  const begun = new Promise<BegunExecution>((resolve) => {
    hear = resolve;
  });
  const running = callFlow(definition, parameters === undefined ? [] : [parameters], hear);
  const future = createFuture(flow, "", running);
  const first = await Promise.race([begun, running.then(() => begun)]).catch(
    async (error: unknown) => {
      await future.wait(); // the caller has its failure
      throw error;
    },
  );
  const { id, name } = first.info;
  const ended = running.then(
    (): RunState => ({ type: "COMPLETED", name: "Completed", message: null }),
    (error: Error): RunState => {
      // Within a flow, the failure of a call says why the run was ended.
      const { cause } = error;
      const ending = endingOf(cause instanceof CancelledError ? cause : error, never);
      return ending.kind === "left" ? LEFT : ending.state;
    },
  );
  let last: RunState = { type: "RUNNING", name: "Running", message: null };
  void ended.then((state) => {
    last = state;
  });
  return {
    id,
    name,
    url: first.session === null ? undefined : urlOfRun(first.session, id),
    result: future.result,
    async wait() {
      await future.wait();
      return ended;
    },
    status: () => Promise.resolve(last),
    cancel() {
      void future.wait(); // whoever cancels it expects that it fails
      first.stop(new CancelledError("The run was cancelled"));
      return Promise.resolve();
    },
  };
}

/** Another process decides what becomes of it. */
const LEFT: RunState = { type: "RUNNING", name: "Running", message: null };
