import "./heartbeat-bars.css";
import type { RecentResult } from "@orchestrator/contract";
import type { JSX } from "react";
import { shortly } from "../../lib/time.ts";
import { msText } from "./monitor-words.ts";

/** The last results as bars, the newest on the right; what is not there yet is grey. */
export function HeartbeatBars({
  results,
  count = 40,
}: {
  readonly results: readonly RecentResult[];
  readonly count?: number;
}): JSX.Element {
  const shown = results.slice(0, count).toReversed();
  const missing = Math.max(0, count - shown.length);
  return (
    <span className="beats" role="img" aria-label={summaryOf(shown)}>
      {Array.from({ length: missing }, (_, i) => (
        <i key={`none-${i}`} data-state="none" />
      ))}
      {shown.map((result) => (
        <i key={result.id} data-state={lookOf(result)} title={wordsOf(result)} />
      ))}
    </span>
  );
}

function lookOf({ status, maintenance, inconclusive }: RecentResult): string {
  if (maintenance) return "maintenance";
  return inconclusive ? "none" : status;
}

function wordsOf(result: RecentResult): string {
  const { status, message, elapsed_ms, checked_at, maintenance, inconclusive } = result;
  const about = maintenance ? " during maintenance" : inconclusive ? " (inconclusive)" : "";
  return `${shortly(checked_at)}: ${status}${about}, ${msText(elapsed_ms)}${message ? `\n${message}` : ""}`;
}

function summaryOf(shown: readonly RecentResult[]): string {
  if (shown.length === 0) return "No results yet";
  const count = (look: string) => shown.filter((result) => lookOf(result) === look).length;
  const parts = ["up", "degraded", "down", "maintenance"]
    .map((look) => [look, count(look)] as const)
    .filter(([, number]) => number > 0)
    .map(([look, number]) => `${number} ${look}`);
  return `The last ${shown.length} results: ${parts.join(", ")}`;
}
