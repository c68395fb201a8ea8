import type { BackfillRow } from "../../db/tables/backfills.table.ts";
import type { ResourceEvent } from "../../events/emit.ts";
import { relatedTo, type WatchedDeployment } from "../../work/pools/readiness.events.ts";

export function backfillEvent(
  verb: "created" | "completed" | "cancelled" | "resumed",
  { row, deployment }: { readonly row: BackfillRow; readonly deployment: WatchedDeployment },
  occurred: string,
): ResourceEvent {
  const { id, start, end, total, created_runs, skipped } = row;
  return {
    kind: "backfill",
    verb,
    id,
    name: backfillLabel(row),
    occurred,
    payload: JSON.stringify({ start, end, total, created_runs, skipped }),
    related: [
      { kind: "deployment", id: deployment.id, role: "deployment", name: deployment.name },
      ...relatedTo(deployment),
    ],
  };
}

/** What people read where a backfill is mentioned. */
export function backfillLabel({ start, end }: Pick<BackfillRow, "start" | "end">): string {
  return `Backfill from ${start} to ${end}`;
}
