import type { Obstacle, ObstacleCode } from "@orchestrator/contract";
import type { RunFacts, TakenSlots } from "./situation.rules.ts";

interface Facts {
  readonly message: string;
  readonly resource?: Obstacle["resource"];
  readonly until?: string | null;
  readonly runs?: readonly string[];
}

/** Whatever stands in the way can be done something about, be it to wait. */
export type BlockerDetails = Facts &
  (
    | { readonly action: string; readonly isBlocking?: boolean }
    | { readonly action?: string; readonly isBlocking: false }
  );

export const blockerOf = (code: ObstacleCode, details: BlockerDetails): Obstacle => ({
  code,
  is_blocking: details.isBlocking ?? true,
  message: details.message,
  action: details.action ?? null,
  resource: details.resource ?? null,
  until: details.until ?? null,
  flow_run_ids: [...(details.runs ?? [])],
});

const resourceOf = (kind: string, id: string | null, name: string | null): Obstacle["resource"] =>
  id === null ? null : { kind, id, name };
export const deploymentOf = (run: RunFacts) =>
  resourceOf("deployment", run.deployment_id, run.deployment_name);
export const scheduleResourceOf = (run: RunFacts) =>
  resourceOf("schedule", run.schedule_id, run.schedule_slug);
export const queueOf = (run: RunFacts) => resourceOf("work-queue", run.queue_id, run.queue_name);
export const poolOf = (run: RunFacts) => resourceOf("work-pool", run.pool_id, run.pool_name);
export const limitOf = ({ limit }: TakenSlots) =>
  resourceOf("concurrency-limit", limit.id, limit.name);
