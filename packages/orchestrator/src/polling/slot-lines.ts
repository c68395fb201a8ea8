// Requests that wait for slots stand in line. Those who ask for the same limits take turns in the
// order they came, and only the first of a line asks the database: at once when slots have come
// back, otherwise when a refusal says so.

import { AppError, isAppError, sleep } from "@orchestrator/kernel/pure";
import type { Database } from "@orchestrator/kernel/storage";

interface Wait {
  readonly seconds: number;
  /** Fires when nobody is there any more to take the answer. */
  readonly gone: AbortSignal;
}

/** Takes slots, or throws that there are none; again, if the same request was refused before. */
type Ask<T> = (isAgain: boolean) => Promise<T>;

export interface SlotLines {
  /** Takes slots as soon as there are some; refuses as `ask` does when the time is over. */
  readonly wait: <T>(key: string, wait: Wait, ask: Ask<T>) => Promise<T>;
  /** Refuses all that wait, and whoever comes later and would have to. */
  readonly stop: () => void;
}

/** Slots came back. */
export const SLOTS_TOPIC = "slots";
/** However often slots of any limit come back, a line asks no more than once in so long. */
const PAUSE_MS = 10;
/** Made once: an abort without a reason makes an exception with its stack. */
const OVER = new Error("There is nothing to wait for any more");

export function createSlotLines({
  db: { wakeUps: nudges },
}: {
  readonly db: Pick<Database, "wakeUps">;
}): SlotLines {
  const lines = new Map<string, Line>();
  const waiting = new Set<AbortController>();
  let isStopped = false;

  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? new Line();
    lines.set(key, line);
    return line;
  };

  /** Asks until there are slots, or the end. */
  const askOn = async <T>(line: Line, end: AbortSignal, ask: Ask<T>): Promise<T> => {
    for (let isAgain = false; ; isAgain = true) {
      const rest = new AbortController();
      const wake = (): void => rest.abort(OVER);
      // Before it is asked: what comes back meanwhile must not be missed.
      const leave = nudges.on(SLOTS_TOPIC, wake);
      end.addEventListener("abort", wake, { once: true });
      try {
        return await ask(isAgain);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        line.refusal = error;
        await sleep(PAUSE_MS, end);
        if (!end.aborted) await sleep((error.retryAfterSeconds ?? 1) * 1000, rest.signal);
        if (end.aborted) throw error;
      } finally {
        end.removeEventListener("abort", wake);
        leave();
      }
    }
  };

  const waitInLine = async <T>(key: string, end: AbortSignal, ask: Ask<T>): Promise<T> => {
    const line = lineOf(key);
    if (!(await line.turn(end))) throw line.refusal;
    try {
      return await askOn(line, end, ask);
    } finally {
      line.next();
      if (line.isEmpty) lines.delete(key);
    }
  };

  return {
    async wait(key, { seconds, gone }, ask) {
      if (gone.aborted) throw OVER;
      const over = new AbortController();
      const end = (): void => over.abort(OVER);
      void sleep(seconds * 1000, over.signal).then(end);
      gone.addEventListener("abort", end, { once: true });
      waiting.add(over);
      if (isStopped) end();
      try {
        return await waitInLine(key, over.signal, ask);
      } finally {
        end();
        gone.removeEventListener("abort", end);
        waiting.delete(over);
      }
    },
    stop() {
      isStopped = true;
      for (const over of waiting) over.abort(OVER);
    },
  };
}

function isRefusal(error: unknown): error is AppError {
  return isAppError(error) && error.code === "locked";
}

class Line {
  /** What the first was last told. */
  refusal = new AppError("locked", "Locked", { retryAfterSeconds: 1 });
  /** Those behind the first, in the order they came. */
  readonly #behind = new Set<() => void>();
  #isTaken = false;

  get isEmpty(): boolean {
    return !this.#isTaken;
  }

  /** Waits until those before have left; whether that was before the end. */
  turn(end: AbortSignal): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve(true);
    }
    if (end.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const come = (): void => {
        end.removeEventListener("abort", leave);
        resolve(true);
      };
      const leave = (): void => {
        this.#behind.delete(come);
        resolve(false);
      };
      this.#behind.add(come);
      end.addEventListener("abort", leave, { once: true });
    });
  }

  next(): void {
    const [come] = this.#behind;
    this.#isTaken = come !== undefined;
    if (come === undefined) return;
    this.#behind.delete(come);
    come();
  }
}
