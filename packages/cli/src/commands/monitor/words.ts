// The words of the API that options take. Of the contract only types are used, so that help comes
// at once.

import type { MonitorStatus } from "@orchestrator/contract";

export const MONITOR_STATUS_CHOICES = [
  "up",
  "degraded",
  "down",
] as const satisfies readonly MonitorStatus[];
