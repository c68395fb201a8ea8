// Time that passes only when everything waits for it. Sleeps drive it; alarms and deadlines fire
// when it passes them, so that a timeout never ends work that waits for something else.

import { type Alarm, type Clock, nextTurn } from "../time.ts";

interface Timer {
  readonly owner: object;
  readonly isSleep: boolean;
  readonly everyMs: number | null;
  readonly fire: () => void;
  dueMs: number;
}

/** What needs no time to happen has happened after so many turns of the event loop. */
const IDLE_TURNS = 3;

export class VirtualTime {
  #nowMs: number;
  #timers: Timer[] = [];
  #isPassing = false;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** The clock of a process. */
  clockOf(owner: object): Clock {
    const add = (ms: number, timer: Pick<Timer, "isSleep" | "everyMs" | "fire">): Alarm =>
      this.#add({ ...timer, owner, dueMs: this.#nowMs + Math.max(0, ms) });
    return {
      lastMicros: 0,
      nowMs: () => this.#nowMs,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          signal?.throwIfAborted();
          const onAbort = (): void => {
            alarm.cancel();
            reject(signal?.reason as Error);
          };
          const fire = (): void => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          };
          const alarm = add(ms, { isSleep: true, everyMs: null, fire });
          signal?.addEventListener("abort", onAbort, { once: true });
        }),
      runAfter: (ms, fire) => add(ms, { isSleep: false, everyMs: null, fire }),
      runEvery: (everyMs, fire) => add(everyMs, { isSleep: false, everyMs, fire }),
    };
  }

  /** The process is gone: nothing wakes it. */
  forget(owner: object): void {
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }

  #add(timer: Timer): Alarm {
    this.#timers.push(timer);
    if (timer.isSleep && !this.#isPassing) {
      this.#isPassing = true;
      void this.#pass();
    }
    return { cancel: () => this.#remove(timer) };
  }

  #remove(timer: Timer): void {
    const at = this.#timers.indexOf(timer);
    if (at >= 0) this.#timers.splice(at, 1);
  }

  async #pass(): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < IDLE_TURNS; turn += 1) await nextTurn();
      if (!this.#timers.some(({ isSleep }) => isSleep)) break;
      const next = earliestOf(this.#timers);
      const once = earliestOf(this.#timers.filter(({ everyMs }) => everyMs === null));
      if (next !== null && once !== null) this.#fire(next, once.dueMs);
    }
    this.#isPassing = false;
  }

  #fire(timer: Timer, untilMs: number): void {
    const { everyMs } = timer;
    if (everyMs === null) this.#remove(timer);
    // Of the times that pass at once only the last counts, as on a machine that was asleep.
    else if (everyMs > 0) timer.dueMs += Math.floor((untilMs - timer.dueMs) / everyMs) * everyMs;
    this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
    if (everyMs !== null) timer.dueMs += Math.max(1, everyMs);
    timer.fire();
  }
}

/** Of timers that are due together the first that was set. */
function earliestOf(timers: readonly Timer[]): Timer | null {
  let earliest: Timer | null = null;
  for (const timer of timers) {
    if (earliest === null || timer.dueMs < earliest.dueMs) earliest = timer;
  }
  return earliest;
}
