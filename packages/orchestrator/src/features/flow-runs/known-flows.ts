// Flows as they were read last. A run of one of them is written if the flow still is so, which saves reading it first.

import type { Database } from "@orchestrator/kernel";
import type { FlowOfRun } from "./flow-runs.store.ts";

const MOST_FLOWS = 1000;
const flows = new WeakMap<Database, Map<string, FlowOfRun>>();

interface FlowPlace {
  readonly workspaceId: string;
  readonly id: string;
}

const keyOf = ({ workspaceId, id }: FlowPlace): string => `${workspaceId} ${id}`;

export const knownFlow = (db: Database, place: FlowPlace): FlowOfRun | undefined =>
  flows.get(db)?.get(keyOf(place));

export function keepFlow(db: Database, workspaceId: string, flow: FlowOfRun): void {
  const known = flows.get(db) ?? new Map<string, FlowOfRun>();
  flows.set(db, known);
  if (known.size >= MOST_FLOWS) known.clear();
  known.set(keyOf({ workspaceId, id: flow.id }), flow);
}

export function forgetFlow(db: Database, place: FlowPlace): void {
  flows.get(db)?.delete(keyOf(place));
}
