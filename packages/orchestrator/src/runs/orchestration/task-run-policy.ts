// Which rules a proposed state of a task run goes through, in this order. The lists are the contract.

import { allExcept } from "./rule.ts";
import { answerRepeatedTransition } from "./run-rules/answer-repeated-transition.ts";
import { copyScheduledTime } from "./run-rules/copy-scheduled-time.ts";
import { waitForSchedule } from "./run-rules/wait-for-schedule.ts";
import { answerEarlierTransition } from "./task-run-rules/answer-earlier-transition.ts";
import { answerForcedAgain } from "./task-run-rules/answer-forced-again.ts";
import { checkParent } from "./task-run-rules/check-parent.ts";
import { copyParametersId } from "./task-run-rules/copy-parameters-id.ts";
import { countFlowRun } from "./task-run-rules/count-flow-run.ts";
import { guardPending } from "./task-run-rules/guard-pending.ts";
import { guardTerminal } from "./task-run-rules/guard-terminal.ts";
import { releaseTagSlots, takeTagSlots } from "./task-run-rules/hold-tag-slots.ts";
import { readCache } from "./task-run-rules/read-cache.ts";
import { renameRerun } from "./task-run-rules/rename-rerun.ts";
import { retry } from "./task-run-rules/retry.ts";
import { writeCache } from "./task-run-rules/write-cache.ts";
import type { TaskRunRule } from "./task-run-transition.ts";

/** What clients propose. */
export const TASK_RUN_POLICY: readonly TaskRunRule[] = [
  answerRepeatedTransition,
  answerEarlierTransition,
  readCache,
  guardTerminal,
  checkParent,
  takeTagSlots,
  copyScheduledTime,
  waitForSchedule,
  retry,
  renameRerun,
  countFlowRun,
  writeCache,
  releaseTagSlots,
];

/** What is forced, and the first state of a task run. */
export const MINIMAL_TASK_RUN_POLICY: readonly TaskRunRule[] = [answerForcedAgain, releaseTagSlots];

/** Tasks in the background, which workers take from a queue: forced or not. Who was let take one hears if another has it by now. */
export const BACKGROUND_TASK_POLICY: readonly TaskRunRule[] = [
  answerRepeatedTransition,
  { ...answerEarlierTransition, to: allExcept("PENDING") },
  guardPending,
  readCache,
  guardTerminal,
  copyScheduledTime,
  copyParametersId,
  waitForSchedule,
  retry,
  renameRerun,
  countFlowRun,
  writeCache,
  releaseTagSlots,
];
