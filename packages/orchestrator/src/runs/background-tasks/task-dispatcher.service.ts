import { formatMicros, sleep } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import { BACKGROUND_TASKS_TOPIC } from "../orchestration/set-task-run-state.ts";
import { findTaskRun } from "../task-runs/task-runs.store.ts";
import {
  dispatchTaskRun,
  findWaiting,
  settleDispatch,
  type WaitingTaskRun,
} from "./background-tasks.store.ts";

/** A run that was handed out and waits for the answer. */
export interface DispatchedTaskRun {
  readonly json: string;
  /** It is theirs for good. */
  readonly accept: () => Promise<void>;
  /** It goes to somebody else. */
  readonly release: () => Promise<void>;
}

/** Hands each background run to one of those who wait for it, here or on another replica. */
export interface TaskDispatcher {
  /** The next run of one of the tasks; null when the signal fires before there is one. */
  readonly next: (
    scope: Scope,
    keys: readonly string[],
    signal: AbortSignal,
  ) => Promise<DispatchedTaskRun | null>;
  readonly stop: () => Promise<void>;
}

/**
 * Longer than anybody is given to answer. A run whose replica died with the answer is free again
 * after it.
 */
const OFFER_MICROS = 60 * 1_000_000;
/** Offers of dead replicas end without a nudge. */
const LOOK_MS = 5000;

interface Waiter {
  readonly workspaceId: string;
  readonly keys: ReadonlySet<string>;
  readonly give: (run: DispatchedTaskRun | null) => void;
}

export function createTaskDispatcher(ctx: OrchestratorContext): TaskDispatcher {
  const { db, clock, ids, log, hearing } = ctx;
  const waiters = new Set<Waiter>();
  const stopped = new AbortController();
  let wake = new AbortController();
  let running: Promise<void> | null = null;
  /** Workspaces in which nothing waited for their workers, as far as is known. */
  const quiet = new Set<string>();

  const settle = (workspaceId: string, task_run_id: string, offer_id: string) => {
    return (expires: string | null): Promise<void> =>
      db.write(workspaceId, async (tx) => {
        await settleDispatch(tx, { task_run_id, offer_id, expires });
        if (expires !== null) tx.notify(BACKGROUND_TASKS_TOPIC);
      });
  };

  const offer = async (workspaceId: string, id: string): Promise<DispatchedTaskRun | null> => {
    const offer_id = ids.uuid7();
    const json = await db.write(workspaceId, async (tx) => {
      const now = clock.now();
      const expires = formatMicros(clock.nowMicros() + OFFER_MICROS);
      const isOurs = await dispatchTaskRun(tx, { task_run_id: id, offer_id, expires, now });
      return isOurs ? findTaskRun(tx, { id, now }) : null;
    });
    if (json === null) return null;
    const end = settle(workspaceId, id, offer_id);
    return { json, accept: () => end(null), release: () => end(clock.now()) };
  };

  const handOut = async (workspaceId: string, { id, task_key }: WaitingTaskRun): Promise<void> => {
    const waiter = [...waiters].find(
      (each) => each.workspaceId === workspaceId && each.keys.has(task_key),
    );
    if (waiter === undefined) return;
    const offered = await offer(workspaceId, id);
    if (offered === null) return;
    if (waiters.has(waiter)) waiter.give(offered);
    // Whoever left in the meantime takes nothing any more.
    else await offered.release();
  };

  /** Hands out the first of each task, and tells whether there was any. */
  const handOutSome = async (workspaceId: string): Promise<boolean> => {
    const mine = [...waiters].filter((each) => each.workspaceId === workspaceId);
    const keys = [...new Set(mine.flatMap((each) => [...each.keys]))];
    if (keys.length === 0) return false;
    const found = await findWaiting(db.in(workspaceId), { keys, now: clock.now() });
    for (const run of found) await handOut(workspaceId, run);
    return found.length > 0;
  };

  /**
   * Until nothing is left that somebody waits for: by turns, so that no workspace waits for the
   * backlog of another.
   */
  const handOutAll = async (): Promise<void> => {
    for (let isMore = true; isMore && !stopped.signal.aborted; ) {
      isMore = false;
      for (const workspaceId of new Set([...waiters].map((each) => each.workspaceId))) {
        if (quiet.has(workspaceId)) continue;
        quiet.add(workspaceId);
        if (!(await handOutSome(workspaceId))) continue;
        quiet.delete(workspaceId);
        isMore = true;
      }
    }
  };

  const run = async (): Promise<void> => {
    const off = db.wakeUps.on(BACKGROUND_TASKS_TOPIC, () => {
      quiet.clear();
      wake.abort();
    });
    try {
      while (waiters.size > 0 && !stopped.signal.aborted) {
        wake = new AbortController();
        quiet.clear();
        try {
          if (await hearing.listen()) await handOutAll();
        } catch (error) {
          log.warn({ err: error }, "Background tasks could not be handed out; trying again");
        }
        if (waiters.size > 0) await sleep(LOOK_MS, wake.signal);
      }
    } finally {
      off();
      running = null;
    }
  };

  return {
    async next({ workspaceId }, keys, signal) {
      if (signal.aborted || stopped.signal.aborted) return null;
      return new Promise((resolve) => {
        const leave = (): void => waiter.give(null);
        const waiter: Waiter = {
          workspaceId,
          keys: new Set(keys),
          give: (given) => {
            waiters.delete(waiter);
            signal.removeEventListener("abort", leave);
            resolve(given);
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        waiters.add(waiter);
        quiet.delete(workspaceId);
        if (running === null) running = run();
        else wake.abort();
      });
    },
    async stop() {
      stopped.abort();
      wake.abort();
      for (const waiter of waiters) waiter.give(null);
      await running;
    },
  };
}
