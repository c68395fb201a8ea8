import "./bars.css";
import type { JSX } from "react";
import { shortly } from "../lib/time.ts";
import { useRoving } from "./roving.ts";

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
  readonly onPick: (bar: Bar) => void;
}): JSX.Element {
  const { onKeyDown, part } = useRoving(bars.length);
  const most = bars.reduce((max, { parts }) => Math.max(max, totalOf(parts)), 0);
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <figure className="bars" aria-label={label}>
      <div className="bars__scale num" aria-hidden="true">
        {most > 0 && (
          <>
            <span>{most.toLocaleString("en")}</span>
            <span>0</span>
          </>
        )}
      </div>
      <div className={`bars__plot${low ? " bars__plot--low" : ""}`}>
        <svg
          viewBox={`0 0 ${Math.max(1, bars.length) * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {bars.map((bar, i) =>
            stacked(bar.parts, most).map(({ state, y, height }) => (
              <rect
                key={`${i} ${state}`}
                data-state={state}
                x={i * STEP + GAP / 2}
                y={y}
                width={STEP - GAP}
                height={height}
              />
            )),
          )}
        </svg>
        <div className="bars__picks" role="group" aria-label={label} onKeyDown={onKeyDown}>
          {/* By place: what has the focus keeps it while time goes on. */}
          {bars.map((bar, i) => {
            const words = `${shortly(bar.start)} to ${shortly(bar.end)}: ${bar.words}`;
            return (
              <button
                key={i}
                type="button"
                title={words}
                aria-label={words}
                onClick={() => onPick(bar)}
                {...part(i)}
              />
            );
          })}
        </div>
      </div>
      {first && last && (
        <figcaption className="bars__axis">
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
      const height = Math.max(LEAST, (count / most) * HEIGHT);
      y -= height;
      return { state, y, height };
    });
}
