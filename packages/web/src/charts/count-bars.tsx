import type { JSX } from "react";
import { counted } from "../lib/words.ts";
import { Bars } from "./bars.tsx";

export interface Count {
  readonly start: string;
  readonly end: string;
  readonly count: number;
}

/** How many there were in each stretch of time; a bar can be picked to look at its time only. */
export function CountBars({
  counts,
  what,
  onPick,
}: {
  readonly counts: readonly Count[];
  /** One of them. */
  readonly what: string;
  readonly onPick: (stretch: { readonly start: string; readonly end: string }) => void;
}): JSX.Element {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Bars
      low
      label={`${counted(total, what)} over time`}
      bars={counts.map(({ start, end, count }) => ({
        start,
        end,
        words: counted(count, what),
        parts: [{ count }],
      }))}
      onPick={onPick}
    />
  );
}
