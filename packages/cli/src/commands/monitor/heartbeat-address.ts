import type { Monitor } from "@orchestrator/contract";
import type { Session } from "../../io/session.ts";

/** Where a job reports that it is well; null for monitors that wait for none. */
export function heartbeatAddress({ uptime }: Session, { pipeline }: Monitor): string | null {
  for (const check of pipeline) {
    if (check.type === "heartbeat" && check.token) return `${uptime.url}/heartbeat/${check.token}`;
  }
  return null;
}
