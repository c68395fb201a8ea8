// What code within a run knows of it, wherever it is called from.

import { AsyncLocalStorage } from "node:async_hooks";
import { NotInRunError } from "../errors.ts";
import type { FlowScope } from "./flow-scope.ts";
import type { TaskPool } from "./pool.ts";

export interface FlowRunInfo {
  readonly id: string;
  readonly name: string;
  readonly flowName: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  /** Which execution of the run this is, from 1. */
  readonly runCount: number;
  readonly deploymentId: string | null;
}

export interface TaskRunInfo {
  readonly id: string;
  readonly name: string;
  readonly taskName: string;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  readonly tags: readonly string[];
}

/** The place in a run from which something is called. */
export interface RunScope {
  readonly flow: FlowScope | null;
  readonly flowRun: FlowRunInfo | null;
  readonly taskRun: TaskRunInfo | null;
  /** How often each name was called from here: calls are known by their place. */
  readonly callCounts: Map<string, number>;
  /** What calls from here are known by begins with this. */
  readonly callPath: string;
  /** Where tasks that are submitted from here run. */
  readonly pool: TaskPool;
  readonly signal: AbortSignal;
}

const scopes = new AsyncLocalStorage<RunScope>();

export function inScope<Value>(scope: RunScope, work: () => Value): Value {
  return scopes.run(scope, work);
}

export function findScope(): RunScope | null {
  return scopes.getStore() ?? null;
}

/** What is known of the run that the code is part of. */
export interface RunContext {
  /** Null in a task that was called outside of any flow. */
  readonly flowRun: FlowRunInfo | null;
  /** Null in the body of a flow. */
  readonly taskRun: TaskRunInfo | null;
  /**
   * Aborted when the run is cancelled or has taken too long; hand it to whatever can be stopped.
   */
  readonly signal: AbortSignal;
}

/** The run that the calling code is part of; throws outside of one. */
export function getRunContext(): RunContext {
  const scope = findScope();
  if (scope === null) throw new NotInRunError("This is called outside of any flow or task");
  const { flowRun, taskRun, signal } = scope;
  return { flowRun, taskRun, signal };
}

export function scopeInFlow(what: string): RunScope & {
  readonly flow: FlowScope;
  readonly flowRun: FlowRunInfo;
} {
  const scope = findScope();
  if (scope?.flow == null || scope.flowRun === null) {
    throw new NotInRunError(`${what} makes sense only within a flow`);
  }
  return { ...scope, flow: scope.flow, flowRun: scope.flowRun };
}

/** The number of this call among those of the same name from the same place, from 0. */
export function nextCall(scope: RunScope, name: string): number {
  const count = scope.callCounts.get(name) ?? 0;
  scope.callCounts.set(name, count + 1);
  return count;
}
