// The one place of the SDK that asks the machine for the time, for chance, and to be woken.
/* oxlint-disable no-restricted-globals, no-restricted-properties */

const MICROS_PER_MS = 1000;
const MAX_TIMER_MS = 2_147_483_647;

let lastMicros = 0;

/** Microseconds since 1970, each time a later one: what happens in one millisecond keeps its order. */
export function nextMicros(): number {
  lastMicros = Math.max(lastMicros + 1, Date.now() * MICROS_PER_MS);
  return lastMicros;
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

export function nowMs(): number {
  return Date.now();
}

export function timestampIn(seconds: number): string {
  return timestampOf(Math.round((Date.now() + seconds * 1000) * MICROS_PER_MS));
}

/** How long it is until then; 0 when that is over, or no time at all. */
export function msUntil(timestamp: string | null | undefined): number {
  return Math.max(0, Date.parse(timestamp ?? "") - Date.now() || 0);
}

/** The time of day on this machine, for people. */
export function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}

/** Between 0 and 1. */
export function randomFraction(): number {
  return Math.random();
}

/** Resolves after the time; rejects with the signal's reason as soon as that is aborted. */
export function sleepOrAbort(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
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
  });
}

/** Resolves when all that has happened by now was handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export interface Alarm {
  readonly cancel: () => void;
}

/** Calls once after the time; does not keep the process alive. */
export function runAfter(ms: number, call: () => void): Alarm {
  const timer = setTimeout(call, Math.min(ms, MAX_TIMER_MS));
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
}

/** Calls again and again; does not keep the process alive. */
export function runEvery(ms: number, call: () => void): Alarm {
  const timer = setInterval(call, Math.min(ms, MAX_TIMER_MS));
  timer.unref();
  return { cancel: () => clearInterval(timer) };
}
