import { sleep } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { LOGS_TOPIC } from "../logs/logs.service.ts";
import { arrivalsByTime, arrivalsInOrder } from "./arrivals.ts";
import type { LiveLogLine } from "./live-logs.store.ts";

/** One look at the newest log lines for any number of followers. */
export interface LogTail {
  /** Hands over the lines that are stored from now on, until the signal fires. */
  readonly follow: (
    signal: AbortSignal,
    push: (lines: readonly LiveLogLine[]) => void,
  ) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const LOOK_MS = 2000;
/** Many small batches are taken together. */
const PAUSE_MS = 100;
const MAX_ARRIVED = 20_000;

type Push = (lines: readonly LiveLogLine[]) => void;

/** Where a look has to begin before the last one, so many places are read at once. */
export function createLogTail(
  { db, clock, log }: OrchestratorContext,
  { page = MAX_ARRIVED }: { readonly page?: number } = {},
): LogTail {
  const followers = new Set<Push>();
  const stopped = new AbortController();
  const arrivals = db.dialect.commitsInOrder
    ? arrivalsInOrder(db)
    : arrivalsByTime(db, clock, page);
  let starting: Promise<void> | null = null;
  let wake = new AbortController();
  let running: Promise<void> | null = null;

  const push = (lines: readonly LiveLogLine[]): void => {
    for (const follower of followers) follower(lines);
  };

  const run = async (): Promise<void> => {
    const off = db.wakeUps.on(LOGS_TOPIC, () => wake.abort());
    try {
      while (followers.size > 0 && !stopped.signal.aborted) {
        wake = new AbortController();
        try {
          await arrivals.look(stopped.signal, push);
        } catch (error) {
          log.warn({ err: error }, "The newest log lines could not be read; trying again");
        }
        await sleep(PAUSE_MS, stopped.signal);
        await sleep(LOOK_MS, wake.signal);
      }
    } finally {
      off();
      running = null;
    }
  };

  return {
    async follow(signal, follower) {
      if (running === null) {
        starting ??= arrivals.begin(stopped.signal).finally(() => {
          starting = null;
        });
        await starting;
      }
      const ended = AbortSignal.any([signal, stopped.signal]);
      if (ended.aborted) return;
      followers.add(follower);
      running ??= run();
      await new Promise<void>((resolve) => {
        ended.addEventListener("abort", () => resolve(), { once: true });
      });
      followers.delete(follower);
    },
    async stop() {
      stopped.abort();
      wake.abort();
      await running;
    },
  };
}
