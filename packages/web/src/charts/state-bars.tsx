import "./state-bars.css";
import type { HistoryInterval } from "@orchestrator/contract";
import type { JSX } from "react";
import { PageLink } from "../navigation/link.tsx";
import { badgeLookOf } from "../ui/state.tsx";
import { Bars } from "./bars.tsx";
import { STATE_ORDER, stateWord } from "./states.ts";

type Counts = ReadonlyMap<string, number>;

/** How many runs there were in each stretch of time, by state. A bar leads to its runs. */
export function StateBars({
  intervals,
  onPick,
}: {
  readonly intervals: readonly HistoryInterval[];
  readonly onPick: (from: string, to: string) => void;
}): JSX.Element {
  const bars = intervals.map((interval) => {
    const counts = countsOf(interval);
    return {
      start: interval.interval_start,
      end: interval.interval_end,
      words: counts.size === 0 ? "no runs" : sentenceOf(counts),
      parts: STATE_ORDER.map((state) => ({ state, count: counts.get(state) ?? 0 })),
    };
  });
  const all = sentenceOf(sumOf(intervals)) || "None.";
  return (
    <Bars
      label={`Runs over time. ${all}`}
      bars={bars}
      onPick={({ start, end }) => onPick(start, end)}
    />
  );
}

/** How many of each state there were in all, most telling first. */
export function StateLegend({
  intervals,
  linkTo,
}: {
  readonly intervals: readonly HistoryInterval[] | undefined;
  /** Where the runs of a state are listed. */
  readonly linkTo?: (state: string) => string;
}): JSX.Element {
  if (intervals === undefined) return <span className="soft">Loading runs</span>;
  const totals = sumOf(intervals);
  return (
    <div className="legend">
      {STATE_ORDER.filter((state) => totals.has(state)).map((state) => {
        const words = (
          <>
            <i className="state-dot" data-state={state} />
            {totals.get(state)?.toLocaleString("en")} {stateWord(state).toLowerCase()}
          </>
        );
        return linkTo ? (
          <PageLink key={state} className="num" to={linkTo(state)}>
            {words}
          </PageLink>
        ) : (
          <span key={state} className="num">
            {words}
          </span>
        );
      })}
      {totals.size === 0 && <span>No runs in this time range</span>}
    </div>
  );
}

const countsOf = (interval: HistoryInterval): Counts => sumOf([interval]);

function sumOf(intervals: readonly HistoryInterval[]): Counts {
  const totals = new Map<string, number>();
  for (const { states } of intervals)
    for (const { state_type, state_name, count_runs } of states) {
      const look = badgeLookOf(state_type, state_name);
      totals.set(look, (totals.get(look) ?? 0) + count_runs);
    }
  return totals;
}

const sentenceOf = (counts: Counts): string =>
  [...counts].map(([state, count]) => `${count} ${stateWord(state).toLowerCase()}`).join(", ");
