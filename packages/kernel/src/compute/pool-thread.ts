import { Worker } from "node:worker_threads";
import { type ComputeBudget, type ComputeResource, OverBudgetError } from "./compute-budget.ts";
import { threadCpu } from "./thread-cpu.ts";
import { ThreadFailedError } from "./thread-failed.ts";
import { threadModule } from "./thread-module.ts";

export interface JobMessage {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

export type JobAnswer =
  | { readonly kind: "begun"; readonly thread: string | null }
  | { readonly kind: "done"; readonly result: unknown }
  /** What the job itself threw. */
  | { readonly kind: "failed"; readonly message: string }
  /** The code of the job could not be loaded. */
  | { readonly kind: "unloadable"; readonly message: string };

export interface PendingJob {
  readonly title: string;
  readonly message: JobMessage;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

const ENTRY = threadModule(import.meta.url, "compute-thread");
/** Beside what jobs allocate. */
const YOUNG_GENERATION_MB = 16;
const SHORTEST_CHECK_MS = 5;

interface CpuMeter {
  readonly cpu: () => number;
  /** What it shows when the budget is used up. */
  readonly endMs: number;
}

/** A thread that has just ended has no CPU time to read; its exit is on the way. */
function cpuOrNone({ cpu }: CpuMeter): number {
  try {
    return cpu();
  } catch {
    return 0;
  }
}

/**
 * One thread of the pool, which runs one job at a time and does not outlive one that goes over its
 * budget.
 */
export class PoolThread {
  readonly #worker: Worker;
  readonly #budget: ComputeBudget;
  readonly #onFree: (isAlive: boolean) => void;
  #job: PendingJob | null = null;
  #check: NodeJS.Timeout | undefined;
  #isAlive = true;

  constructor(budget: ComputeBudget, onFree: (isAlive: boolean) => void) {
    this.#budget = budget;
    this.#onFree = onFree;
    this.#worker = new Worker(new URL(ENTRY), {
      resourceLimits: {
        maxOldGenerationSizeMb: budget.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    this.#worker.unref();
    this.#worker.on("message", (answer: JobAnswer) => this.#hear(answer));
    this.#worker.on("error", (error: NodeJS.ErrnoException) =>
      this.#die(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? this.#overBudget("memoryMb")
          : new ThreadFailedError(error),
      ),
    );
    this.#worker.on("exit", () => this.#die(new ThreadFailedError(new Error("The thread ended"))));
  }

  get isFree(): boolean {
    return this.#isAlive && this.#job === null;
  }

  /** Throws when the input cannot be cloned. */
  run(job: PendingJob): void {
    this.#worker.postMessage(job.message);
    this.#job = job;
    // The process lives for as long as somebody waits for a result.
    this.#worker.ref();
  }

  /** Stops the thread with what it runs. */
  async close(error: unknown): Promise<void> {
    this.#die(error);
    await this.#worker.terminate();
  }

  #hear(answer: JobAnswer): void {
    const job = this.#job;
    if (job === null) return;
    if (answer.kind === "begun") {
      const cpu = threadCpu(answer.thread);
      this.#watch({ cpu, endMs: cpu() + this.#budget.cpuMs }, this.#budget.cpuMs);
      return;
    }
    clearTimeout(this.#check);
    this.#worker.unref();
    this.#job = null;
    if (answer.kind === "done") job.resolve(answer.result as never);
    else if (answer.kind === "unloadable")
      job.reject(new ThreadFailedError(new Error(answer.message)));
    else job.reject(new Error(`A computation failed: ${answer.message}`));
    this.#onFree(true);
  }

  /**
   * CPU time, not elapsed time, which would charge the job for other programs of a busy machine.
   */
  #watch(meter: CpuMeter, leftMs: number): void {
    this.#check = setTimeout(
      () => {
        const left = meter.endMs - cpuOrNone(meter);
        if (left > 0) this.#watch(meter, left);
        else void this.close(this.#overBudget("cpuMs"));
      },
      Math.max(leftMs, SHORTEST_CHECK_MS),
    );
  }

  #overBudget(resource: ComputeResource): OverBudgetError {
    return new OverBudgetError(this.#job?.title ?? "The computation", resource, this.#budget);
  }

  #die(error: unknown): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    clearTimeout(this.#check);
    const job = this.#job;
    this.#job = null;
    job?.reject(error);
    this.#onFree(false);
  }
}
