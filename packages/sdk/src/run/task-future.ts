import { asError } from "../errors.ts";
import type { FlowScope } from "../scope/flow-scope.ts";

/** A task that was submitted. */
export interface TaskFuture<Value> {
  readonly taskRunId: string;
  /** The result; throws what the task threw. */
  readonly result: () => Promise<Value>;
  /** Waits until it has ended, well or not; says how. */
  readonly wait: () => Promise<"completed" | "failed">;
}

/** Several that were submitted together. */
export interface TaskFutures<Value> extends ReadonlyArray<TaskFuture<Value>> {
  /** All results in their order; throws what the first failed one threw, after all have ended. */
  readonly results: () => Promise<Value[]>;
  /** Waits until all have ended; says whether any failed. */
  readonly wait: () => Promise<"completed" | "failed">;
}

const FUTURE = Symbol.for("@orchestrator/sdk:TaskFuture");

export function createFuture<Value>(
  flow: FlowScope | null,
  taskRunId: string,
  running: Promise<Value>,
): TaskFuture<Value> {
  let failure: Error | null = null;
  const ended = running.then(
    () => "completed" as const,
    (thrown: unknown) => {
      failure = asError(thrown);
      flow?.unseenFailures.add(failure);
      return "failed" as const;
    },
  );
  if (flow !== null) {
    flow.pending.add(ended);
    void ended.then(() => flow.pending.delete(ended));
  }
  const look = async (): Promise<Value> => {
    await ended;
    // Whoever gets the error answers for it.
    if (failure !== null) flow?.unseenFailures.delete(failure);
    return running;
  };
  const future = {
    [FUTURE]: true,
    taskRunId,
    result: look,
    async wait() {
      await look().catch(() => {});
      return ended;
    },
  };
  return future;
}

export function joinFutures<Value>(futures: TaskFuture<Value>[]): TaskFutures<Value> {
  return Object.assign(futures, {
    async results() {
      const settled = await Promise.allSettled(futures.map((future) => future.result()));
      return settled.map((outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
        return outcome.value;
      });
    },
    async wait() {
      const ends = await Promise.all(futures.map((future) => future.wait()));
      return ends.includes("failed") ? "failed" : "completed";
    },
  });
}

export function isFuture(value: unknown): value is TaskFuture<unknown> {
  return typeof value === "object" && value !== null && FUTURE in value;
}
