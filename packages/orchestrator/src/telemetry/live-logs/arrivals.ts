// Which log lines are new since the last look. Where writers commit one after another that is told
// by a position; elsewhere lines say when they arrived but not when they were committed, so each
// look begins a little before the last one.

import { type Clock, formatMicros } from "@orchestrator/kernel/pure";
import type { Database } from "@orchestrator/kernel/storage";
import {
  type ArrivedLine,
  findArrived,
  findLastPosition,
  type LiveLogLine,
  readLinesBehind,
  readLiveLines,
} from "./live-logs.store.ts";

export interface Arrivals {
  /** What is there by now is not new. */
  readonly begin: (signal: AbortSignal) => Promise<void>;
  /** Hands over what is new, in parts. */
  readonly look: (
    signal: AbortSignal,
    take: (lines: readonly LiveLogLine[]) => void,
  ) => Promise<void>;
}

/** A line may be long. */
const PAGE = 50;

export function arrivalsInOrder(db: Database): Arrivals {
  let last = 0;
  return {
    async begin() {
      last = await findLastPosition(db);
    },
    async look(signal, take) {
      while (!signal.aborted) {
        const lines = await readLinesBehind(db, last, PAGE);
        last = lines.at(-1)?.position ?? last;
        take(lines);
        if (lines.length < PAGE) break;
      }
    },
  };
}

const OVERLAP_MICROS = 10 * 1_000_000;

/** Before all lines that arrived at a moment or later. */
const moment = (micros: number): ArrivedLine => ({
  created: formatMicros(micros),
  id: "00000000-0000-0000-0000-000000000000",
});

/** So many places are read at once. */
export function arrivalsByTime(db: Database, clock: Clock, atOnce: number): Arrivals {
  /**
   * Lines that were handed over, by id, with the time they arrived; those before the overlap are
   * forgotten.
   */
  const seen = new Map<string, string>();
  let from = moment(0);

  /**
   * Goes through the lines up to the present that were not seen yet. However many there are, the
   * next look begins no later than the overlap, for lines between them may still be committed.
   */
  const readFresh = async (
    signal: AbortSignal,
    take: (fresh: ArrivedLine[]) => Promise<void>,
  ): Promise<void> => {
    let reached: ArrivedLine | undefined = from;
    while (reached !== undefined && !signal.aborted) {
      const horizon = moment(clock.nowMicros() - OVERLAP_MICROS);
      const arrived = await findArrived(db, reached, atOnce);
      await take(arrived.filter(({ id }) => !seen.has(id)));
      reached = arrived.length === atOnce ? arrived.at(-1) : undefined;
      const next = reached && reached.created < horizon.created ? reached : horizon;
      if (next.created > from.created) from = next;
      for (const [id, created] of seen) if (created < from.created) seen.delete(id);
    }
  };

  const note = (lines: readonly ArrivedLine[]): void => {
    for (const { id, created } of lines) seen.set(id, created);
  };

  return {
    async begin(signal) {
      seen.clear();
      from = moment(clock.nowMicros() - OVERLAP_MICROS);
      await readFresh(signal, async (fresh) => note(fresh));
    },
    look: (signal, take) =>
      readFresh(signal, async (fresh) => {
        for (let i = 0; i < fresh.length; i += PAGE) {
          const some = fresh.slice(i, i + PAGE);
          const lines = await readLiveLines(db, some);
          note(some);
          take(lines);
        }
      }),
  };
}
