// Carries out the runs of a work pool.

export { type HealthAddress, serveHealth } from "./worker/health.ts";
export type { JobRunner } from "./worker/runner.ts";
export { runnerOf, WORKER_TYPES } from "./worker/runners.ts";
export { type RunningWorker, startWorker, type WorkerOptions } from "./worker/worker.ts";
