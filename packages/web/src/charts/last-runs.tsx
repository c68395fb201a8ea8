import "./last-runs.css";
import type { LastRun } from "@orchestrator/contract";
import type { JSX } from "react";
import { durationLabel, shortly } from "../lib/time.ts";
import { PageLink } from "../navigation/link.tsx";
import { badgeLookOf } from "../ui/state.tsx";
import { useRoving } from "./roving.ts";

/** How many are shown. */
export const SHOWN = 20;
const HEIGHT = 24;
const LEAST = 5;

/**
 * The last runs as bars, the newest on the right: the colour says how each ended, the height how
 * long it took.
 */
export function LastRuns({ runs }: { readonly runs: readonly LastRun[] }): JSX.Element {
  const shown = runs.slice(0, SHOWN).toReversed();
  const { onKeyDown, part } = useRoving(shown.length);
  const longest = Math.max(1, ...shown.map(({ estimated_run_time }) => estimated_run_time));
  if (shown.length === 0) return <span className="faint">No runs</span>;
  return (
    <span className="last-runs" role="group" aria-label="Recent runs" onKeyDown={onKeyDown}>
      {shown.map((run, i) => {
        const height = LEAST + (HEIGHT - LEAST) * Math.sqrt(run.estimated_run_time / longest);
        const when = run.start_time ?? run.expected_start_time;
        const words = `${run.name}: ${run.state_name ?? "no state"}, ${durationLabel(run.estimated_run_time)}${when ? `, ${shortly(when)}` : ""}`;
        return (
          <PageLink
            key={run.id}
            to={`/runs/${run.id}`}
            title={words}
            aria-label={words}
            {...part(i)}
          >
            <i data-state={badgeLookOf(run.state_type, run.state_name)} style={{ height }} />
          </PageLink>
        );
      })}
    </span>
  );
}
