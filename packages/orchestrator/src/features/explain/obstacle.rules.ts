import type { Obstacle, ObstacleCode } from "@orchestrator/contract";

interface Facts {
  readonly message: string;
  readonly resource?: Obstacle["resource"];
  readonly until?: string | null;
  readonly runs?: readonly string[];
}

/** Whatever stands in the way can be done something about, be it to wait. */
type Details = Facts &
  (
    | { readonly action: string; readonly isBlocking?: boolean }
    | { readonly action?: string; readonly isBlocking: false }
  );

export const obstacle = (code: ObstacleCode, details: Details): Obstacle => ({
  code,
  is_blocking: details.isBlocking ?? true,
  message: details.message,
  action: details.action ?? null,
  resource: details.resource ?? null,
  until: details.until ?? null,
  flow_run_ids: [...(details.runs ?? [])],
});
