import type { Clock } from "../clock/clock.ts";
import { formatMicros } from "../clock/timestamp.ts";

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  readonly advanceMs: (ms: number) => void;
}

export function manualClock(startIso = "2026-01-01T00:00:00Z"): ManualClock {
  let micros = Date.parse(startIso) * 1000;
  return {
    nowMicros: () => micros,
    now: () => formatMicros(micros),
    advanceMs(ms) {
      micros += ms * 1000;
    },
  };
}
