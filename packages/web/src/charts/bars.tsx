import "./bars.css";
import type { JSX } from "react";
import { shortly } from "../lib/time.ts";

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;
/** One failure among ten thousand runs is still to be seen. */
const LEAST = 1.5;

export interface Bar {
  readonly start: string;
  readonly end: string;
  /** What there was in this stretch of time, in words. */
  readonly words: string;
  /** From the bottom to the top. */
  readonly parts: readonly { readonly state?: string; readonly count: number }[];
}

/** How many there were in each stretch of time. A bar can be picked to look at its time only. */
export function Bars({
  label,
  bars,
  low = false,
  onPick,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly low?: boolean;
  readonly onPick?: ((bar: Bar) => void) | undefined;
}): JSX.Element {
  const most = bars.reduce((max, { parts }) => Math.max(max, totalOf(parts)), 1);
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure>
      <svg
        className={`bars${low ? " bars--low" : ""}${onPick ? " bars--picked" : ""}`}
        viewBox={`0 0 ${Math.max(1, bars.length) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map((bar, i) => (
          <g key={bar.start}>
            {stacked(bar.parts, most).map(({ state, y, height }) => (
              <rect
                key={state ?? ""}
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
              onClick={() => onPick?.(bar)}
            >
              <title>{`${shortly(bar.start)} to ${shortly(bar.end)}: ${bar.words}`}</title>
            </rect>
          </g>
        ))}
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

const totalOf = (parts: Bar["parts"]): number => parts.reduce((sum, { count }) => sum + count, 0);

function stacked(parts: Bar["parts"], most: number) {
  let y = HEIGHT;
  return parts
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => {
      const height = Math.max(LEAST, (count / most) * (HEIGHT - 2));
      y -= height;
      return { state, y, height };
    });
}
