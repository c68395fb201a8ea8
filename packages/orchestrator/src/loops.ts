import { EVENTS_TOPIC } from "@orchestrator/kernel/events";
import type { LoopDefinition } from "@orchestrator/kernel/loops";
import type { OrchestratorContext } from "./context.ts";
import { addUpRunChanges } from "./history/run-tallies.store.ts";
import { releaseExpiredLeases as repossessLeases } from "./limits/lease-repossessor.loop.ts";
import { POLLS_TOPIC } from "./polling/poll-recorder.ts";
import { executeActions } from "./reacting/automations/actions.service.ts";
import { ACTIONS_TOPIC } from "./reacting/automations/triggers/firings.service.ts";
import { createTriggerTick } from "./reacting/automations/triggers/triggers.loop.ts";
import { deleteSettled, deliverDue } from "./reacting/deliveries/deliveries.loop.ts";
import { DELIVERIES_TOPIC } from "./reacting/deliveries/enqueue.service.ts";

import { createSlaTick } from "./reacting/slas/slas.loop.ts";
import { createWaitEnder, WAITS_TOPIC } from "./reacting/waits/end-waits.service.ts";
import { wakeRuns } from "./reacting/waits/wake-runs.loop.ts";
import { deleteAbandonedWaits } from "./reacting/waits/wake-runs.store.ts";
import { flushReceptions } from "./reacting/webhooks/receive-webhook.service.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { COLLISIONS_TOPIC } from "./runs/orchestration/collisions.store.ts";
import { OVERLAP_TOPIC } from "./runs/orchestration/overlap.store.ts";
import { createCancelChildrenTick } from "./runs/retention/cancel-children.loop.ts";
import { createCollisionsTick } from "./runs/retention/collisions.loop.ts";
import { markLateRuns } from "./runs/retention/late-runs.loop.ts";
import { endOverdueRuns as decideOverdueRuns } from "./runs/retention/overdue-runs.loop.ts";
import { deleteEndedRuns } from "./runs/retention/run-retention.loop.ts";
import { createRunTrigramsTick } from "./runs/retention/run-trigrams.loop.ts";
import { createTextBlocksTick } from "./runs/retention/text-blocks.loop.ts";
import { createRecorderTick } from "./runs/task-run-recorder/task-run-recorder.loop.ts";
import { createResultCacheTick } from "./runs/task-runs/result-cache.loop.ts";
import { advanceBackfills } from "./scheduling/backfills/backfill.loop.ts";
import { BACKFILL_TOPIC } from "./scheduling/backfills/backfills.service.ts";
import { cancelOverlapped } from "./scheduling/scheduler/overlap.loop.ts";
import { SCHEDULER_TOPIC } from "./scheduling/scheduler/reschedule.service.ts";
import { fillDueSchedules } from "./scheduling/scheduler/scheduler.service.ts";
import { flushPolls } from "./work/pools/poll-flush.service.ts";
import { checkWorkerHealth as watchWorkers } from "./work/workers/worker-health.loop.ts";

const MINUTE_MS = 60_000;
/**
 * Schedules are filled an hour ahead, so that a look now and then keeps up with them; a change is a
 * nudge.
 */
const SCHEDULER_MS = 10_000;
/** An event is a nudge; this is for those that wait for their flow run. */
const RECORDER_MS = 1000;
/** An event is a nudge; this is for windows that end without one. */
const TRIGGERS_MS = 2000;
/** A firing is a nudge; this is for actions that another replica has left behind. */
const ACTIONS_MS = 5000;
/** The end of a wait is a nudge; this is for runs that were suspended in that moment. */
const WAITS_MS = 5000;
/** A message is a nudge; this is for those that are sent again. */
const DELIVERIES_MS = 2000;
/** Inside this process the index is kept by us, on a server it is made once and kept there. */
const LETTERS_MS = { local: 2000, remote: 10 * MINUTE_MS };

/** Until it comes round, a count reads what was noted since. */
const TALLIES_MS = 5000;

/** Blocks are made of what is a quarter of an hour old. */
const TEXT_BLOCKS_MS = 10_000;

/** Every background service, with its period and what it may change. */
export function orchestratorLoops(ctx: OrchestratorContext): LoopDefinition[] {
  const cancelChildren = createCancelChildrenTick(ctx);
  const endTakenOver = createCollisionsTick(ctx);
  const forgetResults = createResultCacheTick(ctx);
  return [
    {
      name: "scheduler",
      everyMs: SCHEDULER_MS,
      wakeOn: [SCHEDULER_TOPIC],
      runs: "each",
      tick: async (signal) => {
        await fillDueSchedules(ctx, signal);
      },
    },
    {
      name: "schedule-overlap",
      everyMs: SCHEDULER_MS,
      wakeOn: [OVERLAP_TOPIC],
      runs: "one",
      tick: async (signal) => {
        await cancelOverlapped(ctx, signal);
      },
    },
    {
      name: "collisions",
      everyMs: SCHEDULER_MS,
      wakeOn: [COLLISIONS_TOPIC],
      runs: "one",
      tick: async (signal) => {
        await endTakenOver(signal);
      },
    },
    {
      name: "backfill",
      everyMs: 2000,
      wakeOn: [BACKFILL_TOPIC],
      runs: "each",
      tick: async (signal) => {
        await advanceBackfills(ctx, signal);
      },
    },
    {
      name: "lease-repossessor",
      everyMs: 15_000,
      runs: "one",
      tick: async (signal) => {
        const released = await repossessLeases(ctx, signal);
        if (released > 0) ctx.log.info({ released }, "Slots of expired leases given back");
      },
    },
    {
      name: "late-runs",
      everyMs: 5000,
      runs: "one",
      tick: async (signal) => {
        await markLateRuns(ctx, signal);
      },
    },
    {
      name: "overdue-runs",
      everyMs: 2000,
      runs: "one",
      tick: async (signal) => {
        const decided = await decideOverdueRuns(ctx, signal);
        if (decided > 0) ctx.log.info({ decided }, "Runs that nobody looked after were decided");
      },
    },
    {
      name: "cancel-children",
      everyMs: 10_000,
      runs: "one",
      tick: async (signal) => {
        await cancelChildren(signal);
      },
    },
    {
      name: "run-retention",
      everyMs: 10 * MINUTE_MS,
      runs: "one",
      tick: async (signal) => {
        const deleted = await deleteEndedRuns(ctx, signal);
        if (deleted > 0) ctx.log.info({ deleted }, "Runs that ended long ago deleted");
      },
    },
    {
      name: "run-letters",
      everyMs: ctx.db.dialect.isRemote ? LETTERS_MS.remote : LETTERS_MS.local,
      runs: "one",
      tick: createRunTrigramsTick(ctx),
    },
    // Inside this process the tallies are brought up to date before each commit.
    ...(ctx.db.dialect.isRemote
      ? [
          {
            name: "run-tallies",
            everyMs: TALLIES_MS,
            runs: "one" as const,
            tick: async (signal: AbortSignal) => {
              await addUpRunChanges(ctx.db, signal);
            },
          },
        ]
      : []),
    {
      name: "text-blocks",
      everyMs: TEXT_BLOCKS_MS,
      runs: "one",
      tick: createTextBlocksTick(ctx),
    },
    {
      name: "result-cache",
      everyMs: MINUTE_MS,
      runs: "one",
      tick: async (signal) => {
        const forgotten = await forgetResults(signal);
        if (forgotten > 0) ctx.log.info({ forgotten }, "Remembered results forgotten");
      },
    },
    {
      name: "poll-recorder",
      everyMs: 3000,
      wakeOn: [POLLS_TOPIC],
      runs: "each",
      tick: async () => {
        await flushPolls(ctx);
      },
    },
    {
      name: "worker-health",
      everyMs: 15_000,
      runs: "one",
      tick: async (signal) => {
        await watchWorkers(ctx, signal);
      },
    },
    {
      name: "task-run-recorder",
      everyMs: RECORDER_MS,
      wakeOn: [EVENTS_TOPIC],
      runs: "one",
      tick: createRecorderTick(ctx),
    },
    {
      name: "slas",
      everyMs: RECORDER_MS,
      wakeOn: [EVENTS_TOPIC],
      runs: "one",
      tick: createSlaTick(ctx),
    },
    {
      name: "webhook-recorder",
      everyMs: 3000,
      runs: "each",
      tick: async () => {
        await flushReceptions(ctx);
      },
    },
    {
      name: "reseal-secrets",
      everyMs: MINUTE_MS,
      runs: "one",
      tick: async (signal) => {
        const { resealed, problems } = await resealSecrets(ctx, signal);
        if (resealed > 0) ctx.log.info({ resealed }, "Secrets sealed with the new key");
        if (problems[0] !== undefined) throw problems[0];
      },
    },
    {
      name: "automation-triggers",
      everyMs: TRIGGERS_MS,
      wakeOn: [EVENTS_TOPIC],
      runs: "one",
      tick: createTriggerTick(ctx, createWaitEnder()),
    },
    {
      name: "run-waits",
      everyMs: WAITS_MS,
      wakeOn: [WAITS_TOPIC],
      runs: "one",
      tick: async (signal) => {
        await wakeRuns(ctx, signal);
      },
    },
    {
      name: "run-waits-cleanup",
      everyMs: 10 * MINUTE_MS,
      runs: "one",
      tick: async () => {
        await deleteAbandonedWaits(ctx.db);
      },
    },
    {
      name: "automation-actions",
      everyMs: ACTIONS_MS,
      wakeOn: [ACTIONS_TOPIC],
      runs: "each",
      tick: async (signal) => {
        await executeActions(ctx, signal);
      },
    },
    {
      name: "deliveries",
      everyMs: DELIVERIES_MS,
      wakeOn: [DELIVERIES_TOPIC],
      runs: "each",
      tick: async (signal) => {
        await deliverDue(ctx, signal);
      },
    },
    {
      name: "delivery-retention",
      everyMs: 10 * MINUTE_MS,
      runs: "one",
      tick: async (signal) => {
        const deleted = await deleteSettled(ctx, signal);
        if (deleted > 0) ctx.log.info({ deleted }, "Messages settled long ago deleted");
      },
    },
  ];
}
