// Tests of flows without a server.

export { type Fake, fake, type NamedTask, passTime } from "./flow-test/fakes.ts";
export { type Answers, NO_ANSWER, type Question } from "./flow-test/memory-server.ts";
export type { SentEvent } from "./flow-test/memory-waits.ts";
export { type FlowTestOptions, type TestedRun, testFlow } from "./flow-test/test-flow.ts";
export type { KillPoint } from "./flow-test/test-process.ts";
export type { TestedTaskRun } from "./flow-test/tested-task-runs.ts";
