import "./run-scatter.css";
import type { FlowRunPoint } from "@orchestrator/contract";
import { type JSX, useLayoutEffect, useRef, useState } from "react";
import { durationLabel, shortly } from "../lib/time.ts";
import { counted } from "../lib/words.ts";
import { PageLink } from "../navigation/link.tsx";
import { useRoving } from "./roving.ts";
import { stateWord } from "./states.ts";

const HEIGHT = 160;
const LEFT = 44;
const BOTTOM = 20;
const RADIUS = 4;
/** So many lie over each other: an edge around each would hide the next. */
const MANY = 200;
/** Words that are nearer would lie over each other. */
const APART = 14;

/**
 * Every run as a point: when it started, how long it took, how it ended. A point leads to its run.
 */
export function RunScatter({
  points: newestFirst,
  start: from,
  end: to,
}: {
  readonly points: readonly FlowRunPoint[];
  /** The stretch of time that is shown. */
  readonly start: number;
  readonly end: number;
}): JSX.Element {
  const [box, width] = useWidth();
  const points = newestFirst.toReversed();
  const times = points.map(({ timestamp }) => Date.parse(timestamp));
  const longest = points.reduce((most, { duration }) => Math.max(most, duration), 0.001);
  // A run of an hour and one of a second are both to be seen.
  const scale = (duration: number) => Math.log1p(duration) / Math.log1p(longest);
  const x = (time: number) =>
    LEFT + ((time - from) / Math.max(1, to - from)) * (width - LEFT - RADIUS);
  const y = (duration: number) => (HEIGHT - BOTTOM) * (1 - scale(duration)) + RADIUS;
  const marks = [0, longest / 10, longest].filter(
    (duration, i) => i !== 1 || Math.abs(y(duration) - y(0)) > APART,
  );
  const { onKeyDown, part } = useRoving(points.length);
  return (
    <svg
      ref={box}
      className={points.length > MANY ? "scatter scatter--dense" : "scatter"}
      role="group"
      aria-label={`${counted(points.length, "run")} by start and duration, the longest ${durationLabel(longest)}`}
      onKeyDown={onKeyDown}
    >
      {marks.map((duration) => (
        <g key={duration} aria-hidden="true">
          <line x1={LEFT} x2={width} y1={y(duration)} y2={y(duration)} />
          <text x={LEFT - 6} y={y(duration) + 4} textAnchor="end">
            {durationLabel(duration)}
          </text>
        </g>
      ))}
      <text x={LEFT} y={HEIGHT - 2} aria-hidden="true">
        {shortly(from)}
      </text>
      <text x={width} y={HEIGHT - 2} textAnchor="end" aria-hidden="true">
        {shortly(to)}
      </text>
      {points.map(({ id, state_type, duration }, i) => {
        const words = `${stateWord(state_type)}, ${durationLabel(duration)}, ${shortly(times[i] ?? to)}`;
        return (
          <PageLink key={id} to={`/runs/${id}`} aria-label={words} {...part(i)}>
            <circle data-state={state_type} cx={x(times[i] ?? to)} cy={y(duration)} r={RADIUS}>
              <title>{words}</title>
            </circle>
          </PageLink>
        );
      })}
    </svg>
  );
}

/** How wide the chart is; circles would become eggs if it were stretched. */
function useWidth() {
  const box = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(entry.contentRect.width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}
