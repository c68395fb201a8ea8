// Flows and tasks in TypeScript.

export {
  type ArtifactOptions,
  createImage,
  createLink,
  createMarkdown,
  createProgress,
  createTable,
  type Progress,
  type TableRows,
} from "./artifacts/artifacts.ts";
export type { DeployOptions } from "./deploy/deploy.ts";
export { type DeploymentOptions, onCrashLabels } from "./deploy/deployment.ts";
export type { DeploymentScheduleOptions, ScheduleOptions } from "./deploy/schedules.ts";
export { type Served, type ServeOptions, serveFlow } from "./deploy/serve.ts";
export { loadFlow, loadModule } from "./entry/entrypoint.ts";
export { type RunFlowRunOptions, type RunOutcome, runFlowRun } from "./entry/run-flow-run.ts";
export {
  CancelledError,
  EventTimeoutError,
  FlowRunFailedError,
  NoServerError,
  NotInRunError,
  ParameterError,
  ResultNotStoredError,
  RunStoppedError,
  RunTimeoutError,
  TerminatedError,
} from "./errors.ts";
export { type EventOptions, emitEvent } from "./events/emit-event.ts";
export { type Flow, flow } from "./flow.ts";
export { type ConcurrencyOptions, concurrency, rateLimit } from "./limits/concurrency.ts";
export { getLogger, type Logger } from "./logging/logger.ts";
export type { FlowOptions, Hook, HookContext, RunState, TaskOptions } from "./options/options.ts";
export { exponentialBackoff, type RetryDelay, type RetryOptions } from "./options/retry.ts";
export { type JsonSchema, type SchemaLike, toJsonSchema } from "./parameters/parameter-schema.ts";
export {
  type InputOptions,
  type PauseOptions,
  pauseFlowRun,
  suspendFlowRun,
  waitForInput,
} from "./pause/pause.ts";
export { type Block, loadBlock } from "./resources/blocks.ts";
export { deleteVariable, getVariable, setVariable } from "./resources/variables.ts";
export { localStorage, type ResultStorage } from "./results/result-storage.ts";
export type { TaskFuture, TaskFutures } from "./run/task-future.ts";
export {
  type FlowRunInfo,
  getRunContext,
  type RunContext,
  type TaskRunInfo,
} from "./scope/context.ts";
export type { FlowRunHandle } from "./start/run-handle.ts";
export {
  type StartOptions,
  type StartParameters,
  startDeployment,
} from "./start/start-deployment.ts";
export type { FlowStartOptions } from "./start/start-flow.ts";
export { type Promised, type Task, task } from "./task.ts";
export { type SleepOptions, sleep } from "./wait/sleep.ts";
export { type EventWaitOptions, waitForEvent } from "./wait/wait-for-event.ts";
