// The door to threads: for work on what users supply, so that the event loop never waits for it.

export { OverBudgetError } from "./compute/compute-budget.ts";
export { computeJob } from "./compute/compute-job.ts";
export { type Compute, type ComputePool, createComputePool } from "./compute/compute-pool.ts";
export { inlineOrOnThread, isNeedsThread } from "./compute/needs-thread.ts";
export { ThreadFailedError } from "./compute/thread-failed.ts";
export { threadModule } from "./compute/thread-module.ts";
