import { formatMicros, sleep } from "@orchestrator/kernel";
import type { OrchestratorContext } from "../../context.ts";
import { LOGS_TOPIC } from "../logs/logs.service.ts";
import { type ArrivedLine, findArrived, type LiveLine, readLines } from "./live-logs.store.ts";

/** One look at the newest log lines for any number of followers. */
export interface LogTail {
  /** Hands over the lines that are stored from now on, until the signal fires. */
  readonly follow: (
    signal: AbortSignal,
    push: (lines: readonly LiveLine[]) => void,
  ) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Lines say when they arrived but not when they were committed, so each look begins a little before the last one. */
const OVERLAP_MICROS = 10 * 1_000_000;
const LOOK_MS = 2000;
/** Many small batches are taken together. */
const PAUSE_MS = 100;
const MAX_ARRIVED = 20_000;
/** A line may be long. */
const PAGE = 50;

/** Before all lines that arrived at a moment or later. */
const moment = (micros: number): ArrivedLine => ({
  created: formatMicros(micros),
  id: "00000000-0000-0000-0000-000000000000",
});

type Push = (lines: readonly LiveLine[]) => void;

/** A look reads the lines in pages. */
export function createLogTail(
  ctx: OrchestratorContext,
  { page = MAX_ARRIVED }: { readonly page?: number } = {},
): LogTail {
  const { db, clock, log } = ctx;
  const followers = new Set<Push>();
  const stopped = new AbortController();
  /** Lines that were handed over, by id, with the time they arrived; those before the overlap are forgotten. */
  const seen = new Map<string, string>();
  let from = moment(0);
  let starting: Promise<void> | null = null;
  let wake = new AbortController();
  let running: Promise<void> | null = null;

  /**
   * Goes through the lines up to the present that were not seen yet. However many there are, the next look begins no
   * later than the overlap, for lines between them may still be committed.
   */
  const readFresh = async (take: (fresh: ArrivedLine[]) => Promise<void>): Promise<void> => {
    let reached: ArrivedLine | undefined = from;
    while (reached !== undefined && !stopped.signal.aborted) {
      const horizon = moment(clock.nowMicros() - OVERLAP_MICROS);
      const arrived = await findArrived(db, reached, page);
      await take(arrived.filter(({ id }) => !seen.has(id)));
      reached = arrived.length === page ? arrived.at(-1) : undefined;
      const next = reached && reached.created < horizon.created ? reached : horizon;
      if (next.created > from.created) from = next;
      for (const [id, created] of seen) if (created < from.created) seen.delete(id);
    }
  };

  const note = (lines: readonly ArrivedLine[]): void => {
    for (const { id, created } of lines) seen.set(id, created);
  };

  const look = async (): Promise<void> =>
    readFresh(async (fresh) => {
      for (let i = 0; i < fresh.length; i += PAGE) {
        const some = fresh.slice(i, i + PAGE);
        const lines = await readLines(db, some);
        note(some);
        for (const push of followers) push(lines);
      }
    });

  const run = async (): Promise<void> => {
    const off = db.nudges.on(LOGS_TOPIC, () => wake.abort());
    try {
      while (followers.size > 0 && !stopped.signal.aborted) {
        wake = new AbortController();
        try {
          await look();
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

  /** What is there before anybody follows is not new. */
  const begin = async (): Promise<void> => {
    seen.clear();
    from = moment(clock.nowMicros() - OVERLAP_MICROS);
    await readFresh(async (fresh) => note(fresh));
  };

  return {
    async follow(signal, push) {
      if (running === null) {
        starting ??= begin().finally(() => {
          starting = null;
        });
        await starting;
      }
      const ended = AbortSignal.any([signal, stopped.signal]);
      if (ended.aborted) return;
      followers.add(push);
      running ??= run();
      await new Promise<void>((resolve) => {
        ended.addEventListener("abort", () => resolve(), { once: true });
      });
      followers.delete(push);
    },
    async stop() {
      stopped.abort();
      wake.abort();
      await running;
    },
  };
}
