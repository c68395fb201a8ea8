// What stands in for tasks and deployments in a test.

import { findScope } from "../scope/context.ts";
import type { Task } from "../task.ts";
import { sleepOrAbort } from "../time.ts";

type Body = (...args: readonly unknown[]) => unknown;

/** A function in the place of a task's, or of a deployment's flow. */
export interface Fake {
  readonly name: string;
  readonly body: Body;
}

/** A task or its name: one that `withOptions` has changed is meant as well. */
export type NamedTask = string | { readonly name: string };

/**
 * Calls the function in the place of the task's, or of the flow of a deployment: `flow/deployment`.
 */
export function fake<Args extends unknown[], Value>(
  task: Task<Args, Value>,
  body: (...args: NoInfer<Args>) => NoInfer<Value> | Promise<NoInfer<Value>>,
): Fake;
export function fake(name: string, body: (...args: never[]) => unknown): Fake;
export function fake(task: NamedTask, body: unknown): Fake {
  if (typeof body !== "function") throw new TypeError("A fake is made of a task and a function");
  return { name: nameOfTask(task), body: body as Body };
}

export const nameOfTask = (task: NamedTask): string =>
  typeof task === "string" ? task : task.name;

/** Takes so much of the time of the test, for fakes that are slow. */
export async function passTime(seconds: number): Promise<void> {
  await sleepOrAbort(seconds * 1000, findScope()?.signal);
}
