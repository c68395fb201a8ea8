// Flows as they were read last. A run of one of them is written if the flow still is so, which
// saves reading it first.

import type { Database } from "@orchestrator/kernel/storage";
import type { FlowOfRun } from "./flow-runs.store.ts";

const MOST_FLOWS = 1000;
/** Of the texts of one flow: what is longer is read each time, so that the memory is bounded. */
const MOST_CHARACTERS = 8000;
const flows = new WeakMap<Database, Map<string, FlowOfRun>>();

interface FlowPlace {
  readonly workspaceId: string;
  readonly id: string;
}

const keyOf = ({ workspaceId, id }: FlowPlace): string => `${workspaceId} ${id}`;

export const cachedFlow = (db: Database, place: FlowPlace): FlowOfRun | undefined =>
  flows.get(db)?.get(keyOf(place));

export function cacheFlow(db: Database, workspaceId: string, flow: FlowOfRun): void {
  const known = flows.get(db) ?? new Map<string, FlowOfRun>();
  flows.set(db, known);
  if (flow.name.length + flow.tags.length + flow.labels.length > MOST_CHARACTERS) return;
  if (known.size >= MOST_FLOWS) known.clear();
  known.set(keyOf({ workspaceId, id: flow.id }), flow);
}

export function forgetFlow(db: Database, place: FlowPlace): void {
  flows.get(db)?.delete(keyOf(place));
}
