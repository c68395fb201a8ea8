import "./count-bars.css";
import "./state-bars.css";
import type { JSX } from "react";
import { shortly } from "../lib/time.ts";

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;

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
  readonly what: string;
  readonly onPick: (count: Count) => void;
}): JSX.Element {
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const [first, last] = [counts[0], counts.at(-1)];
  return (
    <figure>
      <svg
        className="count-bars"
        viewBox={`0 0 ${Math.max(1, counts.length) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${total.toLocaleString("en")} ${what} over time`}
      >
        {counts.map((bar, i) => {
          const height = bar.count === 0 ? 0 : Math.max(2, (bar.count / most) * (HEIGHT - 2));
          return (
            <g key={bar.start}>
              <rect
                className="part"
                x={i * STEP + GAP / 2}
                y={HEIGHT - height}
                width={STEP - GAP}
                height={height}
              />
              <rect
                className="hit"
                x={i * STEP}
                y={0}
                width={STEP}
                height={HEIGHT}
                onClick={() => onPick(bar)}
              >
                <title>{`${shortly(bar.start)} to ${shortly(bar.end)}: ${bar.count} ${what}`}</title>
              </rect>
            </g>
          );
        })}
      </svg>
      {first && last && (
        <figcaption className="bars-axis">
          <span>{shortly(first.start)}</span>
          <span>{shortly(last.end)}</span>
        </figcaption>
      )}
    </figure>
  );
}
