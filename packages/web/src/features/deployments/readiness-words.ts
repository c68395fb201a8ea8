import type { Deployment } from "@orchestrator/contract";
import { shortly } from "../../lib/time.ts";

/** Why nothing would come of a run; undefined where it would be run, or is paused. */
export function whyNotReady({
  paused,
  status,
  work_pool_name: pool,
  last_polled: polled,
}: Pick<Deployment, "paused" | "status" | "work_pool_name" | "last_polled">): string | undefined {
  if (paused || status !== "NOT_READY") return undefined;
  const when = polled == null ? "yet" : `since ${shortly(polled)}`;
  return pool == null
    ? `No work pool, and no process has served it ${when}`
    : `No worker has polled the work pool ${pool} ${when}`;
}
