// Which rules a proposed state of a flow run goes through, in this order. The lists are the
// contract.

import { acquireSlot } from "./flow-run-rules/acquire-slot.ts";
import { answerEarlierFlowRunTransition } from "./flow-run-rules/answer-earlier-transition.ts";
import { answerForcedFlowRunAgain } from "./flow-run-rules/answer-forced-again.ts";
import { beginClaim } from "./flow-run-rules/begin-claim.ts";
import { cancelLate } from "./flow-run-rules/cancel-late.ts";
import { cancelWithoutInfrastructure } from "./flow-run-rules/cancel-without-infrastructure.ts";
import { fenceForcedClaimant } from "./flow-run-rules/fence-forced-claimant.ts";
import { fenceLateClaimant } from "./flow-run-rules/fence-late-claimant.ts";
import { guardCancelling } from "./flow-run-rules/guard-cancelling.ts";
import { guardLate } from "./flow-run-rules/guard-late.ts";
import { guardPendingFlowRun } from "./flow-run-rules/guard-pending.ts";
import { guardTerminalFlowRun } from "./flow-run-rules/guard-terminal.ts";
import { holdSlot } from "./flow-run-rules/hold-slot.ts";
import { keepLease } from "./flow-run-rules/keep-lease.ts";
import { keepResult } from "./flow-run-rules/keep-result.ts";
import { pauseFlowRunRule } from "./flow-run-rules/pause.ts";
import { recover } from "./flow-run-rules/recover.ts";
import { releaseSlot } from "./flow-run-rules/release-slot.ts";
import { respectOverlap } from "./flow-run-rules/respect-overlap.ts";
import { resumeFlowRunRule } from "./flow-run-rules/resume.ts";
import { retryFlowRunRule } from "./flow-run-rules/retry.ts";
import { suspend } from "./flow-run-rules/suspend.ts";
import { takePlace } from "./flow-run-rules/take-place.ts";
import type { FlowRunRule } from "./flow-run-transition.ts";
import { answerRepeatedTransition } from "./run-rules/answer-repeated-transition.ts";
import { copyScheduledTime } from "./run-rules/copy-scheduled-time.ts";
import { waitForSchedule } from "./run-rules/wait-for-schedule.ts";

/** What clients propose. */
export const FLOW_RUN_POLICY: readonly FlowRunRule[] = [
  keepLease,
  answerRepeatedTransition,
  answerEarlierFlowRunTransition,
  guardTerminalFlowRun,
  guardCancelling,
  cancelWithoutInfrastructure,
  guardPendingFlowRun,
  fenceLateClaimant,
  respectOverlap,
  beginClaim,
  takePlace,
  acquireSlot,
  guardLate,
  pauseFlowRunRule,
  resumeFlowRunRule,
  suspend,
  copyScheduledTime,
  waitForSchedule,
  holdSlot,
  retryFlowRunRule,
  recover,
  releaseSlot,
];

/** What is forced, and the first state of a run: nearly everything goes. */
export const MINIMAL_FLOW_RUN_POLICY: readonly FlowRunRule[] = [
  keepLease,
  answerForcedFlowRunAgain,
  fenceForcedClaimant,
  keepResult,
  cancelWithoutInfrastructure,
  releaseSlot,
];

/** What the server forces on runs whose deadline has passed. */
export const OVERDUE_POLICY: readonly FlowRunRule[] = [
  keepLease,
  keepResult,
  cancelWithoutInfrastructure,
  recover,
  releaseSlot,
];

/** What the server proposes to mark a run late. */
export const LATE_POLICY: readonly FlowRunRule[] = [guardLate, cancelLate];
