import type { Monitor } from "@orchestrator/contract";
import type { CliSession } from "../../io/session.ts";

/** Where a job reports that it is well; null for monitors that wait for none. */
export function heartbeatAddress({ uptime }: CliSession, { pipeline }: Monitor): string | null {
  for (const { type, token } of pipeline) {
    if (type === "heartbeat" && typeof token === "string")
      return `${uptime.url}/heartbeat/${token}`;
  }
  return null;
}
