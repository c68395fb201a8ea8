import "./state-bars.css";
import type { HistoryInterval } from "@orchestrator/contract";
import type { JSX } from "react";
import { shortly } from "../lib/time.ts";
import { lookOf } from "../ui/state.tsx";
import { STATE_ORDER, stateWord } from "./states.ts";

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;

/** How many runs there were in each stretch of time, by state. A bar leads to its runs. */
export function StateBars({
  intervals,
  onPick,
}: {
  readonly intervals: readonly HistoryInterval[];
  readonly onPick?: (interval: HistoryInterval) => void;
}): JSX.Element {
  const bars = intervals.map(countsOf);
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const [first, last] = [intervals[0], intervals.at(-1)];
  return (
    <figure>
      <svg
        className="bars"
        viewBox={`0 0 ${Math.max(1, bars.length) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Runs over time. ${legendOf(bars)}`}
      >
        {bars.map(({ interval, counts, total }, i) => (
          <g key={interval.interval_start}>
            {partsOf(counts, most).map(({ state, y, height }) => (
              <rect
                key={state}
                className="part"
                data-state={state}
                x={i * STEP + GAP / 2}
                y={y}
                width={STEP - GAP}
                height={height}
              />
            ))}
            <rect
              className="hit"
              x={i * STEP}
              y={0}
              width={STEP}
              height={HEIGHT}
              onClick={() => onPick?.(interval)}
            >
              <title>
                {`${shortly(interval.interval_start)} to ${shortly(interval.interval_end)}: ${total === 0 ? "no runs" : sentenceOf(counts)}`}
              </title>
            </rect>
          </g>
        ))}
      </svg>
      {first && last && (
        <figcaption className="bars-axis">
          <span>{shortly(first.interval_start)}</span>
          <span>{shortly(last.interval_end)}</span>
        </figcaption>
      )}
    </figure>
  );
}

/** How many of each state there were in all, most telling first. */
export function StateLegend({
  intervals,
}: {
  readonly intervals: readonly HistoryInterval[] | undefined;
}): JSX.Element {
  if (intervals === undefined) return <span className="soft">Counting runs</span>;
  const totals = sumOf(intervals.map(countsOf));
  return (
    <div className="legend">
      {STATE_ORDER.filter((state) => (totals.get(state) ?? 0) > 0).map((state) => (
        <span key={state} className="num">
          <i className="state-dot" data-state={state} />
          {totals.get(state)?.toLocaleString("en")} {stateWord(state).toLowerCase()}
        </span>
      ))}
      {totals.size === 0 && <span>No runs in this time</span>}
    </div>
  );
}

interface Bar {
  readonly interval: HistoryInterval;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function countsOf(interval: HistoryInterval): Bar {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { state_type, state_name, count_runs } of interval.states) {
    const look = lookOf(state_type, state_name);
    counts.set(look, (counts.get(look) ?? 0) + count_runs);
    total += count_runs;
  }
  return { interval, counts, total };
}

function partsOf(counts: ReadonlyMap<string, number>, most: number) {
  let y = HEIGHT;
  return STATE_ORDER.flatMap((state) => {
    const count = counts.get(state) ?? 0;
    if (count === 0) return [];
    // One failure among ten thousand runs is still to be seen.
    const height = Math.max(1.5, (count / most) * (HEIGHT - 2));
    y -= height;
    return [{ state, y, height }];
  });
}

function sumOf(bars: readonly Bar[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { counts } of bars)
    for (const [state, count] of counts) totals.set(state, (totals.get(state) ?? 0) + count);
  return totals;
}

const sentenceOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([state, count]) => `${count} ${stateWord(state).toLowerCase()}`).join(", ");

const legendOf = (bars: readonly Bar[]): string => sentenceOf(sumOf(bars)) || "None.";
