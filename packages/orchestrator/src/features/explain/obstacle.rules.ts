import type { Obstacle, ObstacleCode } from "@orchestrator/contract";

interface Details {
  readonly message: string;
  readonly action?: string;
  readonly isBlocking?: boolean;
  readonly resource?: Obstacle["resource"];
  readonly until?: string | null;
  readonly runs?: readonly string[];
}

export const obstacle = (code: ObstacleCode, details: Details): Obstacle => ({
  code,
  is_blocking: details.isBlocking ?? true,
  message: details.message,
  action: details.action ?? null,
  resource: details.resource ?? null,
  until: details.until ?? null,
  flow_run_ids: [...(details.runs ?? [])],
});
