import type { OrchestratorContext } from "../context.ts";
import { listExpiredLeases } from "./expired-leases.store.ts";
import { releaseExpiredLease } from "./release-slots.store.ts";

const BATCH = 100;

/**
 * Gives back the slots of leases that have run out: all that had at the beginning of the pass.
 * Tells how many.
 */
export async function releaseExpiredLeases(
  { db, clock, hearing }: Pick<OrchestratorContext, "db" | "clock" | "hearing">,
  signal: AbortSignal,
): Promise<number> {
  if (!(await hearing.listen())) return 0;
  const now = clock.now();
  let released = 0;
  while (!signal.aborted) {
    const expired = await listExpiredLeases(db, { now, limit: BATCH });
    for (const { id: leaseId, workspace_id } of expired) {
      if (signal.aborted) break;
      // Each in a transaction of its own, so that none holds the limits of another.
      const isGone = await db.write(workspace_id, (tx) =>
        releaseExpiredLease(tx, { leaseId, now }),
      );
      if (isGone) released += 1;
    }
    if (expired.length < BATCH) break;
  }
  return released;
}
