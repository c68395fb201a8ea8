// The one place of the SDK that asks the machine for the time, for chance, and to be woken.
/* oxlint-disable no-restricted-globals, no-restricted-properties */

import { AsyncLocalStorage } from "node:async_hooks";

const MICROS_PER_MS = 1000;
const MAX_TIMER_MS = 2_147_483_647;

export interface Alarm {
  readonly cancel: () => void;
}

/** Where time comes from: the machine, or a test that makes it. */
export interface Clock {
  readonly nowMs: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly runAfter: (ms: number, call: () => void, holdsProcess?: boolean) => Alarm;
  readonly runEvery: (ms: number, call: () => void) => Alarm;
  /** Of the last thing that happened. */
  lastMicros: number;
}

const clocks = new AsyncLocalStorage<Clock>();
let hasOtherClocks = false;

/** Does the work, and all that follows from it, by another clock. */
export function withClock<Value>(clock: Clock, work: () => Value): Value {
  hasOtherClocks = true;
  return clocks.run(clock, work);
}

const clockNow = (): Clock => (hasOtherClocks ? (clocks.getStore() ?? machine) : machine);

/**
 * Microseconds since 1970, each time a later one: what happens in one millisecond keeps its order.
 */
export function nextMicros(): number {
  const clock = clockNow();
  clock.lastMicros = Math.max(clock.lastMicros + 1, clock.nowMs() * MICROS_PER_MS);
  return clock.lastMicros;
}

let writtenMs = -1;
let written = "";

/** The way times are written everywhere, `2026-11-14T09:00:00.000000Z`. */
export function timestampOf(micros: number): string {
  const ms = Math.floor(micros / MICROS_PER_MS);
  // Many things happen in one millisecond.
  if (ms !== writtenMs) {
    writtenMs = ms;
    written = new Date(ms).toISOString().slice(0, -1);
  }
  return `${written}${String(micros % MICROS_PER_MS).padStart(3, "0")}Z`;
}

export const nowMs = (): number => clockNow().nowMs();

/** By the machine, also in a test that makes its own time: ids are unique beyond the test. */
export const machineMs = (): number => Date.now();

export function timestampIn(seconds: number): string {
  return timestampOf(Math.round((nowMs() + seconds * 1000) * MICROS_PER_MS));
}

/** How long it is until then; 0 when that is over, or no time at all. */
export function msUntil(timestamp: string | null | undefined): number {
  return Math.max(0, Date.parse(timestamp ?? "") - nowMs() || 0);
}

/** The time of day on this machine, for people. */
export function timeOfDay(): string {
  return new Date(nowMs()).toTimeString().slice(0, 8);
}

/** Between 0 and 1. */
export function randomFraction(): number {
  return Math.random();
}

/** Resolves after the time; rejects with the signal's reason as soon as that is aborted. */
export function sleepOrAbort(ms: number, signal?: AbortSignal): Promise<void> {
  return clockNow().sleep(ms, signal);
}

/** Calls once after the time; does not keep the process alive. */
export function runAfter(ms: number, call: () => void): Alarm {
  return clockNow().runAfter(ms, call);
}

/** Calls once after the time, unless the work is done by then; keeps the process alive. */
export function runAtDeadline(ms: number, call: () => void): Alarm {
  return clockNow().runAfter(ms, call, true);
}

/** Calls again and again; does not keep the process alive. */
export function runEvery(ms: number, call: () => void): Alarm {
  return clockNow().runEvery(ms, call);
}

/** Resolves when all that has happened by now was handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const machine: Clock = {
  nowMs: machineMs,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
        Math.min(Math.max(0, ms), MAX_TIMER_MS),
      );
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
  runAfter(ms, call, holdsProcess = false) {
    const timer = setTimeout(call, Math.min(ms, MAX_TIMER_MS));
    if (!holdsProcess) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  runEvery(ms, call) {
    const timer = setInterval(call, Math.min(ms, MAX_TIMER_MS));
    timer.unref();
    return { cancel: () => clearInterval(timer) };
  },
  lastMicros: 0,
};
