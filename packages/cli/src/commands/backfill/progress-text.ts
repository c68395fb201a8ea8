import type { Backfill } from "@orchestrator/contract";

/** `running: 3 of 10 runs made, 2 left out (1 completed, 2 scheduled)`. */
export function progressText(backfill: Backfill): string {
  const states = statesText(backfill);
  const { status } = backfill;
  return `${status.toLowerCase()}: ${madeText(backfill)}${states === "" ? "" : ` (${states})`}`;
}

export function madeText({ total, created_runs, skipped }: Backfill): string {
  const left = skipped > 0 ? `, ${skipped} left out` : "";
  return `${created_runs} of ${total} runs made${left}`;
}

export const statesText = ({ states }: Backfill): string =>
  Object.entries(states)
    .map(([type, count]) => `${count} ${type.toLowerCase()}`)
    .join(", ");
