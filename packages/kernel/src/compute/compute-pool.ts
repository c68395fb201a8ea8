// Computation that callers supply (templates, schemas, rules of calendars, expressions) runs on a
// few threads: in the event loop it would stop everybody else for as long as it takes.

import { AppError } from "../errors/app-error.ts";
import type { Scope } from "../scope/scope.ts";
import { type ComputeBudget, DEFAULT_BUDGET, OverBudgetError } from "./compute-budget.ts";
import type { ComputeJob } from "./compute-job.ts";
import { FairQueue, type QueueLimits } from "./fair-queue.ts";
import { type PendingJob, PoolThread } from "./pool-thread.ts";
import { ThreadFailedError } from "./thread-failed.ts";

/**
 * The pool on behalf of one caller. Throws `OverBudgetError`, `too_many_requests` when the queue is
 * full, or `ThreadFailedError`.
 */
export interface Compute {
  readonly run: <In, Out>(job: ComputeJob<In, Out>, input: In) => Promise<Out>;
}

export interface ComputePool {
  readonly for: (caller: Pick<Scope, "workspaceId" | "caller" | "address">) => Compute;
  /** Ends all threads; what they run and what waits is refused. */
  readonly close: () => Promise<void>;
}

export interface ComputePoolOptions extends Partial<QueueLimits> {
  /** One more than a caller may use, so that no caller has all of them. @default 3 */
  readonly threads?: number;
  readonly budget?: ComputeBudget;
}

const RUNNING_PER_CALLER = 2;
const WAITING_PER_CALLER = 50;
const WAITING = 500;
/**
 * Places for the server's own work (checks, schedules), so that requests cannot fill the queue to
 * its harm.
 */
const RESERVED_FOR_SERVER = 100;
/**
 * Characters of all texts of one job. An engine that goes far over its memory within one call of
 * its own, as in reading a JSON text of 16 MB, ends the whole process before anybody can stop the
 * thread.
 */
const MAX_INPUT_CHARACTERS = 4 * 1024 * 1024;

export function createComputePool({
  threads: mostThreads = RUNNING_PER_CALLER + 1,
  budget = DEFAULT_BUDGET,
  runningPerCaller = RUNNING_PER_CALLER,
  waitingPerCaller = WAITING_PER_CALLER,
  waiting = WAITING,
}: ComputePoolOptions = {}): ComputePool {
  const queue = new FairQueue<PendingJob>({ runningPerCaller, waitingPerCaller, waiting });
  const threads: PoolThread[] = [];
  let isClosed = false;

  const startThread = (onFree: (isAlive: boolean) => void): PoolThread => {
    try {
      return new PoolThread(budget, onFree);
    } catch (error) {
      throw new ThreadFailedError(error);
    }
  };

  const hasRoom = (): boolean =>
    threads.length < mostThreads || threads.some(({ isFree }) => isFree);

  /** Threads start when they are first needed, and again after one was stopped. */
  const freeThread = (): PoolThread => {
    const idle = threads.find(({ isFree }) => isFree);
    if (idle !== undefined) return idle;
    const thread = startThread((isAlive) => {
      if (!isAlive) threads.splice(threads.indexOf(thread), 1);
      if (!isClosed) begin();
    });
    threads.push(thread);
    return thread;
  };

  const begin = (): void => {
    while (hasRoom()) {
      const job = queue.take();
      if (job === undefined) return;
      try {
        freeThread().run(job);
      } catch (error) {
        job.reject(error);
      }
    }
  };

  const run = <In, Out>(
    { caller, reserved }: Place,
    { module, name, title }: ComputeJob<In, Out>,
    input: In,
  ) =>
    new Promise<Out>((resolve, reject) => {
      if (isClosed) throw closing();
      if (charactersIn(input) > MAX_INPUT_CHARACTERS)
        throw new OverBudgetError(title, "memoryMb", budget);
      const ended =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          queue.release(caller);
          settle(value);
        };
      const message = { module, name, input };
      const job: PendingJob = { title, message, resolve: ended(resolve), reject: ended(reject) };
      if (!queue.add(caller, job, reserved)) throw queueFull();
      begin();
    });

  return {
    for: (scope) => {
      const isServer = scope.caller.kind === "system";
      const place = { caller: callerOf(scope), reserved: isServer ? RESERVED_FOR_SERVER : 0 };
      return { run: (job, input) => run(place, job, input) };
    },
    async close() {
      isClosed = true;
      for (const { reject } of queue.clear()) reject(closing());
      await Promise.all([...threads].map((thread) => thread.close(closing())));
    },
  };
}

interface Place {
  readonly caller: string;
  /** Places in the queue that others do not have. */
  readonly reserved: number;
}

/** Jobs are sent texts, or an object or a list of them. */
function charactersIn(input: unknown): number {
  if (typeof input === "string") return input.length;
  if (typeof input !== "object" || input === null) return 0;
  return Object.values(input).reduce<number>((sum, part) => sum + charactersIn(part), 0);
}

/**
 * A user is one caller in all workspaces together. Callers without a name are told apart by where
 * they are.
 */
const callerOf = ({
  workspaceId,
  caller,
  address,
}: Pick<Scope, "workspaceId" | "caller" | "address">): string =>
  caller.kind === "user" && caller.id
    ? `user ${caller.id}`
    : `${workspaceId} ${caller.id ?? address ?? ""}`;

const closing = (): AppError => new AppError("unavailable", "The server is stopping");

const queueFull = (): AppError =>
  new AppError("too_many_requests", "Too many computations wait already; try again", {
    retryAfterSeconds: 1,
  });
