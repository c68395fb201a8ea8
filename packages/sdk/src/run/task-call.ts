// One call of a task: which run it is, and what it depends on.

import { idFor, newId } from "../ids.ts";
import type { TaskOptions } from "../options/options.ts";
import { nameOfRun } from "../options/run-name.ts";
import { nextCall, type RunScope } from "../scope/context.ts";
import { isFuture } from "./task-future.ts";
import type { ReportedTask } from "./task-run-reporter.ts";

export interface TaskDefinition {
  readonly name: string;
  readonly options: TaskOptions;
  readonly body: (...args: readonly unknown[]) => unknown;
}

export interface TaskCall {
  readonly definition: TaskDefinition;
  readonly taskRunId: string;
  readonly dynamicKey: string;
  /** Where calls from within this one are counted. */
  readonly callPath: string;
  readonly inputs: Readonly<Record<string, readonly object[]>>;
}

/**
 * A call is known by its place: the same task, called for the same time from the same place, is the
 * same run whenever the flow run is executed again. The place is taken when the call is made, not
 * when it starts.
 */
export function beginCall(
  definition: TaskDefinition,
  scope: RunScope | null,
  args: readonly unknown[],
): TaskCall {
  if (scope?.flowRun == null) {
    return { definition, taskRunId: newId(), dynamicKey: "0", callPath: "", inputs: {} };
  }
  const number = nextCall(scope, definition.name);
  const dynamicKey = `${scope.callPath}${number}`;
  return {
    definition,
    taskRunId: idFor(`${scope.flowRun.id}/${definition.name}/${dynamicKey}`),
    dynamicKey,
    callPath: `${scope.callPath}${definition.name}-${number}/`,
    inputs: inputsOf(definition, scope, args),
  };
}

/** Which task runs the arguments came from: futures say so, objects are remembered. */
function inputsOf(
  { options }: TaskDefinition,
  { flow, taskRun }: RunScope,
  args: readonly unknown[],
): Record<string, object[]> {
  const inputs: Record<string, object[]> = {};
  const input = (id: string): object => ({ input_type: "task_run", id });
  for (const [index, arg] of args.entries()) {
    const parts = Array.isArray(arg) ? arg : [arg];
    const ids = parts.flatMap((part: unknown) => {
      if (isFuture(part)) return [part.taskRunId];
      const origin =
        typeof part === "object" && part !== null ? flow?.origins.get(part) : undefined;
      return origin === undefined ? [] : [origin];
    });
    if (ids.length > 0) inputs[String(index)] = [...new Set(ids)].map(input);
  }
  const awaited = (options.waitFor ?? []).flat().filter(isFuture);
  if (awaited.length > 0) inputs["wait_for"] = awaited.map(({ taskRunId }) => input(taskRunId));
  if (taskRun !== null) inputs["__parents__"] = [input(taskRun.id)];
  return inputs;
}

export function reportedTask(
  call: TaskCall,
  args: readonly unknown[],
  runCount: number,
): ReportedTask {
  const { definition, taskRunId, dynamicKey, inputs } = call;
  const { name, options } = definition;
  const { retries = 0, retryDelaySeconds, retryJitter, tags = [], runName, version } = options;
  return {
    id: taskRunId,
    name: runName === undefined ? `${name}-${dynamicKey}` : nameOfRun(runName, args),
    taskKey: name,
    dynamicKey,
    facts: {
      tags,
      task_inputs: inputs,
      flow_run_run_count: runCount,
      ...(version !== undefined && { task_version: version }),
      empirical_policy: {
        retries,
        retry_delay: typeof retryDelaySeconds === "function" ? null : (retryDelaySeconds ?? 0),
        retry_jitter_factor: retryJitter ?? null,
      },
    },
  };
}
