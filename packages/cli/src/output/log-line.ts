import type { Log } from "@orchestrator/contract";
import { dim, red, yellow } from "./style.ts";

const NAMES: readonly (readonly [number, string])[] = [
  [50, "CRITICAL"],
  [40, "ERROR"],
  [30, "WARNING"],
  [20, "INFO"],
  [10, "DEBUG"],
];
const WIDTH = 8;

/** The level of log lines by its name or number; null for what is neither. */
export function levelOf(text: string): number | null {
  const named = NAMES.find(
    ([, name]) => name === text.toUpperCase() || name.startsWith(`${text.toUpperCase()}ING`),
  );
  if (named) return named[0];
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** `09:30:00.123 | INFO     | logger - message`, in the time of this machine. */
export function logText({ timestamp, level, name, message }: Omit<Log, "id">): string {
  const word = NAMES.find(([least]) => level >= least)?.[1] ?? String(level);
  const colour = level >= 40 ? red : level >= 30 ? yellow : (text: string) => text;
  return `${dim(clock(timestamp))} ${dim("|")} ${colour(word.padEnd(WIDTH))}${dim("|")} ${name} - ${message}`;
}

/** The time of day, to the millisecond. */
export function clock(timestamp: string): string {
  const time = new Date(timestamp);
  const two = (value: number): string => String(value).padStart(2, "0");
  const ms = String(time.getMilliseconds()).padStart(3, "0");
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${ms}`;
}
