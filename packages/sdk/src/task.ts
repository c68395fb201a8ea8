import { setMaxListeners } from "node:events";
import { checkOptions } from "./options/check-options.ts";
import type { TaskOptions } from "./options/options.ts";
import { announceTask, reportNotReady, runTask } from "./run/run-task.ts";
import { beginCall, type TaskDefinition } from "./run/task-call.ts";
import {
  createFuture,
  isFuture,
  joinFutures,
  type TaskFuture,
  type TaskFutures,
} from "./run/task-future.ts";
import { findScope, inScope, type RunScope } from "./scope/context.ts";
import { TaskPool } from "./scope/pool.ts";

/**
 * A value, or what it will come from: a submitted task or a promise; of a list also single items.
 */
export type Promised<Value> =
  | Value
  | Pending<Value>
  | (Value extends readonly (infer Item)[] ? readonly (Item | Pending<Item>)[] : never);
type Pending<Value> = TaskFuture<Value> | Promise<Value>;
type PromisedEach<Args extends readonly unknown[]> = {
  [Index in keyof Args]: Promised<Args[Index]>;
};
type Rest<Args extends readonly unknown[]> = Args extends readonly [unknown, ...infer Others]
  ? Others
  : [];

/** A function whose calls are task runs of the flow run they are made in. */
export interface Task<Args extends unknown[], Value> {
  /** Runs it here, as soon as its arguments are there. */
  (...args: PromisedEach<Args>): Promise<Value>;
  readonly options: TaskOptions<Args>;
  /**
   * Runs it as soon as there is a place and its arguments are there; so many run at once as the
   * flow says.
   */
  readonly submit: (...args: PromisedEach<Args>) => TaskFuture<Value>;
  /** Submits it for each item; what follows the items is the same for all of them. */
  readonly map: (
    items: Iterable<Promised<Args[0]>>,
    ...rest: PromisedEach<Rest<Args>>
  ) => TaskFutures<Value>;
  /** The same task with other options. */
  readonly withOptions: (options: TaskOptions<Args>) => Task<Args, Value>;
}

type Body<Args extends unknown[], Value> = (...args: Args) => Value | Promise<Value>;

/** Makes a task of a function. */
export function task<Args extends unknown[], Value>(
  body: Body<Args, Value>,
  options?: TaskOptions<Args>,
): Task<Args, Value>;
export function task<Args extends unknown[], Value>(
  options: TaskOptions<Args>,
  body: Body<Args, Value>,
): Task<Args, Value>;
export function task<Args extends unknown[], Value>(
  first: Body<Args, Value> | TaskOptions<Args>,
  second?: Body<Args, Value> | TaskOptions<Args>,
): Task<Args, Value> {
  const body = typeof first === "function" ? first : second;
  const options = (typeof first === "function" ? second : first) ?? {};
  if (typeof body !== "function" || typeof options === "function") {
    throw new TypeError("A task is made of a function and options");
  }
  return createTask(body, options);
}

function createTask<Args extends unknown[], Value>(
  body: Body<Args, Value>,
  options: TaskOptions<Args>,
): Task<Args, Value> {
  const name = options.name ?? body.name;
  if (name === "") throw new TypeError("A task whose function has no name needs the option `name`");
  checkOptions("task", name, options);
  // What is called with the arguments of this task gets exactly those.
  const definition = { name, options, body } as unknown as TaskDefinition;

  const call = async (...args: PromisedEach<Args>): Promise<Value> =>
    (await callTask(definition, args)) as Value;
  const submit = (...args: PromisedEach<Args>): TaskFuture<Value> =>
    submitTask(definition, args) as TaskFuture<Value>;
  const map: Task<Args, Value>["map"] = (items, ...rest) =>
    joinFutures(Array.from(items, (item) => submit(...([item, ...rest] as PromisedEach<Args>))));
  const withOptions = (more: TaskOptions<Args>): Task<Args, Value> =>
    createTask(body, { ...options, ...more, name: more.name ?? name });
  const made = Object.assign(call, { options, submit, map, withOptions });
  return Object.defineProperty(made, "name", { value: name });
}

/** Takes no place of the pool: the task that calls it has one, and waits. */
function callTask(definition: TaskDefinition, args: readonly unknown[]): Promise<unknown> {
  const scope = findScope() ?? scopeOutside();
  const begun = beginCall(definition, scope, args);
  if (!args.some(isAwaited)) return runTask(begun, args, scope);
  const report = announceTask(begun, args, scope);
  return whenReady({ definition, args, scope, report }, (given) =>
    runTask(begun, given, scope, report),
  );
}

function submitTask(definition: TaskDefinition, args: readonly unknown[]): TaskFuture<unknown> {
  const scope = findScope() ?? scopeOutside();
  const begun = beginCall(definition, scope, args);
  const report = announceTask(begun, args, scope);
  const running = inScope(scope, () =>
    whenReady({ definition, args, scope, report }, (given) =>
      scope.pool.run(() => runTask(begun, given, scope, report)),
    ),
  );
  return createFuture(scope.flow, begun.taskRunId, running);
}

interface AnnouncedCall {
  readonly definition: TaskDefinition;
  readonly args: readonly unknown[];
  readonly scope: RunScope;
  readonly report: ReturnType<typeof announceTask>;
}

async function whenReady(
  { definition, args, scope, report }: AnnouncedCall,
  run: (given: unknown[]) => Promise<unknown>,
): Promise<unknown> {
  const given = await needed(definition, args).catch((thrown: unknown) => {
    if (report !== null) reportNotReady(report, thrown, scope.signal);
    throw thrown;
  });
  return run(given);
}

/** The arguments, once all that the task waits for has completed. */
async function needed(definition: TaskDefinition, args: readonly unknown[]): Promise<unknown[]> {
  const given = await Promise.all(args.map(resolved));
  await Promise.all((definition.options.waitFor ?? []).flat().map(requireCompleted));
  return given;
}

/** Futures and promises in arguments, also in lists, stand for their results. */
function resolved(arg: unknown): unknown {
  if (isFuture(arg)) return arg.result();
  if (Array.isArray(arg) && arg.some(isAwaited)) return Promise.all(arg.map(resolved));
  return arg;
}

function isAwaited(arg: unknown): boolean {
  return isFuture(arg) || arg instanceof Promise || (Array.isArray(arg) && arg.some(isAwaited));
}

async function requireCompleted(future: { readonly wait: () => Promise<unknown> }): Promise<void> {
  if ((await future.wait()) === "failed") throw new Error("A task that had to come first failed");
}

const OUTSIDE_POOL = 16;
const outsidePool = new TaskPool(OUTSIDE_POOL);
const never = new AbortController().signal;
setMaxListeners(0, never);

/**
 * Outside of any flow a task is a function with retries, time-outs and a cache; no server hears of
 * it.
 */
function scopeOutside(): RunScope {
  return {
    flow: null,
    flowRun: null,
    taskRun: null,
    callCounts: new Map(),
    callPath: "",
    pool: outsidePool,
    signal: never,
  };
}
