import { formatMicros } from "@orchestrator/kernel";
import { type Intervals, LAST_MICROS } from "./history.rules.ts";

const MINUTE = 60 * 1_000_000;

/** Runs are tallied by these; how much of a time names one, and how long it is in microseconds. */
const STRETCHES = {
  minute: { name: 16, length: MINUTE },
  tenMinutes: { name: 15, length: 10 * MINUTE },
  hour: { name: 13, length: 60 * MINUTE },
} as const;

/** Where intervals begin and end, and the stretches that belong to none of them as a whole, or are neither over nor to come; by their names. */
export interface SplitStretches {
  /** One more than there are intervals. */
  readonly bounds: readonly string[];
  readonly minutes: readonly string[];
  readonly tenMinutes: readonly string[];
  readonly hours: readonly string[];
}

export function splitStretches({ start, length, count }: Intervals, now: number): SplitStretches {
  const bounds = Array.from({ length: count + 1 }, (_, n) =>
    Math.min(start + n * length, LAST_MICROS),
  );
  const isAmong = now >= start && now < start + count * length;
  const times = bounds.map(formatMicros);
  const split = ({ name, length: unit }: (typeof STRETCHES)[keyof typeof STRETCHES]) => {
    const names = times.filter((_, n) => (bounds[n] ?? 0) % unit !== 0);
    if (isAmong) names.push(formatMicros(now));
    return [...new Set(names.map((time) => time.slice(0, name)))];
  };
  return {
    bounds: times,
    minutes: split(STRETCHES.minute),
    tenMinutes: split(STRETCHES.tenMinutes),
    hours: split(STRETCHES.hour),
  };
}
