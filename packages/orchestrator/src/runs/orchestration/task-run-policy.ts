// Which rules a proposed state of a task run goes through, in this order. The lists are the
// contract.

import { allExcept } from "./rule.ts";
import { answerRepeatedTransition } from "./run-rules/answer-repeated-transition.ts";
import { copyScheduledTime } from "./run-rules/copy-scheduled-time.ts";
import { waitForSchedule } from "./run-rules/wait-for-schedule.ts";
import { answerEarlierTaskRunTransition } from "./task-run-rules/answer-earlier-transition.ts";
import { answerForcedTaskRunAgain } from "./task-run-rules/answer-forced-again.ts";
import { checkParent } from "./task-run-rules/check-parent.ts";
import { copyParametersId } from "./task-run-rules/copy-parameters-id.ts";
import { countFlowRun } from "./task-run-rules/count-flow-run.ts";
import { guardPendingTaskRun } from "./task-run-rules/guard-pending.ts";
import { guardTerminalTaskRun } from "./task-run-rules/guard-terminal.ts";
import { releaseTagSlots, takeTagSlotsRule } from "./task-run-rules/hold-tag-slots.ts";
import { readCache } from "./task-run-rules/read-cache.ts";
import { renameRerun } from "./task-run-rules/rename-rerun.ts";
import { retryTaskRunRule } from "./task-run-rules/retry.ts";
import { writeCache } from "./task-run-rules/write-cache.ts";
import type { TaskRunRule } from "./task-run-transition.ts";

/** What clients propose. */
export const TASK_RUN_POLICY: readonly TaskRunRule[] = [
  answerRepeatedTransition,
  answerEarlierTaskRunTransition,
  readCache,
  guardTerminalTaskRun,
  checkParent,
  takeTagSlotsRule,
  copyScheduledTime,
  waitForSchedule,
  retryTaskRunRule,
  renameRerun,
  countFlowRun,
  writeCache,
  releaseTagSlots,
];

/** What is forced, and the first state of a task run. */
export const MINIMAL_TASK_RUN_POLICY: readonly TaskRunRule[] = [
  answerForcedTaskRunAgain,
  releaseTagSlots,
];

/**
 * Tasks in the background, which workers take from a queue: forced or not. Who was let take one
 * hears if another has it by now.
 */
export const BACKGROUND_TASK_POLICY: readonly TaskRunRule[] = [
  answerRepeatedTransition,
  { ...answerEarlierTaskRunTransition, to: allExcept("PENDING") },
  guardPendingTaskRun,
  readCache,
  guardTerminalTaskRun,
  copyScheduledTime,
  copyParametersId,
  waitForSchedule,
  retryTaskRunRule,
  renameRerun,
  countFlowRun,
  writeCache,
  releaseTagSlots,
];
